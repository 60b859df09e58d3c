import { isSettled } from '@svc/client'
import { ethersSigner } from '@svc/client/signers'
import { formatEther } from 'ethers'
import { until } from '../programs.ts'
import type { Report } from '../report.ts'
import type { VaultStage } from './vault-stage.ts'

const ETHER = 10n ** 18n
/** Seconds for whatever is waited for while the chain runs. */
const PATIENCE_SECONDS = 60

/** A stake on a chain that has no final block yet: told as included and not as final, until there is one. */
export async function beforeFinality(stage: VaultStage, report: Report): Promise<void> {
  const { geth, vault } = stage
  const wallet = stage.customer()
  const tx = await vault.stake({ address: wallet.address, amount: '1' })
  const { txHash } = await vault.send(await tx.sign(ethersSigner(wallet)))
  try {
    report.equal('a stake that waits is pending, before the chain has a final block', (await vault.status(txHash)).status, 'pending')
    await geth.beacon.block()
    await geth.beacon.blocks(2, { empty: true })
    const included = await seen(stage, txHash, ({ status }) => status === 'included')
    report.equal('in a block it is included, and not final', `${included.status} ${included.finality}`, 'included included')
  } finally {
    geth.beacon.finalise()
  }
  await geth.beacon.blocks(12, { empty: true })
  await stage.exact(report, 'the stake', await seen(stage, txHash, ({ status }) => status === 'final'), wallet)
}

/** The whole life of a position: stake, stake more, earn, leave in two parts, claim both. */
export async function wholeLife(stage: VaultStage, report: Report): Promise<void> {
  const { vault, world } = stage
  const wallet = stage.customer()
  const { address } = wallet
  const position = async (when: string) => {
    const balance = await vault.balance(address)
    const shares = await world.read<bigint>('getShares', [address])
    report.equal(
      `${when}: what is staked is what the vault's shares are worth`,
      balance.staked.units,
      await world.read<bigint>('convertToAssets', [shares]),
    )
    return balance
  }
  for (const amount of ['10.000000000000000001', '2.5']) {
    const states = await stage.carryOut(await vault.stake({ address, amount }), wallet)
    report.check('a stake goes through pool and block to its end', inOrder(states.map(({ status }) => status)), states)
    await stage.exact(report, `the stake of ${amount}`, states.at(-1), wallet)
  }
  const before = await position('after two stakes')
  await stage.update()
  const grown = await position('after an update')
  report.check('an update earns', grown.staked.units > before.staked.units)
  const exits: string[] = []
  for (const amount of ['4', formatEther(grown.staked.units - 4n * ETHER)]) {
    const states = await stage.carryOut(await vault.unstake({ address, amount }), wallet)
    await stage.exact(report, `the exit of ${amount}`, states.at(-1), wallet)
    exits.push(...(states.at(-1)?.objectIds ?? []))
  }
  report.equal('each exit has a ticket of its own', new Set(exits).size, 2)
  const leaving = await position('with two exits')
  report.equal('and the position lists both', (leaving.objects ?? []).map(({ id }) => id).toSorted(), exits.toSorted())
  const refusal = await code(vault.withdraw({ address }))
  report.equal('a claim before the queue is paid is refused', refusal, 'WITHDRAWAL_NOT_READY')
  for (let updates = 0; updates < 2; updates++) await stage.update()
  await stage.geth.beacon.blocks(20, { empty: true })
  const ready = await position('when the queue is paid')
  const withdrawable = (ready.objects ?? []).filter(({ status }) => status === 'withdrawable')
  report.equal('both exits can be withdrawn', withdrawable.length, 2)
  const due = withdrawable.reduce((sum, { amount }) => sum + (amount?.units ?? 0n), 0n)
  const states = await stage.carryOut(await vault.withdraw({ address }), wallet)
  await stage.exact(report, 'the claim', states.at(-1), wallet)
  const arrived = states.at(-1)?.moves?.filter(({ kind }) => kind === 'arrives') ?? []
  const paid = arrived.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
  report.equal('the claim pays what the position said, to the wei', paid, due)
  report.equal('and nothing is left', (await position('at the end')).objects?.length ?? 0, 0)
}

/** A stake whose block loses its place to a sibling without it. */
export async function reorganised(stage: VaultStage, report: Report): Promise<void> {
  const { geth, vault } = stage
  const wallet = stage.customer()
  const { txHash } = await vault.send(await (await vault.stake({ address: wallet.address, amount: '1' })).sign(ethersSigner(wallet)))
  const block = await geth.beacon.block({ rival: true })
  const first = await seen(stage, txHash, ({ status }) => status === 'included')
  report.equal('it is told in its block', first.block?.hash, block.hash)
  await geth.beacon.reorganise()
  const statuses: string[] = []
  const back = await seen(stage, txHash, (match) => {
    statuses.push(match.status)
    return match.status === 'pending'
  })
  report.equal('when its block is gone it waits again', back.status, 'pending')
  report.check(
    'and it is never told as ended',
    !statuses.some((status) => ['final', 'failed', 'replaced', 'expired'].includes(status)),
    statuses,
  )
  const pause = geth.beacon.run()
  const final = await seen(stage, txHash, ({ status }) => status === 'final')
  await pause()
  await stage.exact(report, 'the stake that came back', final, wallet)
  report.check('in another block', final.block?.hash !== first.block?.hash)
}

