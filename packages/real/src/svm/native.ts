import type { VerifiedTransaction } from '@svc/client'
import type { SvmKey } from '@svc/testing/svm-message'
import type { Stage } from '../node.ts'
import type { Report } from '../report.ts'
import { type Protocol, type SvmStage, startSvmStage } from './stage.ts'

/** Offset at which a stake account says how much is delegated. @see https://docs.rs/solana-stake-interface (StakeStateV2, read 2026-11-24) */
const DELEGATED_AT = 156
/** A transaction lives for 150 blocks; more than that, and until it is final. */
const EXPIRED_AFTER = 190

/** Plays the lives of native staking. */
export async function playNative(stage: Stage): Promise<void> {
  const played = await startSvmStage(stage, 'native')
  stage.report.equal('svc check finds nothing amiss', played.service.checked.code, 0)
  await stage.life('life', (report) => wholeLife(played, report))
  await stage.life('twice', (report) => twice(played, report))
  await stage.life('failed', (report) => failed(played, report))
  await stage.life('expired', (report) => expired(played, report))
  await stage.life('nonces', (report) => nonces(played, report))
  await stage.life('restarted', (report) => restarted(played, report))
  await played.service.close()
  await played.validator.stop()
}

/** A nonce account, two stakes, an epoch, their ends, and all that was in them back. */
async function wholeLife(stage: SvmStage, report: Report): Promise<void> {
  const { native, validator } = stage
  const wallet = await validator.wallet('life', 100n)
  const wallet_address = wallet.address

  const creation = (await stage.carryOut(await native.createNonceAccount({ wallet_address }), wallet)).at(-1)
  await stage.exact(report, 'the nonce account', creation, wallet)

  const ids: string[] = []
  for (const [amount, sign] of [
    ['2.000000001', true],
    ['3.5', false],
  ] as const) {
    const states = await stage.carryOut(await native.stake({ wallet_address, amount, sign }), wallet)
    await stage.exact(report, `the stake of ${amount}`, states.at(-1), wallet)
    report.check(`the stake of ${amount} only goes forward`, forward(states.map(({ status }) => status)), states)
    ids.push(...(states.at(-1)?.objectIds ?? []))
  }
  report.equal('each stake has an account', ids.length, 2)
  await compare(stage, report, 'after two stakes', wallet, ids)
  await validator.epoch()
  const active = await compare(stage, report, 'an epoch later', wallet, ids)
  report.equal('both are active', active.filter(({ status }) => status === 'active').length, 2)

  for (const stake_account_address of ids) {
    const states = await stage.carryOut(await native.unstake({ wallet_address, stake_account_address }), wallet)
    await stage.exact(report, 'the end of a stake', states.at(-1), wallet)
  }
  await validator.epoch()
  const ready = await compare(stage, report, 'an epoch after their ends', wallet, ids)
  report.equal('both can be withdrawn', ready.filter(({ status }) => status === 'withdrawable').length, 2)
  const [first = '', second = ''] = ids
  const part = await stage.carryOut(await native.withdraw({ wallet_address, stake_account_address: first, amount: '1' }), wallet)
  await stage.exact(report, 'the withdrawal of a part', part.at(-1), wallet)
  for (const stake_account_address of [first, second]) {
    const balance = ready.find(({ id }) => id === stake_account_address)?.amount?.units ?? 0n
    const states = await stage.carryOut(await native.withdraw({ wallet_address, stake_account_address }), wallet)
    await stage.exact(report, 'the withdrawal of the rest', states.at(-1), wallet)
    const arrived = states.at(-1)?.moves?.find(({ kind }) => kind === 'arrives')?.amount ?? 0n
    const expected = stake_account_address === first ? balance - 1_000_000_000n : balance
    report.equal('it pays what the position said', arrived, expected)
  }
  report.equal('and nothing is left', (await native.balance(wallet_address)).objects?.length ?? 0, 0)
}

/** A stake that was never sent. */
async function expired(stage: SvmStage, report: Report): Promise<void> {
  const wallet = await stage.validator.wallet('expired', 10n)
  await expires(stage, report, await stage.native.stake({ wallet_address: wallet.address, amount: '1' }), wallet)
}

/** Follows bytes that were never sent: pending until they expire, then expired, proven, and refused. */
export async function expires(
  stage: SvmStage,
  report: Report,
  tx: VerifiedTransaction,
  wallet: SvmKey,
  name: Protocol = 'native',
): Promise<void> {
  const protocol = name === 'native' ? stage.native : stage.liquid
  const signed = await stage.sign(tx, wallet)
  const first = await protocol.track(signed)
  report.check('bytes that nobody has sent have not ended', ['pending', 'unknown'].includes(first.status), first)
  await stage.validator.slots(EXPIRED_AFTER)
  const end = await stage.seen(signed.txHash, undefined, name)
  report.equal('when their block hash is too old they have expired', `${end.status} ${end.certainty}`, 'expired proven')
  const refusal = await failure(protocol.send(signed))
  report.equal('and whoever sends them is told so', refusal?.code, 'TRANSACTION_EXPIRED')
  report.say(refusal?.message ?? '')
}

