import { type Context, coinText, emit } from '../context.ts'
import { type Dec, formatDec, smaller } from '../dec.ts'
import { ChainError, grpcNotFound, sdk, staking } from '../errors.ts'
import { status, type UnbondingEntry } from '../state.ts'
import { eventTime } from '../wire.ts'
import { delegateCoins, moveBetween, undelegateCoins } from './bank.ts'
import { incrementPeriod, initializeDelegation, settle } from './distribution.ts'
import { addTokens, hasNoRate, removeShares, sharesFromTokens, sharesFromTokensTruncated } from './shares.ts'
import { validatorOf } from './validators.ts'

/** Delegates, and returns the new shares. @throws ChainError */
export function delegate(ctx: Context, delegator: string, operator: string, amount: bigint): Dec {
  const issued = addDelegation(ctx, delegator, operator, amount, 'account')
  emit(ctx, 'delegate', { validator: operator, delegator, amount: coinText(ctx, amount), new_shares: formatDec(issued) })
  return issued
}

/**
 * Begins the exit of stake from a validator.
 *
 * @returns what will be paid, in base units, and when, in milliseconds since 1970
 * @throws ChainError
 */
export function undelegate(ctx: Context, delegator: string, operator: string, amount: bigint): { completionTime: number; amount: bigint } {
  const { state, genesis } = ctx
  const key = `${operator}/${delegator}`
  const shares = sharesToUnbond(ctx, key, operator, amount)
  const entries = state.unbondings.get(key) ?? []
  if (entries.length >= genesis.staking.maxEntries) throw new ChainError(staking.maxEntries)
  const returned = unbond(ctx, delegator, operator, shares)
  if (validatorOf(state, operator).status === status.bonded) moveBetween(ctx, 'bonded_tokens_pool', 'not_bonded_tokens_pool', returned)
  const completionTime = ctx.time + genesis.staking.unbondingSeconds * 1000
  state.unbondings.set(key, withEntry(ctx, entries, completionTime, returned))
  const completion = eventTime(completionTime)
  emit(ctx, 'unbond', { validator: operator, delegator, amount: coinText(ctx, returned), completion_time: completion })
  return { completionTime, amount: returned }
}

/**
 * Moves stake from one validator to another, where it counts at once. The number of moves within the unbonding time is not limited here.
 *
 * @returns until when the stake answers for the first validator, in milliseconds since 1970
 * @throws ChainError
 */
export function redelegate(ctx: Context, delegator: string, from: string, to: string, amount: bigint): number {
  const { state, genesis } = ctx
  if (from === to) throw new ChainError(staking.selfRedelegation)
  const returned = unbond(ctx, delegator, from, sharesToUnbond(ctx, `${from}/${delegator}`, from, amount))
  if (returned === 0n) throw new ChainError(staking.tinyRedelegation)
  const source = validatorOf(state, from).status
  const shares = addDelegation(ctx, delegator, to, returned, source === status.bonded ? 'bonded' : 'unbonding')
  const completionTime = ctx.time + genesis.staking.unbondingSeconds * 1000
  // What leaves a validator that has nothing at stake any more answers for nothing.
  if (source !== status.unbonded) {
    const key = `${delegator}/${from}/${to}`
    const entry = { id: nextId(ctx), creationHeight: ctx.height, completionTime, initialBalance: returned, shares }
    state.redelegations.set(key, [...(state.redelegations.get(key) ?? []), entry])
  }
  emit(ctx, 'redelegate', {
    source_validator: from,
    destination_validator: to,
    amount: coinText(ctx, returned),
    completion_time: eventTime(completionTime),
  })
  return completionTime
}

/** Delegates coins of an exit again. @throws ChainError */
export function cancelUnbonding(ctx: Context, delegator: string, operator: string, amount: bigint, creationHeight: bigint): void {
  const { state } = ctx
  const validator = validatorOf(state, operator)
  if (hasNoRate(validator)) throw new ChainError(staking.invalidRate)
  if (validator.jailed) throw new ChainError(staking.validatorJailed)
  const key = `${operator}/${delegator}`
  const entries = state.unbondings.get(key)
  if (entries === undefined) {
    throw new ChainError(grpcNotFound(`unbonding delegation with delegator ${delegator} not found for validator ${operator}`))
  }
  const entry = entries.find((candidate) => candidate.creationHeight === creationHeight)
  if (entry === undefined) {
    throw new ChainError(grpcNotFound(`unbonding delegation entry is not found at block height ${creationHeight}`))
  }
  if (entry.balance < amount) throw new ChainError(sdk.invalidRequest, 'amount is greater than the unbonding delegation entry balance')
  if (entry.completionTime < ctx.time) throw new ChainError(sdk.invalidRequest, 'unbonding delegation is already processed')
  addDelegation(ctx, delegator, operator, amount, 'unbonding')
  const left = { ...entry, balance: entry.balance - amount, initialBalance: entry.initialBalance - amount }
  setEntries(
    ctx,
    key,
    left.balance === 0n ? entries.filter((other) => other !== entry) : entries.map((other) => (other === entry ? left : other)),
  )
  const attributes = { amount: coinText(ctx, amount), validator: operator, delegator, creation_height: String(creationHeight) }
  emit(ctx, 'cancel_unbonding_delegation', attributes)
}