/** Another transaction with the same nonce takes the place of a stake that waits. */
export async function replaced(stage: VaultStage, report: Report): Promise<void> {
  const { geth, vault } = stage
  const wallet = stage.customer()
  const { address } = wallet
  const tx = await vault.stake({ address, amount: '1' })
  const { txHash } = await vault.send(await tx.sign(ethersSigner(wallet)))
  report.equal('a stake waits', (await vault.status(txHash)).status, 'pending')
  const nonce = Number(await geth.rpc('eth_getTransactionCount', [address, 'latest']))
  const gasPrice = BigInt(String(await geth.rpc('eth_gasPrice'))) * 10n
  const rival = await wallet.signTransaction({ type: 0, chainId: 1, to: address, value: 0n, nonce, gasLimit: 21_000n, gasPrice })
  await geth.rpc('eth_sendRawTransaction', [rival])
  await geth.beacon.block()
  const likely = await vault.status(txHash)
  report.check(
    'while the rival can still be reorganised, no end is told',
    !(likely.certainty === 'proven' && ['replaced', 'failed', 'expired'].includes(likely.status)),
    likely,
  )
  await geth.beacon.blocks(12, { empty: true })
  const end = await seen(stage, txHash, ({ status, certainty }) => status === 'replaced' && certainty === 'proven')
  report.check('when the rival is final, the stake is told as replaced, and that is proven', isSettled(end), end)
  report.equal('and the node has no receipt of it', await geth.rpc('eth_getTransactionReceipt', [txHash]), null)
}

/** A transaction with the next nonce waits while another one is sent: nothing may lead to both. */
export async function rivalWaits(stage: VaultStage, report: Report): Promise<void> {
  const { geth, vault } = stage
  const wallet = stage.customer()
  const { address } = wallet
  const sign = async (amount: string) => (await vault.stake({ address, amount })).sign(ethersSigner(wallet))
  const [one, two] = [await sign('1'), await sign('2')]
  await vault.send(one)
  const refusal = await failure(vault.send(two))
  report.check('the second stake with the nonce of a waiting one is refused', refusal !== null)
  report.check('with a sentence that does not advise to craft again', !/craft (it )?again/i.test(refusal?.message ?? ''), refusal?.message)
  report.say(`${refusal?.code}: ${refusal?.message}`)
  await geth.beacon.block()
  await geth.beacon.blocks(12, { empty: true })
  report.equal('and the second never lands', await geth.rpc('eth_getTransactionReceipt', [two.txHash]), null)
  await stage.exact(report, 'the first stake', await seen(stage, one.txHash, ({ status }) => status === 'final'), wallet)
}

/** The node is killed while a stake waits, and again when it has landed. */
export async function killed(stage: VaultStage, report: Report): Promise<void> {
  const { geth, vault } = stage
  const wallet = stage.customer()
  const signed = await (await vault.stake({ address: wallet.address, amount: '1' })).sign(ethersSigner(wallet))
  const { txHash } = await vault.send(signed)
  // Once in an orderly way, so that there is a state on disk: a young chain that is killed without one begins anew.
  await geth.restart()
  await geth.restart({ kill: true })
  const after = await vault.status(txHash)
  report.check('after a kill of the node the stake is never told as ended', ['pending', 'unknown'].includes(after.status), after)
  const transaction = await geth.rpc('eth_getTransactionByHash', [txHash])
  if (transaction === null) {
    report.say('the node has forgotten what waited; the same bytes are sent again')
    await vault.send(signed)
  }
  await geth.beacon.block()
  await geth.beacon.blocks(2, { empty: true })
  await seen(stage, txHash, ({ status }) => status === 'included')
  await geth.restart({ kill: true })
  const landed = await seen(stage, txHash, ({ status }) => status !== 'unknown')
  report.check('after a kill in a block neither', ['pending', 'included', 'final'].includes(landed.status), landed)
  const pause = geth.beacon.run()
  const final = await seen(stage, txHash, ({ status }) => status === 'final')
  await pause()
  await stage.exact(report, 'the stake', final, wallet)
}

/** The service is ended while a stake waits, and started again when it has landed. */
export async function serviceRestarts(stage: VaultStage, report: Report): Promise<void> {
  const { geth, vault } = stage
  const wallet = stage.customer()
  const { txHash } = await vault.send(await (await vault.stake({ address: wallet.address, amount: '1' })).sign(ethersSigner(wallet)))
  await geth.beacon.blocks(12)
  await stage.service.restart()
  const final = await seen(stage, txHash, ({ status }) => status === 'final')
  await stage.exact(report, 'a stake that landed while the service was restarted', final, wallet)
}

type Found = Awaited<ReturnType<VaultStage['vault']['status']>>

/** Asks for a status until it is the one that is meant. @throws Error with the last one, when it does not come */
export async function seen({ vault }: VaultStage, txHash: string, condition: (status: Found) => boolean): Promise<Found> {
  let last: unknown
  try {
    return await until(`the status of ${txHash}`, PATIENCE_SECONDS, async () => {
      const status = await vault.status(txHash)
      last = status
      return condition(status) && status
    })
  } catch (cause) {
    const text = JSON.stringify(last, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    throw new Error(`the status that was waited for did not come; the last one: ${text}`, { cause })
  }
}

/** The code of a refusal; null where there is none. */
async function code(call: Promise<unknown>): Promise<string | null> {
  return (await failure(call))?.code ?? null
}

async function failure(call: Promise<unknown>): Promise<{ readonly code: string; readonly message: string } | null> {
  return call.then(
    () => null,
    (error: { readonly code?: string; readonly message?: string }) => ({
      code: error.code ?? 'none',
      message: error.message ?? String(error),
    }),
  )
}

/** States of a transaction that only goes forward. */
function inOrder(states: readonly string[]): boolean {
  const order = ['unknown', 'pending', 'included', 'final']
  return states.every((state, place) => place === 0 || order.indexOf(state) >= order.indexOf(states[place - 1] ?? ''))
}
