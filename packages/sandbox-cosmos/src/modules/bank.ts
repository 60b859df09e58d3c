import { type Context, coinsText, coinText, emit } from '../context.ts'
import { ChainError, sdk } from '../errors.ts'
import type { State } from '../state.ts'
import { ensureAccount, type ModuleName, moduleAddress } from './auth.ts'
import { lockedCoins, trackDelegation, trackUndelegation } from './vesting.ts'

/** Returns the holdings of an address, spendable or not. */
export function balanceOf(state: State, address: string, denom: string): bigint {
  return state.balances.get(`${address}/${denom}`) ?? 0n
}

/** Returns the amount that an address may send, or pay a fee with. */
export function spendableOf(ctx: Context, address: string, denom: string = ctx.genesis.denom): bigint {
  const balance = balanceOf(ctx.state, address, denom)
  const vesting = denom === ctx.genesis.denom ? ctx.state.accounts.get(address)?.vesting : undefined
  if (vesting === undefined) return balance
  const free = balance - lockedCoins(vesting, seconds(ctx))
  return free > 0n ? free : 0n
}

/** Moves spendable coins; the receiving account is created if there is none. @throws ChainError insufficient funds */
export function send(ctx: Context, from: string, to: string, amount: bigint, denom: string = ctx.genesis.denom): void {
  const spendable = spendableOf(ctx, from, denom)
  if (spendable < amount) {
    const why = `spendable balance ${coinText(ctx, spendable, denom)} is smaller than ${coinText(ctx, amount, denom)}`
    throw new ChainError(sdk.insufficientFunds, why)
  }
  change(ctx.state, from, denom, -amount)
  change(ctx.state, to, denom, amount)
  ensureAccount(ctx.state, to)
  told(ctx, from, to, amount, denom)
  transferred(ctx, from, to, amount, denom)
}

/** Moves coins of several denominations, with one event for all. @throws RangeError where they are not there: modules alone pay so */
export function sendCoins(
  ctx: Context,
  from: string,
  to: string,
  coins: readonly { readonly denom: string; readonly amount: bigint }[],
): void {
  for (const { denom, amount } of coins) {
    change(ctx.state, from, denom, -amount)
    change(ctx.state, to, denom, amount)
  }
  ensureAccount(ctx.state, to)
  const amount = coinsText(coins)
  emit(ctx, 'coin_spent', { spender: from, amount })
  emit(ctx, 'coin_received', { receiver: to, amount })
  emit(ctx, 'transfer', { recipient: to, sender: from, amount })
  emit(ctx, 'message', { sender: from })
}

/** Emits the events of a transfer without coins, as the chain does for a fee of zero. */
export function sendNothing(ctx: Context, from: string, to: string): void {
  emit(ctx, 'coin_spent', { spender: from, amount: '' })
  emit(ctx, 'coin_received', { receiver: to, amount: '' })
  emit(ctx, 'transfer', { recipient: to, sender: from, amount: '' })
  emit(ctx, 'message', { sender: from })
}

/** Moves coins into a pool of staked coins, including coins that are still vesting. @throws ChainError insufficient funds */
export function delegateCoins(ctx: Context, from: string, pool: ModuleName, amount: bigint): void {
  const { denom } = ctx.genesis
  const balance = balanceOf(ctx.state, from, denom)
  if (balance < amount) {
    throw new ChainError(sdk.insufficientFunds, `failed to delegate; ${coinText(ctx, balance)} is smaller than ${coinText(ctx, amount)}`)
  }
  const account = ensureAccount(ctx.state, from)
  if (account.vesting !== undefined) {
    ctx.state.accounts.set(from, { ...account, vesting: trackDelegation(account.vesting, amount, seconds(ctx)) })
  }
  moveCoins(ctx, from, moduleAddress(ctx.genesis, pool), amount)
}

/** Moves coins out of a pool of staked coins. */
export function undelegateCoins(ctx: Context, pool: ModuleName, to: string, amount: bigint): void {
  const account = ensureAccount(ctx.state, to)
  if (account.vesting !== undefined) {
    ctx.state.accounts.set(to, { ...account, vesting: trackUndelegation(account.vesting, amount) })
  }
  moveCoins(ctx, moduleAddress(ctx.genesis, pool), to, amount)
}

/** Moves coins between modules. */
export function moveBetween(ctx: Context, from: ModuleName, to: ModuleName, amount: bigint): void {
  const [giver, taker] = [moduleAddress(ctx.genesis, from), moduleAddress(ctx.genesis, to)]
  moveCoins(ctx, giver, taker, amount)
  transferred(ctx, giver, taker, amount)
}

/** Mints coins to an account, in base units, and adds them to the supply. */
export function mintCoins(ctx: Context, to: string, amount: bigint, denom: string = ctx.genesis.denom): void {
  ensureAccount(ctx.state, to)
  change(ctx.state, to, denom, amount)
  ctx.state.supply.set(denom, (ctx.state.supply.get(denom) ?? 0n) + amount)
}

/** Burns coins of a module. */
export function burnCoins(ctx: Context, from: ModuleName, amount: bigint): void {
  change(ctx.state, moduleAddress(ctx.genesis, from), ctx.genesis.denom, -amount)
  ctx.state.supply.set(ctx.genesis.denom, (ctx.state.supply.get(ctx.genesis.denom) ?? 0n) - amount)
}

function moveCoins(ctx: Context, from: string, to: string, amount: bigint): void {
  change(ctx.state, from, ctx.genesis.denom, -amount)
  change(ctx.state, to, ctx.genesis.denom, amount)
  told(ctx, from, to, amount)
}

function transferred(ctx: Context, from: string, to: string, amount: bigint, denom?: string): void {
  emit(ctx, 'transfer', { recipient: to, sender: from, amount: coinText(ctx, amount, denom) })
  emit(ctx, 'message', { sender: from })
}

function told(ctx: Context, from: string, to: string, amount: bigint, denom?: string): void {
  emit(ctx, 'coin_spent', { spender: from, amount: coinText(ctx, amount, denom) })
  emit(ctx, 'coin_received', { receiver: to, amount: coinText(ctx, amount, denom) })
}

/** A balance below zero would be a fault of this chain, and no refusal. */
function change(state: State, address: string, denom: string, by: bigint): void {
  const after = balanceOf(state, address, denom) + by
  if (after < 0n) throw new RangeError(`the balance of ${address} would be ${after}${denom}: the chain lost count`)
  const key = `${address}/${denom}`
  if (after === 0n) state.balances.delete(key)
  else state.balances.set(key, after)
}

function seconds(ctx: Context): bigint {
  return BigInt(Math.floor(ctx.time / 1000))
}
