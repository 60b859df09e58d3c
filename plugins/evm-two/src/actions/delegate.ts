import { Amount } from '@svc/contract'
import * as intent from '@svc/intent-evm-two'
import { EvmAddress } from '@svc/kit-evm'
import { askOpen } from '../chain/obstacle.ts'
import { askCap, askMinimum } from '../chain/parameters.ts'
import { askPool, askState, roomOf } from '../chain/pool.ts'
import { askStake, stakeIn } from '../chain/position.ts'
import { answered, ask, askPaused } from '../chain/staking.ts'
import { badRequest } from '../codes.ts'
import { defineAction, type StakingContext } from '../network.ts'
import { draft } from './draft.ts'
import { pausedStaking, pros, refuseClosed, refuseState, requestedExit, unknownPool, waitingStake } from './refusals.ts'

/** Delegates to the operator's pool; counts from the next epoch. */
export const delegate = defineAction({
  summary: "Delegate to the operator's pool",
  description:
    'The stake becomes active at the next epoch. A validator that is not active, or about to leave, takes none but its owner’s: it would earn nothing. The chain takes one delegation an epoch from an address, and none while an exit waits. ' +
    "The chain's minimum and what the pool still takes are `min_stake_amount` and `max_stake_amount` of staking-info.",
  body: { address: EvmAddress, amount: Amount() },
  obstacles: ['APPROVAL_REQUIRED', 'DELEGATION_DISABLED', 'POOL_INACTIVE', 'POOL_LEAVING', 'STAKING_PAUSED'],
  guard: (ctx, { address, amount }) => refuseDelegation(ctx, address, amount),
  craft: (network, { address, amount }) => draft(network, network.pool_id, address, 'delegate', amount),
  effects: (network, input) => intent.delegate.effects(network, input),
})

/**
 * Refuses a delegation that the chain would refuse, in the order in which the contract asks; one round trip.
 *
 * @throws 400 the refusal; 502 POOL_UNKNOWN when the operator's pool is not there, STAKING_UNREADABLE
 */
async function refuseDelegation(ctx: StakingContext, address: string, amount: bigint): Promise<void> {
  const { pool_id: id } = ctx.network
  const facts = await readFacts(ctx, address)
  const pool = answered(facts.pool)
  const room = roomOf(pool, answered(facts.cap))
  refuseSmall(amount, answered(facts.minimum), room)
  if (!pool.exists) throw unknownPool(id)
  // The owner's own stake is what brings a pool in, or back; the contract asks neither of him.
  const isOwner = pool.owner === address
  if (!isOwner) refuseClosed(facts)
  // Asked for a pool's state, a paused contract only says that it is paused, which is refused below.
  const paused = answered(facts.paused)
  if (!paused && !isOwner) refuseState(facts)
  refuseLarge(amount, room)
  refuseRecord(facts, address)
  if (paused) throw pausedStaking()
}

function readFacts(ctx: StakingContext, address: string) {
  const { network } = ctx
  return ask(ctx, {
    ...askStake(network, network.pool_id, address),
    pool: askPool(network, network.pool_id),
    minimum: askMinimum(network),
    cap: askCap(network),
    ...askOpen(network),
    ...askState(network),
    paused: askPaused(network),
  })
}

type Facts = Awaited<ReturnType<typeof readFacts>>

function refuseSmall(amount: bigint, minimum: bigint, room: bigint): void {
  // The last of a pool's room may be less than the minimum, and is taken whole.
  if (amount >= minimum || amount === room) return
  const rest = room > 0n && room < minimum ? `, or exactly ${pros(room)}, which is all that the pool still takes` : ''
  throw badRequest('AMOUNT_TOO_SMALL', `amount ${pros(amount)} is below the chain's minimum of ${pros(minimum)}${rest}.`)
}

function refuseLarge(amount: bigint, room: bigint): void {
  if (room === 0n) throw badRequest('POOL_FULL', "The operator's pool holds as much as the chain allows.")
  // The chain would take what fits and send the rest back, which is not what was asked for.
  if (amount > room)
    throw badRequest('POOL_ROOM_EXCEEDED', `amount ${pros(amount)} is more than the ${pros(room)} that the pool still takes.`)
}

function refuseRecord(facts: Facts, address: string): void {
  const delegator = answered(facts.delegator)
  const [epoch, activation] = [answered(facts.epoch), answered(facts.activation)]
  const { waiting } = stakeIn(epoch, delegator, activation)
  if (delegator.exiting) throw requestedExit(address)
  if (waiting > 0n) throw waitingStake(waiting, activation, epoch, 'delegated')
}
