import type { Book, BookReading, Flows, Mark } from '@svc/contract'
import { areConfirmed, type FinalMark, holdsBlock, readTimes } from '@svc/kit-evm'
import type { StakingContext } from '../network.ts'
import { epochsIn, eventOf, isOf, stakingLogs } from './events.ts'
import { stateOf } from './facts.ts'
import { accumulators, reading } from './reading.ts'
import { type Step, type Walk, walk } from './walk.ts'

/**
 * The book of a delegation with the operator's validator. Its flows are the contract's events, each seen in its transaction's receipt besides; its rewards follow from
 * the validator's accumulator by the contract's own arithmetic, which is compared with what the chain shows.
 */
export const book: Book<StakingContext> = {
  buckets: [
    { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['activation', 'exit_requested'] },
    { name: 'pending', asset: 'native', kind: 'principal', movedBy: ['deposit', 'compound', 'activation'] },
    { name: 'exit', asset: 'native', kind: 'principal', movedBy: ['exit_requested', 'withdrawal'] },
    { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: ['claim', 'compound'] },
  ],
  reading,
  holds: holdsBlock,
  flows,
  // Worked out with the flows, from which it follows.
  async earned(_ctx, _wallet, _from, _to, { trail }) {
    const { earning, keep } = trail as Walk
    return { earnings: { rewards: earning }, keep }
  },
}

/** @throws 502, 503, 504 */
async function flows(ctx: StakingContext, address: string, from: BookReading, to: BookReading): Promise<Flows> {
  const [before, after] = [stateOf(from.keep, from.amounts), stateOf(to.keep, to.amounts)]
  const end = finalOf(to.mark)
  const logs = await stakingLogs(ctx, finalOf(from.mark).height, end)
  if (logs === null)
    return { flows: [], missing: 'flow_missing', trail: { ...walk(before, after, []), earning: { unknown: 'claims_not_known' } } }
  const isOwn = isOf(address, ctx.network)
  const own = logs.filter(isOwn)
  const epochs = epochsIn(logs)
  const events = own.map((log) => ({ log, event: eventOf(log) }))
  // An epoch matters in which something begins or ceases to count.
  const waited = [...before.deltas, ...before.requests.values()].map(({ epoch }) => epoch)
  const changing = new Set([...waited, ...events.map(({ event }) => event.activation)])
  const places = [...own, ...epochs.filter(({ epoch }) => changing.has(epoch)).map(({ log }) => log)]
  // Where it has not grown it was the same all the time.
  const isConstant = before.accumulator === after.accumulator
  const [times, isConfirmed, seen] = await Promise.all([
    readTimes(ctx, places),
    areConfirmed(ctx, own, isOwn),
    accumulators(ctx, isConstant ? [] : [...new Set(places.map(({ blockHash }) => blockHash))]),
  ])
  const accumulatorAt = (hash: string) => (isConstant ? before.accumulator : (seen.get(hash) ?? null))
  const steps = [
    ...events.map(({ log, event }) => ({ log, step: { event, ...at(log.blockHash, log.block) } })),
    ...epochs.map(({ epoch, log }) => ({ log, step: { epoch, block: log.block, ...at(log.blockHash, log.block) } })),
  ]
    .toSorted((one, other) =>
      one.log.block === other.log.block ? one.log.index - other.log.index : one.log.block < other.log.block ? -1 : 1,
    )
    .map(({ step }): Step => step)
  const result = walk(before, after, steps)
  return { flows: result.flows, missing: isConfirmed ? result.missing : 'endpoint_disagrees', trail: result }

  function at(hash: string, block: bigint) {
    return { accumulator: accumulatorAt(hash), time: times.get(block) ?? to.mark.time }
  }
}

/** Every reading of this book is of a block. */
function finalOf({ height, hash, ...rest }: Mark): FinalMark {
  if (height === null || hash === null) throw new TypeError('a reading without a block')
  return { ...rest, height, hash }
}
