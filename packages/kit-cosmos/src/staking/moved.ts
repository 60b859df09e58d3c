import { MOST_UNITS, type Moved, malformedAnswer } from '@svc/contract'
import { type CosmosEvent, type CosmosReceipt, coinsIn, isOfMessage, signerIn } from '../life/events.ts'

/** Moves that there are: the kind that sentences name, the event that tells it, and the attribute that must be the wallet's. */
const TOLD = [
  { kind: 'leaves', type: 'coin_spent', whose: 'spender' },
  { kind: 'staked', type: 'delegate', whose: 'delegator' },
  { kind: 'staked', type: 'cancel_unbonding_delegation', whose: 'delegator' },
  { kind: 'freed', type: 'unbond', whose: 'delegator' },
  { kind: 'arrives', type: 'coin_received', whose: 'receiver' },
] as const

/**
 * Kinds of moves that the arithmetic of shares cuts: an amount becomes shares, and these an amount again, both cut. Where a share is not worth a unit, as after a
 * slash, an exit frees a unit less in about half of all cases, and never a unit more.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/keeper/delegation.go (ValidateUnbondAmount, Unbond; read 2026-11-25)
 */
const CUTS = ['freed'] as const

/**
 * Lists the moves that a transaction made of a wallet's coins: spent and received by its messages, delegated, and begun to unbond. Rewards that are paid along with another
 * message arrive too. Where a claim paid to another address, nothing arrives, and that is told.
 *
 * @param denom what the chain's token is called in events
 * @param validators of whose exits the ids are told: the balance has no others
 * @throws EndpointError for an amount that there cannot be
 */
export function stakingMoved(
  denom: string,
  validators: readonly string[],
  { events, unbondings }: CosmosReceipt,
  wallet: string | null,
): Moved {
  // The events before the messages' own are about the fee.
  const own = events.filter(isOfMessage)
  const owner = wallet ?? signerIn(events)
  const moves = TOLD.flatMap(({ kind, type, whose }) => {
    const matches = own.filter((event) => event.type === type && event.attributes[whose] === owner)
    const amount = matches.reduce((sum, event) => sum + amountIn(event, denom), 0n)
    return amount > 0n || (kind === 'arrives' && onlyClaims(own, owner)) ? [{ kind, asset: 'native', amount }] : []
  })
  // An exit of one base unit may be cut to none: then there is no move, and the exit is there all the same.
  const unbonds = own.filter(({ type, attributes }) => type === 'unbond' && attributes.delegator === owner)
  const exits = new Set(unbonds.flatMap(({ attributes: { validator = '' } }) => (validators.includes(validator) ? [validator] : [])))
  return {
    moves,
    ...(unbonds.length > 0 ? { cuts: CUTS } : {}),
    objectIds: unbondings.filter(({ validator }) => exits.has(validator)).map(({ id }) => String(id)),
  }
}

function onlyClaims(events: readonly CosmosEvent[], owner: string | undefined): boolean {
  const moves = events.filter(({ type }) => type === 'delegate' || type === 'unbond' || type === 'cancel_unbonding_delegation')
  return moves.length === 0 && events.some(({ type, attributes }) => type === 'withdraw_rewards' && attributes.delegator === owner)
}

function amountIn({ attributes: { amount = '' } }: CosmosEvent, denom: string): bigint {
  const units = coinsIn(amount)[denom] ?? 0n
  if (units > MOST_UNITS) throw malformedAnswer(amount)
  return units
}