/** Pays the exits that have ended, at the end of a block. */
export function completeUnbondings(ctx: Context): void {
  for (const [key, entries] of ctx.state.unbondings.entries()) {
    const due = entries.filter(({ completionTime }) => completionTime <= ctx.time)
    if (due.length === 0) continue
    const [operator = '', delegator = ''] = key.split('/')
    const amount = due.reduce((sum, { balance }) => sum + balance, 0n)
    if (amount > 0n) undelegateCoins(ctx, 'not_bonded_tokens_pool', delegator, amount)
    setEntries(
      ctx,
      key,
      entries.filter((entry) => !due.includes(entry)),
    )
    emit(ctx, 'complete_unbonding', { amount: coinText(ctx, amount), validator: operator, delegator })
  }
  completeRedelegations(ctx)
}

/** Forgets redelegations that answer for nothing any more. */
function completeRedelegations(ctx: Context): void {
  for (const [key, entries] of ctx.state.redelegations.entries()) {
    const rest = entries.filter(({ completionTime }) => completionTime > ctx.time)
    if (rest.length === entries.length) continue
    if (rest.length === 0) ctx.state.redelegations.delete(key)
    else ctx.state.redelegations.set(key, rest)
    const [delegator = '', from = '', to = ''] = key.split('/')
    emit(ctx, 'complete_redelegation', { source_validator: from, destination_validator: to, delegator })
  }
}

function addDelegation(ctx: Context, delegator: string, operator: string, amount: bigint, from: 'account' | 'unbonding' | 'bonded'): Dec {
  const { state } = ctx
  const validator = validatorOf(state, operator)
  if (hasNoRate(validator)) throw new ChainError(staking.invalidRate)
  const key = `${operator}/${delegator}`
  const before = state.delegations.get(key)
  if (before === undefined) incrementPeriod(state, validator)
  else settle(ctx, validator, delegator, false)
  const bonded = validator.status === status.bonded
  if (from === 'account') delegateCoins(ctx, delegator, bonded ? 'bonded_tokens_pool' : 'not_bonded_tokens_pool', amount)
  else if (bonded && from === 'unbonding') moveBetween(ctx, 'not_bonded_tokens_pool', 'bonded_tokens_pool', amount)
  else if (!bonded && from === 'bonded') moveBetween(ctx, 'bonded_tokens_pool', 'not_bonded_tokens_pool', amount)
  const { pool, issued } = addTokens(validator, amount)
  state.validators.set(operator, pool)
  state.delegations.set(key, (before ?? 0n) + issued)
  initializeDelegation(ctx, operator, delegator)
  return issued
}

/** Shares for an amount: where rounding asks for a little more than there are, all of them. */
function sharesToUnbond(ctx: Context, key: string, operator: string, amount: bigint): Dec {
  const validator = validatorOf(ctx.state, operator)
  const delegation = ctx.state.delegations.get(key)
  if (delegation === undefined) throw new ChainError(staking.noDelegation)
  const shares = sharesFromTokens(validator, amount)
  if (sharesFromTokensTruncated(validator, amount) > delegation) throw new ChainError(sdk.invalidRequest, 'invalid shares amount')
  return smaller(shares, delegation)
}

function unbond(ctx: Context, delegator: string, operator: string, shares: Dec): bigint {
  const { state } = ctx
  const key = `${operator}/${delegator}`
  settle(ctx, validatorOf(state, operator), delegator, false)
  const left = state.delegations.existing(key) - shares
  if (left < 0n) throw new ChainError(staking.notEnoughShares)
  if (left === 0n) {
    state.delegations.delete(key)
  } else {
    state.delegations.set(key, left)
    initializeDelegation(ctx, operator, delegator)
  }
  const { pool, returned } = removeShares(validatorOf(state, operator), shares)
  state.validators.set(operator, pool)
  return returned
}

/** Undelegations of one block are one entry. The id counts on all the same. */
function withEntry(ctx: Context, entries: readonly UnbondingEntry[], completionTime: number, amount: bigint): readonly UnbondingEntry[] {
  const id = nextId(ctx)
  const same = entries.find((entry) => entry.creationHeight === ctx.height && entry.completionTime === completionTime)
  if (same === undefined) {
    return [...entries, { id, creationHeight: ctx.height, completionTime, initialBalance: amount, balance: amount }]
  }
  const merged = { ...same, initialBalance: same.initialBalance + amount, balance: same.balance + amount }
  return entries.map((entry) => (entry === same ? merged : entry))
}

/** Numbers what waits, exits and redelegations alike. */
function nextId({ state }: Context): bigint {
  const id = (state.numbers.get('unbondingId') ?? 0n) + 1n
  state.numbers.set('unbondingId', id)
  return id
}

function setEntries(ctx: Context, key: string, entries: readonly UnbondingEntry[]): void {
  if (entries.length === 0) ctx.state.unbondings.delete(key)
  else ctx.state.unbondings.set(key, entries)
}
