import { badRequest, formatAmount, ServiceError } from '@svc/contract'
import type { StakingContext } from './network.ts'
import { askCap, askMinimum } from './parameters.ts'
import { stakeIn, stakeQuestions } from './position.ts'
import { type Answer, answered, ask, askPaused, askPool, askValue, type Delegator, type Pool } from './staking.ts'

const NOBODY = '0x0000000000000000000000000000000000000000'

/** Wei that the pool still takes. */
export function roomOf(pool: Pool, cap: bigint): bigint {
  return cap > pool.totalStake ? cap - pool.totalStake : 0n
}

/**
 * Whether the chain would take a delegation, in the order in which the contract asks; one round trip.
 *
 * @throws 400 the refusal; 500 POOL_UNKNOWN when the operator's pool is not there; 502 STAKING_UNREADABLE
 */
export async function refuseDelegation(ctx: StakingContext, address: string, amount: bigint): Promise<void> {
  const id = ctx.network.pool_id
  const facts = await ask<Facts>(ctx, {
    ...stakeQuestions(id, address),
    pool: askPool(id),
    minimum: askMinimum,
    cap: askCap,
    enabled: askValue('delegationEnabledMapping', id),
    approver: askValue('getDelegationApprover', id),
    active: askValue('isValidatorActive', id),
    joining: askValue('isValidatorPendingAdd', id),
    leaving: askValue('isValidatorPendingExit', id),
    paused: askPaused,
  })
  const pool = answered(facts.pool)
  const room = roomOf(pool, answered(facts.cap))
  refuseSmall(amount, answered(facts.minimum), room)
  if (!pool.exists) throw unknownPool(id)
  if (pool.owner !== address) refuseClosed(facts)
  // Asked for a pool's state, a paused contract only says that it is paused, which is refused below.
  const paused = answered(facts.paused)
  if (!paused) refuseState(facts)
  refuseLarge(amount, room)
  refuseRecord(facts, address)
  if (paused) throw pausedStaking()
}

/** The contract is paused. */
export function pausedStaking(): ServiceError {
  return badRequest(
    'STAKING_PAUSED',
    "The chain's staking contract is paused: delegating and undelegating are stopped until it is resumed.",
  )
}

/** Stake that waits for its epoch stands in the way of most that can be done. @param what cannot be done, as `delegated` */
export function waitingStake(waiting: bigint, activation: bigint, epoch: bigint, what: string): ServiceError {
  return badRequest(
    'DELEGATION_PENDING',
    `${formatAmount(waiting, 18)} waits for epoch ${activation}, and nothing more can be ${what} before; it is epoch ${epoch}.`,
  )
}

/** An exit that was requested has to be withdrawn before anything is staked again. */
export function requestedExit(address: string): ServiceError {
  return badRequest('UNDELEGATION_PENDING', `${address} has undelegated; the exit must be withdrawn before anything else is staked.`)
}

interface Facts {
  readonly epoch: bigint
  readonly delegator: Delegator
  readonly activation: bigint
  readonly pool: Pool
  readonly minimum: bigint
  readonly cap: bigint
  readonly enabled: boolean
  readonly approver: string
  readonly active: boolean
  readonly joining: boolean
  readonly leaving: boolean
  readonly paused: boolean
}
type Answers = { readonly [K in keyof Facts]: Answer<Facts[K]> }

function refuseSmall(amount: bigint, minimum: bigint, room: bigint): void {
  // The last of a pool's room may be less than the minimum, and is taken whole.
  if (amount >= minimum || amount === room) return
  const rest = room > 0n && room < minimum ? `, or exactly ${formatAmount(room, 18)}, which is all that the pool still takes` : ''
  throw badRequest(
    'AMOUNT_TOO_SMALL',
    `amount ${formatAmount(amount, 18)} is below the chain's minimum of ${formatAmount(minimum, 18)}${rest}.`,
  )
}

function refuseClosed({ enabled, approver }: Answers): void {
  if (!answered(enabled)) throw badRequest('DELEGATION_DISABLED', "The operator's pool takes no delegations at present.")
  // A version of the contract without approvers knows no such call: then nobody has to approve.
  if (approver.ok && approver.value !== NOBODY)
    throw badRequest('APPROVAL_REQUIRED', `The operator's pool takes only delegations that ${approver.value} has approved.`)
}

function refuseState({ leaving, active, joining }: Answers): void {
  if (answered(leaving))
    throw badRequest('POOL_LEAVING', "The operator's validator is about to leave the network, so its pool takes no stake.")
  if (!answered(active) && !answered(joining))
    throw badRequest('POOL_INACTIVE', "The operator's validator is not active, so its pool takes no stake.")
}

function refuseLarge(amount: bigint, room: bigint): void {
  if (room === 0n) throw badRequest('POOL_FULL', "The operator's pool holds as much as the chain allows.")
  // The chain would take what fits and send the rest back, which is not what was asked for.
  if (amount > room)
    throw badRequest(
      'POOL_ROOM_EXCEEDED',
      `amount ${formatAmount(amount, 18)} is more than the ${formatAmount(room, 18)} that the pool still takes.`,
    )
}

function refuseRecord(facts: Answers, address: string): void {
  const delegator = answered(facts.delegator)
  const [epoch, activation] = [answered(facts.epoch), answered(facts.activation)]
  const { waiting } = stakeIn(epoch, delegator, activation)
  if (delegator.exiting) throw requestedExit(address)
  if (waiting > 0n) throw waitingStake(waiting, activation, epoch, 'delegated')
}

function unknownPool(id: string): ServiceError {
  return new ServiceError(500, 'POOL_UNKNOWN', `The operator's pool ${id} is not registered on this chain: the service is set up wrongly.`)
}
