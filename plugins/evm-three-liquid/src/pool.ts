import { atMost, badGateway, badRequest, formatAmount, parseAmount } from '@svc/contract'
import type { LiquidContext } from './network.ts'
import { type Answer, answered, ask, askAll, askVault, coreVault, type Question, question } from './vault.ts'

/** The pool's books. Both in wei; a share has 18 decimals too. */
export interface Pool {
  readonly shares: bigint
  readonly assets: bigint
}

/** What the vault behind the pool allows. */
export interface Limits {
  /** The vault or the one behind it. */
  readonly paused: boolean
  /** Least that a request for redemption must be worth, in wei. */
  readonly minimum: bigint
}

/** What a request for redemption follows from, all of one state of the chain. */
export interface Redemption {
  /** Whether the whole position leaves. */
  readonly all: boolean
  /** Shares of the position. */
  readonly position: bigint
  /** What the vault says the amount asked for is in shares. */
  readonly converted: bigint
  readonly pool: Pool
}

/** Wei that shares are worth, rounded down as the vault does; one is added on either side, so that an empty pool has a price. */
export function assetsOf(shares: bigint, pool: Pool): bigint {
  return (shares * (pool.assets + 1n)) / (pool.shares + 1n)
}

/** Shares that an amount in wei is worth, rounded down as the vault does. */
export function sharesOf(assets: bigint, pool: Pool): bigint {
  return (assets * (pool.shares + 1n)) / (pool.assets + 1n)
}

/**
 * Whether an amount means the whole position: it is all of it, exceeds it by less than the precision of a JSON number, or is what a language
 * whose numbers are doubles makes of it.
 */
export function meansAll(amount: bigint, worth: bigint): boolean {
  if (worth === 0n || amount === worth) return amount === worth
  return amount > worth ? atMost(amount, worth, 18) === worth : amount === asDouble(worth)
}

/** @throws 400 VAULT_PAUSED, AMOUNT_WORTHLESS */
export async function refuseDeposit(ctx: LiquidContext, amount: bigint): Promise<void> {
  const { limits, answers } = await askWithLimits<[bigint]>(ctx, [askVault(ctx, 'previewDeposit', amount)])
  if (limits.paused) throw paused('deposits')
  const [shares] = answers
  // An amount that the vault cannot calculate with is more than anybody holds, which the kit says better.
  if (shares.ok && shares.value === 0n) throw worthless(amount)
}

/**
 * @param amount wei asked for
 * @throws 400 VAULT_PAUSED, REQUEST_OPEN, INSUFFICIENT_STAKE, AMOUNT_WORTHLESS, BELOW_MINIMUM_WITHDRAWAL
 */
export async function readRedemption(ctx: LiquidContext, address: string, amount: bigint): Promise<Redemption> {
  const { limits, answers } = await askWithLimits<[bigint, bigint, bigint, bigint, bigint]>(ctx, [
    askVault(ctx, 'balanceOf', address),
    askVault(ctx, 'totalSupply'),
    askVault(ctx, 'totalAssets'),
    askVault(ctx, 'ownerRequestId', address),
    askVault(ctx, 'convertToShares', amount),
  ])
  const [position, shares, assets, open] = [answered(answers[0]), answered(answers[1]), answered(answers[2]), answered(answers[3])]
  if (limits.paused) throw paused('redemptions')
  if (open !== 0n)
    throw badRequest('REQUEST_OPEN', `${address} has an open redeem request, ${open}, and may have one at a time; withdraw it first.`)

  const pool = { shares, assets }
  const worth = assetsOf(position, pool)
  const all = meansAll(amount, worth)
  if (amount > worth && !all)
    throw badRequest('INSUFFICIENT_STAKE', `${formatAmount(amount, 18)} is more than the position, which is ${formatAmount(worth, 18)}.`)
  const converted = all ? position : answered(answers[4])
  if (converted === 0n) throw worthless(amount)
  const leaving = assetsOf(converted, pool)
  if (leaving < limits.minimum)
    throw badRequest(
      'BELOW_MINIMUM_WITHDRAWAL',
      `${formatAmount(amount, 18)} is ${formatAmount(leaving, 18)} in whole shares, and a redemption must be at least ${formatAmount(limits.minimum, 18)} now.`,
    )
  // Read call by call, as where a chain has no multicall contract, the answers may be of two states.
  if (!all && converted !== sharesOf(amount, pool))
    throw badGateway('VAULT_UNREADABLE', "The vault's price changed while it was read; try again.")
  return { all, position, converted, pool }
}

/**
 * Questions to the vault, and in the same round trip what the vault behind it allows. Where that one is does not change from day to day, so
 * it is asked where it was last, and the vault says in the same answer whether it still is.
 *
 * @throws 502 VAULT_UNREADABLE when the limits cannot be read
 */
async function askWithLimits<T extends readonly unknown[]>(
  ctx: LiquidContext,
  questions: { readonly [K in keyof T]: Question<T[K]> },
): Promise<{ limits: Limits; answers: { readonly [K in keyof T]: Answer<T[K]> } }> {
  const own = [askVault<boolean>(ctx, 'paused'), askVault<string>(ctx, 'coreVault')]
  const last = coreVaultOf(ctx)
  const behind = last === undefined ? [] : askLimits(last)
  const all = await ask<readonly unknown[]>(ctx, [...own, ...behind, ...(questions as readonly Question<unknown>[])])
  const answers = all.slice(own.length + behind.length) as unknown as { readonly [K in keyof T]: Answer<T[K]> }
  const vaultPaused = answered(all[0]!) as boolean
  const where = answered(all[1]!) as string
  // The vault of single validators has limits of its own, which the simulation finds.
  if (ctx.network.validator_id !== undefined) return { limits: { paused: vaultPaused, minimum: 0n }, answers }
  const found = where === last ? [answered(all[2]!), answered(all[3]!)] : await askAll<readonly unknown[]>(ctx, askLimits(where))
  rememberCoreVault(ctx, where)
  return { limits: { paused: vaultPaused || (found[0] as boolean), minimum: found[1] as bigint }, answers }
}

function askLimits(where: string): Question<unknown>[] {
  return [
    question(where, coreVault, 'paused', [], ([value]) => value),
    question(where, coreVault, 'minUserWithdrawAmount', [], ([value]) => value),
  ]
}

function coreVaultOf({ memo, network }: LiquidContext): string | undefined {
  return network.validator_id === undefined ? (memo.get('core vault') as string | undefined) : undefined
}

/** Where the vault behind the pool is, for the reads to come. */
export function rememberCoreVault({ memo }: LiquidContext, where: string): void {
  memo.set('core vault', where)
}

/** The shortest decimal that a double makes of an amount: what a JSON number becomes when it is read and written again. */
function asDouble(worth: bigint): bigint {
  return parseAmount(String(Number(formatAmount(worth, 18))), 18)
}

function paused(what: string) {
  return badRequest('VAULT_PAUSED', `The pool is paused and takes no ${what} at present; nothing is lost, try again later.`)
}

function worthless(amount: bigint) {
  return badRequest('AMOUNT_WORTHLESS', `${formatAmount(amount, 18)} is less than the smallest part of a share is worth.`)
}
