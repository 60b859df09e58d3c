import type { BookReading } from '@svc/contract'
import { finalMark, type Question } from '@svc/kit-evm'
import { askAccumulator } from '@svc/kit-evm/monad'
import { askSlot, SLOTS } from '../chain/slots.ts'
import { askAll, askEpoch, staking } from '../chain/staking.ts'
import type { StakingContext, StakingNetwork } from '../network.ts'
import { type Delta, factsOf, type Request } from './facts.ts'

/** Slots read in one call: as in a balance, see `chain/slots.ts`. */
const PER_CALL = 128

/** A delegator's record at one height. */
interface Record {
  readonly stake: bigint
  readonly rewards: bigint
  readonly deltas: readonly Delta[]
}

/**
 * A delegation with the operator's validator, its withdrawal slots, and what its rewards follow from, all of the last final block: two round trips, the second of
 * which names the block by its hash.
 *
 * @throws 502 STAKING_UNREADABLE, 502, 503, 504
 */
export async function reading(ctx: StakingContext, address: string): Promise<BookReading> {
  const mark = await finalMark(ctx)
  const { network } = ctx
  const slots = Array.from({ length: SLOTS }, (_, id) => askSlot(network, network.validator_id, address, id))
  const at = { at: mark.hash }
  const [{ epoch, accumulator, record }, ...parts] = await Promise.all([
    askAll(
      ctx,
      { epoch: askEpoch(network), accumulator: askAccumulator(network, network.validator_id), record: askRecord(network, address) },
      at,
    ),
    ...[0, PER_CALL].map((first) => askAll(ctx, slots.slice(first, first + PER_CALL), at)),
  ])
  const requests = new Map<number, Request>(
    parts
      .flat()
      .flatMap(({ amount, accumulator: from, epoch: until }, id) =>
        amount === 0n ? [] : [[id, { amount, accumulator: from, epoch: until }] as const],
      ),
  )
  const { stake, rewards, deltas } = record
  const pending = deltas.reduce((sum, { amount }) => sum + amount, 0n)
  const exits = [...requests].map(([id, { amount }]) => [`exit:${id}`, amount] as const)
  return {
    mark: { ...mark, epoch: Number(epoch) },
    amounts: Object.fromEntries(
      [['stake', stake] as const, ['pending', pending] as const, ['rewards', rewards] as const, ...exits].filter(
        ([, amount]) => amount > 0n,
      ),
    ),
    keep: factsOf({ epoch, accumulator, deltas, requests }),
  }
}

/** Rewards per staked token of the operator's validator at blocks, by their hashes. null for one whose state no endpoint keeps any more. */
export async function accumulators(ctx: StakingContext, hashes: readonly string[]): Promise<ReadonlyMap<string, bigint | null>> {
  const answers = await Promise.all(
    hashes.map((hash) =>
      askAll(ctx, [askAccumulator(ctx.network, ctx.network.validator_id)], { at: hash }).then(
        ([accumulator]) => accumulator,
        (error: unknown) => {
          ctx.log.info({ err: error, network: ctx.network.chainId, block: hash }, 'the state of an earlier block could not be read')
          return null
        },
      ),
    ),
  )
  return new Map(hashes.map((hash, index) => [hash, answers[index] ?? null]))
}

function askRecord({ staking: to, validator_id }: StakingNetwork, address: string): Question<Record> {
  return staking.question(to, 'getDelegator', [validator_id, address], (it) => ({
    stake: it.stake,
    rewards: it.unclaimedRewards,
    deltas: [
      { amount: it.deltaStake, epoch: it.deltaEpoch },
      { amount: it.nextDeltaStake, epoch: it.nextDeltaEpoch },
    ]
      .filter(({ amount }) => amount > 0n)
      .toSorted((one, other) => (one.epoch < other.epoch ? -1 : 1)),
  }))
}
