import type { SvmKey } from '@svc/testing/svm-message'
import type { Stage } from '../node.ts'
import type { Report } from '../report.ts'
import { expires } from './native.ts'
import { createPool, FEES, type Pool } from './pool.ts'
import { type SvmStage, startSvmStage } from './stage.ts'

/** A service on a validator with a stake pool. */
interface Liquid extends SvmStage {
  readonly pool: Pool
}

/** Slots of an epoch in these lives, 40 seconds: what is crafted in one epoch has to land in it, since a pool stands still until its books are made up. */
const SLOTS_PER_EPOCH = 400
/** Slots that an action needs until it is in a block, on a machine that builds at the same time. */
const ROOM = 150
const SOL = 1_000_000_000n
/** Lamports that are left in the reserve where a life wants it small, besides its rent. */
const SMALL_RESERVE = 2n * SOL

/** Plays the lives of liquid staking on a validator of its own, whose stake pool program is that of its authors. */
export async function playLiquid(stage: Stage): Promise<void> {
  let pool: Pool | undefined
  const played = await startSvmStage(stage, 'liquid', {
    slotsPerEpoch: SLOTS_PER_EPOCH,
    async liquid(validator) {
      pool = await createPool(validator)
      return pool.settings
    },
  })
  if (!pool) throw new Error('No pool was made.')
  const liquid: Liquid = { ...played, pool: pool }
  const { checked } = played.service
  stage.report.check('svc check finds nothing amiss with a stake pool', checked.code === 0, checked.out + checked.err)
  const wallet = await played.validator.wallet('liquid', 1_000n)
  await stage.life('deposit', (report) => deposits(liquid, report, wallet))
  await stage.life('reserve', (report) => paidByReserve(liquid, report, wallet))
  await stage.life('update', (report) => updated(liquid, report, wallet))
  await stage.life('dearer', async (report) => {
    await deposits(liquid, report, wallet)
    await paidByReserve(liquid, report, wallet)
  })
  await stage.life('unsent', (report) => unsent(liquid, report, wallet))
  await stage.life('emptied', (report) => emptied(liquid, report, wallet))
  await stage.life('split', (report) => leavesAsStake(liquid, report, wallet))
  await played.service.close()
  await played.validator.stop()
}

/** A first deposit, which makes the wallet's token account, and a second one. */
async function deposits(liquid: Liquid, report: Report, wallet: SvmKey): Promise<void> {
  for (const amount of ['12.345678901', '100']) {
    await steady(liquid)
    const [lamports, books, tokens] = [unitsOf(amount), await liquid.pool.books(), await held(liquid, wallet)]
    const states = await liquid.carryOut(await liquid.liquid.stake({ wallet_address: wallet.address, amount }), wallet, 'liquid')
    const end = states.at(-1)
    await liquid.exact(report, `the deposit of ${amount}`, end, wallet)
    const minted = (lamports * books.supply) / books.lamports
    const fee = feeOn(minted, FEES.deposit)
    const own = minted - fee + (fee * BigInt(FEES.referralPercent)) / 100n
    const after = await liquid.pool.books()
    report.equal(`a deposit of ${amount} gives the tokens that the pool's books make of it`, (await held(liquid, wallet)) - tokens, own)
    report.equal('and that is what is told', moved(end, 'arrives', liquid.pool.settings.mint), own)
    report.equal('what came into the reserve is told as staked', moved(end, 'staked', 'native'), lamports)
    report.equal("the pool's books grow by it", [after.lamports - books.lamports, after.supply - books.supply], [lamports, minted])
    await worth(liquid, report, wallet, `after the deposit of ${amount}`)
  }
}

/** SOL out of the reserve. */
async function paidByReserve(liquid: Liquid, report: Report, wallet: SvmKey): Promise<void> {
  await steady(liquid)
  const [books, tokens, reserve] = [await liquid.pool.books(), await held(liquid, wallet), await liquid.pool.reserve()]
  const amount = 7_123_456_789n
  const tx = await liquid.liquid.unstake({ wallet_address: wallet.address, amount: textOf(amount) })
  const end = (await liquid.carryOut(tx, wallet, 'liquid')).at(-1)
  await liquid.exact(report, 'the exit', end, wallet)
  const burnt = amount - feeOn(amount, FEES.withdrawal)
  const lamports = (burnt * books.lamports) / books.supply
  report.equal("an exit pays what the pool's books make of the tokens", moved(end, 'arrives', 'native'), lamports)
  report.equal('out of the reserve', reserve - (await liquid.pool.reserve()), lamports)
  report.equal('the tokens are gone', tokens - (await held(liquid, wallet)), amount)
  report.equal('and told as what left', moved(end, 'leaves', liquid.pool.settings.mint), amount)
  await worth(liquid, report, wallet, 'after the exit')
}

/** Two epochs: until its books are made up the pool stands still; afterwards a token is worth more. */
async function updated(liquid: Liquid, report: Report, wallet: SvmKey): Promise<void> {
  const { pool, validator } = liquid
  const before = await pool.books()
  for (const epoch of ['first', 'second']) {
    await validator.epoch()
    const code = await refusal(liquid.liquid.stake({ wallet_address: wallet.address, amount: '1' }))
    report.equal(`in the ${epoch} new epoch nothing is crafted until the books are made up`, code, 'POOL_UPDATING')
    await worth(liquid, report, wallet, 'meanwhile')
    await pool.update()
    await worth(liquid, report, wallet, 'after the update')
  }
  const after = await pool.books()
  report.check('a token is worth more than two epochs ago', after.lamports * before.supply > before.lamports * after.supply, {
    before,
    after,
  })
  report.say(`${before.lamports} lamports for ${before.supply} tokens, then ${after.lamports} for ${after.supply}`)
}