/** An action that fails in a block: told as failed, with its fee. */
async function failed(stage: SvmStage, report: Report): Promise<void> {
  const { native, validator } = stage
  const wallet = await validator.wallet('failed', 10n)
  const wallet_address = wallet.address
  const staked = await stage.carryOut(await native.stake({ wallet_address, amount: '1' }), wallet)
  const stake_account_address = staked.at(-1)?.objectIds?.[0] ?? ''
  const first = await stage.sign(await native.unstake({ wallet_address, stake_account_address }), wallet)
  await validator.slots(3)
  const second = await stage.sign(await native.unstake({ wallet_address, stake_account_address }), wallet)
  await native.send(first)
  const bytes = Buffer.from(String(second.signed.signed_tx_hex ?? Object.values(second.signed)[0]).replace(/^0x/, ''), 'hex')
  await stage.seen(first.txHash)
  await validator.land(bytes, second.txHash)
  await native.track(second)
  const end = await stage.seen(second.txHash, ({ finality }) => finality === 'final')
  report.equal('a second end of the same stake has failed', `${end.status} ${end.certainty}`, 'failed proven')
  report.check('with a reason', end.error !== null && end.error.reason !== '', end.error)
  report.say(`${end.error?.code}: ${end.error?.reason}`)
  const options = { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 0 }
  const { meta } = (await validator.rpc('getTransaction', [second.txHash, options])) as { readonly meta: { readonly fee: number } }
  report.equal('its fee is the node’s', end.fee?.units, BigInt(meta.fee))
}

/** The same bytes again, while they wait and when they have landed: one transaction. */
async function twice(stage: SvmStage, report: Report): Promise<void> {
  const { native, validator } = stage
  const wallet = await validator.wallet('twice', 10n)
  const signed = await stage.sign(await native.stake({ wallet_address: wallet.address, amount: '1' }), wallet)
  await native.send(signed)
  const again = await native.send(signed)
  report.equal('the same bytes have the same hash', again.txHash, signed.txHash)
  await stage.exact(report, 'the stake', await stage.seen(signed.txHash), wallet)
  report.equal('also when they have landed', (await native.send(signed)).txHash, signed.txHash)
  report.equal('and there is one stake', (await native.balance(wallet.address)).objects?.length, 1)
}

/** Two transactions on one nonce: one lands, and the other never does. */
async function nonces(stage: SvmStage, report: Report): Promise<void> {
  const { native, validator } = stage
  const wallet = await validator.wallet('nonces', 20n)
  const wallet_address = wallet.address
  const creation = await stage.carryOut(await native.createNonceAccount({ wallet_address }), wallet)
  // The account that is made is the second of the transaction.
  const options = { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 0 }
  const { transaction } = (await validator.rpc('getTransaction', [creation.at(-1)?.txHash, options])) as Keyed
  const nonce_account_address = transaction.message.accountKeys[1] ?? ''
  const stake = async (amount: string) => stage.sign(await native.stake({ wallet_address, amount, nonce_account_address }), wallet)
  const [one, two] = [await stake('1'), await stake('2')]
  await validator.slots(EXPIRED_AFTER)
  await native.track(two)
  await native.send(one)
  await stage.exact(report, 'a stake with a nonce, sent after its block hash would have expired,', await stage.seen(one.txHash), wallet)
  const refusal = await failure(native.send(two))
  report.equal('the other one with this nonce is refused', refusal?.code, 'NONCE_USED')
  const end = await stage.seen(two.txHash)
  report.equal('and told as replaced', `${end.status} ${end.certainty}`, 'replaced proven')
  const closed = await stage.carryOut(await native.closeNonceAccount({ wallet_address, account_address: nonce_account_address }), wallet)
  await stage.exact(report, 'the end of the nonce account', closed.at(-1), wallet)
}

/** The validator is started anew while a stake is on its way to finality. */
async function restarted(stage: SvmStage, report: Report): Promise<void> {
  const { native, validator } = stage
  const wallet = await validator.wallet('restarted', 10n)
  const signed = await stage.sign(await native.stake({ wallet_address: wallet.address, amount: '1' }), wallet)
  await native.send(signed)
  await stage.seen(signed.txHash, ({ status }) => status !== 'pending' && status !== 'unknown')
  await validator.restart()
  const statuses: string[] = []
  const end = await stage.seen(signed.txHash, (status) => {
    statuses.push(`${status.status} ${status.certainty}`)
    return statuses.at(-1) === 'final proven' || statuses.length > 400
  })
  report.check(
    'over a restart of the validator it is never told as failed, replaced or expired',
    !statuses.some((state) => /failed|replaced|expired/.test(state)),
    statuses,
  )
  await stage.exact(report, 'the stake', end, wallet)
}

/** Balance and chain: what the position says is what the accounts hold. */
async function compare({ native, validator }: SvmStage, report: Report, when: string, wallet: SvmKey, ids: readonly string[]) {
  const objects = (await native.balance(wallet.address)).objects ?? []
  report.equal(`${when}: the position lists the accounts`, objects.map(({ id }) => id).toSorted(), [...ids].toSorted())
  for (const { id, status, amount } of objects) {
    const { value } = (await validator.rpc('getAccountInfo', [id, { encoding: 'base64', commitment: 'confirmed' }])) as Account
    const stake = status === 'withdrawable' ? BigInt(value.lamports) : Buffer.from(value.data[0], 'base64').readBigUInt64LE(DELEGATED_AT)
    report.equal(`${when}: an account that is ${status} counts for what it holds`, amount?.units, stake)
  }
  return objects
}

interface Keyed {
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } }
}

interface Account {
  readonly value: { readonly lamports: number; readonly data: readonly [string, string] }
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
function forward(states: readonly string[]): boolean {
  const order = ['unknown', 'pending', 'included', 'final']
  return states.every((state, place) => place === 0 || order.indexOf(state) >= order.indexOf(states[place - 1] ?? ''))
}
