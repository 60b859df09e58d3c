import type { Book, BookReading, Flows } from '@svc/contract/book'
import { areConfirmed, finalOf, holdsBlock, type PlacedLog, readTimes } from '@svc/kit-evm'
import { type StakingContext, validatorsOf } from '../network.ts'
import { epochsIn, eventOf, isOf, stakingLogs } from './events.ts'
import { stateOf } from './facts.ts'
import { accumulators, reading } from './reading.ts'
import { type Step, type Walk, walk } from './walk.ts'

/**
 * The book of delegations with the operator's validator and the former ones. Its flows are the contract's events, each seen in its transaction's receipt besides; its rewards follow from
 * each validator's accumulator by the contract's own arithmetic, which is compared with what the chain shows.
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
    const { earning, keep } = trail as Pick<Walk, 'earning' | 'keep'>
    return { earnings: { rewards: earning }, keep }
  },
}

/** @throws 502, 503, 504 */
async function flows(ctx: StakingContext, address: string, from: BookReading, to: BookReading): Promise<Flows> {
  const end = finalOf(to.mark)
  const logs = await stakingLogs(ctx, finalOf(from.mark).height, end)
  const states = validatorsOf(ctx.network).map((validator) => ({
    validator,
    before: stateOf(from.keep, validator),
    after: stateOf(to.keep, validator),
  }))
  if (logs === null) {
    const { keep } = together(states.map(({ validator, before, after }) => walk(validator, before, after, [])))
    return { flows: [], missing: 'flow_missing', trail: { keep, earning: { unknown: 'claims_not_known' } } }
  }
  const isOwn = isOf(address, ctx.network)
  const own = logs.filter(isOwn)
  const all = own.map((log) => ({ log, event: eventOf(log) }))
  const epochs = epochsIn(logs)
  const parts = states.map((state) => {
    const { before } = state
    const events = all.filter(({ event }) => event.validator === state.validator)
    // An epoch matters in which something begins or ceases to count.
    const waited = [...before.deltas, ...before.requests.values()].map(({ epoch }) => epoch)
    const changing = new Set([...waited, ...events.map(({ event }) => event.activation)])
    const places = [...events, ...epochs.filter(({ epoch }) => changing.has(epoch))].map(({ log }) => log)
    // Where it has not grown it was the same all the time.
    return { ...state, events, places, isConstant: before.accumulator === state.after.accumulator }
  })
  const [times, isConfirmed, seen] = await Promise.all([
    readTimes(
      ctx,
      parts.flatMap(({ places }) => places),
    ),
    areConfirmed(ctx, own, isOwn),
    Promise.all(
      parts.map(({ validator, places, isConstant }) =>
        accumulators(ctx, validator, isConstant ? [] : [...new Set(places.map(({ blockHash }) => blockHash))]),
      ),
    ),
  ])
  const result = together(
    parts.map(({ validator, before, after, events, isConstant }, index) => {
      const at = ({ blockHash, block }: PlacedLog) => ({
        accumulator: isConstant ? before.accumulator : (seen[index]?.get(blockHash) ?? null),
        time: times.get(block) ?? to.mark.time,
      })
      const steps = [
        ...events.map(({ log, event }) => ({ log, step: { event, ...at(log) } })),
        ...epochs.map(({ epoch, log }) => ({ log, step: { epoch, block: log.block, ...at(log) } })),
      ]
        .toSorted((one, other) =>
          one.log.block === other.log.block ? one.log.index - other.log.index : one.log.block < other.log.block ? -1 : 1,
        )
        .map(({ step }): Step => step)
      return walk(validator, before, after, steps)
    }),
  )
  return { flows: result.flows, missing: isConfirmed ? result.missing : 'endpoint_disagrees', trail: result }
}

/** Adds up what happened with several validators. Flows are in the order of their blocks. */
function together(walks: readonly Walk[]): Walk {
  const earnings = walks.map(({ earning }) => earning)
  const ranges = earnings.flatMap((earning) => ('least' in earning ? [earning] : []))
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  return {
    flows: walks.flatMap((each) => each.flows).toSorted((one, other) => Number((one.height ?? 0n) - (other.height ?? 0n))),
    missing: walks.find(({ missing }) => missing !== null)?.missing ?? null,
    earning: earnings.find((earning) => !('least' in earning)) ?? {
      least: sum(ranges.map(({ least }) => least)),
      most: sum(ranges.map(({ most }) => most)),
    },
    keep: Object.assign({}, ...walks.map(({ keep }) => keep)),
  }
}
