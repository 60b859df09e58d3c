import type { BookReading } from '@svc/contract/book'
import { finalMark, type Question } from '@svc/kit-evm'
import { askAccumulator } from '@svc/kit-evm/monad'
import { askSlot, SLOTS } from '../chain/slots.ts'
import { askAll, askEpoch, staking } from '../chain/staking.ts'
import { type StakingContext, type StakingNetwork, validatorsOf } from '../network.ts'
import { type Delta, factsOf, type Request } from './facts.ts'

/** Slots read in one call: as in a balance, see `chain/slots.ts`. */
const PER_CALL = 128

/** A delegator's record with one validator at one height. */
interface Record {
  readonly stake: bigint
  readonly rewards: bigint
  readonly deltas: readonly Delta[]
}

/**
 * Reads delegations with the operator's validator and the former ones, their withdrawal slots, and the facts from which their rewards follow, all at the last final block.
 * It takes two round trips, of which the second names the block by its hash. Amounts are sums: slots of the same number with two validators are one bucket.
 *
 * @throws 502 STAKING_UNREADABLE, 502, 503, 504
 */
export async function reading(ctx: StakingContext, address: string): Promise<BookReading> {
  const mark = await finalMark(ctx)
  const [epochs, ...reads] = await Promise.all([
    askAll(ctx, { epoch: askEpoch(ctx.network) }, { at: mark.hash }),
    ...validatorsOf(ctx.network).map((validator) => readWith(ctx, validator, address, mark.hash)),
  ])
  const { epoch } = epochs
  const amounts = new Map<string, bigint>()
  const add = (key: string, amount: bigint) => amounts.set(key, (amounts.get(key) ?? 0n) + amount)
  for (const { stake, rewards, deltas, requests } of reads) {
    add('stake', stake)
    for (const { amount } of deltas) add('pending', amount)
    add('rewards', rewards)
    for (const [id, { amount }] of requests) add(`exit:${id}`, amount)
  }
  return {
    mark: { ...mark, epoch: Number(epoch) },
    amounts: Object.fromEntries([...amounts].filter(([, amount]) => amount > 0n)),
    keep: Object.assign({ epoch: `${epoch}` }, ...reads.map((read) => factsOf(read.validator, read))),
  }
}

/** Reads what an address has with one validator in a block. */
async function readWith(ctx: StakingContext, validator: number, address: string, hash: string) {
  const { network } = ctx
  const at = { at: hash }
  const slots = Array.from({ length: SLOTS }, (_, id) => askSlot(network, validator, address, id))
  const [{ accumulator, record }, ...parts] = await Promise.all([
    askAll(ctx, { accumulator: askAccumulator(network, validator), record: askRecord(network, validator, address) }, at),
    ...[0, PER_CALL].map((first) => askAll(ctx, slots.slice(first, first + PER_CALL), at)),
  ])
  const requests = new Map<number, Request>(
    parts
      .flat()
      .flatMap(({ amount, accumulator: from, epoch: until }, id) =>
        amount === 0n ? [] : [[id, { amount, accumulator: from, epoch: until }] as const],
      ),
  )
  return { validator, accumulator, ...record, requests }
}

/** Reads a validator's rewards per staked token at blocks, by their hashes; null for a block whose state no endpoint keeps any more. */
export async function accumulators(
  ctx: StakingContext,
  validator: number,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, bigint | null>> {
  const answers = await Promise.all(
    hashes.map((hash) =>
      askAll(ctx, [askAccumulator(ctx.network, validator)], { at: hash }).then(
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

function askRecord({ staking: to }: StakingNetwork, validator: number, address: string): Question<Record> {
  return staking.question(to, 'getDelegator', [validator, address], (it) => ({
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
