import { ethersSigner } from '@svc/client/signers'
import type { Report } from '../report.ts'
import { seen } from './lives.ts'
import type { VaultStage } from './vault-stage.ts'

/** Flags of an operator who keeps his node small: short ranges of logs, short batches, an index of transactions over the last blocks alone. */
export const SMALL_NODE = ['--rpc.rangelimit', '100', '--rpc.batch-request-limit', '5', '--history.transactions', '20']
/** Blocks of a gap that no index of such a node reaches over. */
const BEYOND_INDEX = 40
/** More blocks than a range of logs may have. */
const BEYOND_RANGE = 250

/** Stake, exit and balance over more blocks than the node serves at once. */
export async function shortRanges(stage: VaultStage, report: Report): Promise<void> {
  const { vault, geth } = stage
  const wallet = stage.customer()
  const { address } = wallet
  await stage.exact(report, 'the stake', (await stage.carryOut(await vault.stake({ address, amount: '3' }), wallet)).at(-1), wallet)
  const exit = (await stage.carryOut(await vault.unstake({ address, amount: '1' }), wallet)).at(-1)
  await stage.exact(report, 'the exit', exit, wallet)
  await geth.beacon.blocks(BEYOND_RANGE, { empty: true })
  const balance = await vault.balance(address)
  report.equal(
    'the position lists the exit',
    balance.objects?.map(({ id }) => id),
    exit?.objectIds,
  )
  for (let updates = 0; updates < 2; updates++) await stage.update()
  await geth.beacon.blocks(20, { empty: true })
  const due = (await vault.balance(address)).objects?.[0]?.amount?.units
  const claim = (await stage.carryOut(await vault.withdraw({ address }), wallet)).at(-1)
  await stage.exact(report, 'the claim', claim, wallet)
  report.equal('the claim pays what the position said, to the wei', claim?.moves?.find(({ kind }) => kind === 'arrives')?.amount, due)
}

/** A stake lands and leaves the node's index while the service is away, and the final block is empty at the first look. */
export async function beyondIndex(stage: VaultStage, report: Report): Promise<void> {
  const { vault, geth, service } = stage
  const wallet = stage.customer()
  const signed = await (await vault.stake({ address: wallet.address, amount: '1' })).sign(ethersSigner(wallet))
  await service.pause()
  await geth.rpc('eth_sendRawTransaction', [signed.signed.signed_tx ?? Object.values(signed.signed)[0]])
  await geth.beacon.block()
  await geth.beacon.blocks(BEYOND_INDEX, { empty: true })
  report.equal('the node has lost it from its index', await geth.rpc('eth_getTransactionReceipt', [signed.txHash]), null)
  await service.resume()
  const statuses: string[] = []
  await vault.track(signed).then(
    ({ status, certainty }) => statuses.push(`${status} ${certainty}`),
    ({ code }: { readonly code: string }) => statuses.push(code),
  )
  for (let looks = 0; looks < 10; looks++) {
    await geth.beacon.block({ empty: true })
    await seen(stage, signed.txHash, () => true).then(({ status, certainty }) => statuses.push(`${status} ${certainty}`))
  }
  report.check(
    'a stake that landed is never told as replaced, failed or expired',
    !statuses.some((state) => /replaced|failed|expired/.test(state)),
    statuses,
  )
  report.say(`told: ${[...new Set(statuses)].join(', ')}`)
}