/** A deposit that nobody sends: expired, proven, and nothing moved. */
async function unsent(liquid: Liquid, report: Report, wallet: SvmKey): Promise<void> {
  await steady(liquid)
  const tokens = await held(liquid, wallet)
  const tx = await liquid.liquid.stake({ wallet_address: wallet.address, amount: '1' })
  await expires(liquid, report, tx, wallet, 'liquid')
  report.equal('and there is not a token more', await held(liquid, wallet), tokens)
}

/** An exit whose reserve is gone when it lands: failed, with its reason, and nothing moved but the fee. */
async function emptied(liquid: Liquid, report: Report, wallet: SvmKey): Promise<void> {
  const { pool, validator } = liquid
  await steady(liquid)
  const tokens = await held(liquid, wallet)
  const signed = await liquid.sign(await liquid.liquid.unstake({ wallet_address: wallet.address, amount: '5' }), wallet)
  const rent = BigInt(String(await validator.rpc('getMinimumBalanceForRentExemption', [200])))
  // Of the reserve the new stake account's rent is taken besides.
  await pool.stake((await pool.reserve()) - 2n * rent - SMALL_RESERVE)
  const bytes = Buffer.from(String(signed.signed.signed_tx_hex ?? Object.values(signed.signed)[0]).replace(/^0x/, ''), 'hex')
  await validator.land(bytes, signed.txHash)
  await liquid.liquid.track(signed)
  const end = await liquid.seen(signed.txHash, ({ finality }) => finality === 'final', 'liquid')
  report.equal('an exit that the reserve can no longer pay has failed', `${end.status} ${end.certainty}`, 'failed proven')
  report.check('with a reason', end.error !== null && end.error.reason !== '', end.error)
  report.say(`${end.error?.code}: ${end.error?.reason}`)
  report.equal('and the tokens are there', await held(liquid, wallet), tokens)
}

/** An exit that the reserve cannot pay: a stake account of the wallet, which is withdrawn like any other when the epoch is over. */
async function leavesAsStake(liquid: Liquid, report: Report, wallet: SvmKey): Promise<void> {
  const { pool, validator, native } = liquid
  await steady(liquid)
  const [books, tokens] = [await pool.books(), await held(liquid, wallet)]
  const amount = 60n * SOL + 1n
  const tx = await liquid.liquid.unstake({ wallet_address: wallet.address, amount: textOf(amount) })
  const end = (await liquid.carryOut(tx, wallet, 'liquid')).at(-1)
  await liquid.exact(report, 'the exit as stake', end, wallet)
  const lamports = ((amount - feeOn(amount, FEES.withdrawal)) * books.lamports) / books.supply
  report.equal("it frees what the pool's books make of the tokens", moved(end, 'freed', 'native'), lamports)
  report.equal('the tokens are gone', tokens - (await held(liquid, wallet)), amount)
  await worth(liquid, report, wallet, 'after the exit as stake')
  const [id = ''] = end?.objectIds ?? []
  const leaving = (await native.balance(wallet.address)).objects?.find((each) => each.id === id)
  report.equal('native staking lists the account, on its way out', leaving?.status, 'deactivating')
  await validator.epoch()
  const ready = (await native.balance(wallet.address)).objects?.find((each) => each.id === id)
  report.equal('and ready an epoch later', ready?.status, 'withdrawable')
  const paid = (await liquid.carryOut(await native.withdraw({ wallet_address: wallet.address, stake_account_address: id }), wallet)).at(-1)
  await liquid.exact(report, 'its withdrawal', paid, wallet)
  report.equal('which pays all that the position said', moved(paid, 'arrives', 'native'), ready?.amount?.units)
}

/** Waits for the next epoch where this one is about to end, and has the books made up. */
async function steady({ validator, pool }: Liquid): Promise<void> {
  if ((await validator.left()) < ROOM) await validator.epoch()
  const { epoch } = (await validator.rpc('getEpochInfo', [{ commitment: 'confirmed' }])) as { readonly epoch: number }
  if ((await pool.books()).updatedEpoch < BigInt(epoch)) await pool.update()
}

/** What the position says is what the wallet's tokens are worth by the pool's books. */
async function worth(liquid: Liquid, report: Report, wallet: SvmKey, when: string): Promise<void> {
  const { lamports, supply } = await liquid.pool.books()
  const { staked } = await liquid.liquid.balance(wallet.address)
  report.equal(`${when} the position is what the tokens are worth`, staked.units, ((await held(liquid, wallet)) * lamports) / supply)
}

function held({ pool }: Liquid, { address }: SvmKey): Promise<bigint> {
  return pool.tokens(address)
}

function moved(status: Moved | undefined, kind: string, asset: string): bigint {
  const moves = (status?.moves ?? []).filter((move) => move.kind === kind && move.asset === asset)
  return moves.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
}

interface Moved {
  readonly moves: readonly { readonly kind: string; readonly asset: string; readonly amount: bigint | null }[] | null
}

/** A fee as the program takes it: rounded up. */
function feeOn(amount: bigint, [numerator, denominator]: readonly [bigint, bigint]): bigint {
  return (amount * numerator + denominator - 1n) / denominator
}

async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'none',
    (error: { readonly code?: string; readonly message?: string }) => error.code ?? String(error.message),
  )
}

function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(9, '0'))
}

function textOf(units: bigint): string {
  const digits = String(units).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}
