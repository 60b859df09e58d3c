import type { Amounts, Flow } from '@svc/contract/book'
import { type CosmosEvent, coinsIn, isOfMessage } from '../life/events.ts'
import type { DelegatorState, Exit, Share } from './facts.ts'
import { foreignKey } from './foreign.ts'
import type { OwnTransaction } from './transactions.ts'

/** Delegations whose flows are read. */
interface Party {
  readonly wallet: string
  /** The operator's, present and former. */
  readonly validators: readonly string[]
  readonly denom: string
  /** Other denominations that the book keeps. */
  readonly denoms: readonly string[]
}

/** A movement without its place in the chain. */
type Move = Pick<Flow, 'kind' | 'amount' | 'from' | 'to'>

/** An interval by its two ends. */
export interface Ends {
  readonly before: DelegatorState
  readonly after: DelegatorState
  readonly opening: Amounts
  readonly closing: Amounts
  /** Time of the block that it ends with. */
  readonly until: Date
}

/** Lists the flows of an interval's transactions, in their order. @throws EndpointError for an amount that there cannot be */
export function flowsOfTransactions(transactions: readonly OwnTransaction[], party: Party, { before, after }: Ends): readonly Flow[] {
  // Where a share is a unit at both ends nothing is cut in between.
  const isWhole = [before, after].every(({ delegations }) => delegations.every(isUncut))
  return transactions.flatMap(({ hash, height, time, events }) =>
    events
      .filter(isOfMessage)
      .flatMap((event) => movesOf(event, party, height))
      .map((move) => ({ ...move, height, time, tx: hash, index: null, ...(isWhole ? { exact: true as const } : {}) })),
  )
}

/** Lists the denominations in which rewards were claimed. */
export function claimedDenoms(transactions: readonly OwnTransaction[], party: Omit<Party, 'denoms'>): readonly string[] {
  const claims = transactions.flatMap(({ events }) =>
    events.filter((event) => isOfMessage(event) && isOf(event, 'withdraw_rewards', party)),
  )
  const coins = claims.flatMap(({ attributes }) => Object.entries(coinsIn(attributes.amount ?? '')))
  return coins.flatMap(([denom, amount]) => (denom === party.denom || amount === 0n ? [] : [denom]))
}

/** Lists the exits that have ended by themselves: the chain pays them at the end of a block, without a transaction. */
export function completions(
  transactions: readonly OwnTransaction[],
  party: Party,
  { before, after, until }: Ends,
  flows: readonly Flow[],
): readonly Flow[] {
  const begun = transactions.flatMap(({ height, events }) =>
    events.flatMap((event) => {
      const ends = isOf(event, 'unbond', party) ? new Date(event.attributes.completion_time ?? '') : null
      return ends === null || Number.isNaN(ends.getTime()) ? [] : [{ height, balance: 0n, completesAt: ends }]
    }),
  )
  const known = new Map<bigint, Exit>([...begun, ...before.exits].map((exit) => [exit.height, exit]))
  const open = new Set(after.exits.map(({ height }) => height))
  return [...known.values()].flatMap(({ height, balance, completesAt }) => {
    const key = `exit:${height}`
    const left = flows.reduce((sum, { from, to, amount }) => sum + (to === key ? amount : 0n) - (from === key ? amount : 0n), balance)
    if (open.has(height) || completesAt > until || left <= 0n) return []
    return [
      { kind: 'withdrawal', amount: left, from: key, to: 'wallet', height: null, time: completesAt, tx: null, index: null, exact: true },
    ]
  })
}

/**
 * Computes the loss of a delegation by a slash: the amount by which its shares are worth less. It is reported only where nothing else has moved the delegation, and its
 * shares are the same. No record of the chain tells how much each exit has lost.
 */
export function losses({ before, after, opening, closing }: Ends, flows: readonly Flow[]): readonly Flow[] {
  const isAlone =
    pairsOf(before, after).every(([one, other]) => one.shares === other.shares) &&
    flows.every(({ from, to }) => from !== 'delegated' && to !== 'delegated')
  const loss = (opening.delegated ?? 0n) - (closing.delegated ?? 0n)
  if (!isAlone || loss <= 0n) return []
  return [{ kind: 'slash', amount: loss, from: 'delegated', to: 'chain', height: null, time: null, tx: null, index: null, exact: true }]
}

/** Lists the validators whose share was worth less at the end. */
export function lostWith({ before, after }: Ends): readonly string[] {
  return pairsOf(before, after).flatMap(([{ validator, pool: one }, { pool: other }]) =>
    one !== null && other !== null && other.tokens * one.shares < one.tokens * other.shares ? [validator] : [],
  )
}

/** Tells whether no slash has touched a delegation: a share is a unit, or nothing is delegated. */
function isUncut({ shares, pool }: Share): boolean {
  return pool === null ? shares === 0n : pool.shares === pool.tokens * 10n ** 18n
}

/** Pairs the delegations of two states by validator: one that a state does not have is of nothing. */
function pairsOf(before: DelegatorState, after: DelegatorState): readonly (readonly [Share, Share])[] {
  const names = new Set([...before.delegations, ...after.delegations].map(({ validator }) => validator))
  const of = ({ delegations }: DelegatorState, name: string): Share =>
    delegations.find(({ validator }) => validator === name) ?? { validator: name, shares: 0n, pool: null }
  return [...names].map((name) => [of(before, name), of(after, name)])
}

/** Lists the moves that an event tells: one, or of a claim one for each of its coins that the book keeps. */
function movesOf(event: CosmosEvent, party: Party, height: bigint): readonly Move[] {
  const move = moveOf(event, party, height)
  if (move !== null) return [move]
  if (!isOf(event, 'withdraw_rewards', party)) return []
  const coins = coinsIn(event.attributes.amount ?? '')
  return [party.denom, ...party.denoms].flatMap((denom): readonly Move[] => {
    const amount = coins[denom] ?? 0n
    return amount === 0n ? [] : [{ kind: 'claim', amount, from: denom === party.denom ? 'rewards' : foreignKey(denom), to: 'wallet' }]
  })
}

function moveOf(event: CosmosEvent, party: Party, height: bigint): Move | null {
  const { attributes } = event
  const amount = coinsIn(attributes.amount ?? '')[party.denom] ?? 0n
  if (amount === 0n) return null
  if (isOf(event, 'delegate', party)) return { kind: 'deposit', amount, from: 'wallet', to: 'delegated' }
  if (isOf(event, 'unbond', party)) return { kind: 'exit_requested', amount, from: 'delegated', to: `exit:${height}` }
  if (isOf(event, 'cancel_unbonding_delegation', party))
    return { kind: 'exit_cancelled', amount, from: `exit:${attributes.creation_height}`, to: 'delegated' }
  if (event.type !== 'redelegate') return null
  const [leaves, comes] = [attributes.source_validator, attributes.destination_validator].map((each) =>
    party.validators.includes(each ?? ''),
  )
  // Between two of the operator's the delegated amount is the same.
  if (leaves === comes) return null
  return { kind: 'redelegation', amount, ...(leaves ? { from: 'delegated', to: 'others' } : { from: 'others', to: 'delegated' }) }
}

function isOf({ type, attributes }: CosmosEvent, name: string, { wallet, validators }: Pick<Party, 'wallet' | 'validators'>): boolean {
  return type === name && attributes.delegator === wallet && validators.includes(attributes.validator ?? '')
}
