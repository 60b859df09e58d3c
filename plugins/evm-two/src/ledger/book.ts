import type { Book, BookReading, Flows } from '@svc/contract/book'
import { areConfirmed, finalOf, holdsBlock, readTimes } from '@svc/kit-evm'
import { poolsOf, type StakingContext } from '../network.ts'
import { beginsEpoch, eventOf, isOf, stakingLogs } from './events.ts'
import { reading, stateOf } from './reading.ts'
import { walk } from './walk.ts'

/**
 * The book of delegations with the operator's pools. Its flows are the contract's events, each seen in its transaction's receipt besides. Nothing is claimed unseen, since the
 * contract counts what it has ever paid: where that count has grown by the claims that were found, what is left over is the reward.
 */
export const book: Book<StakingContext> = {
  buckets: [
    { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['activation', 'exit_requested'] },
    { name: 'pending', asset: 'native', kind: 'principal', movedBy: ['deposit', 'compound', 'activation'] },
    { name: 'exit', asset: 'native', kind: 'principal', movedBy: ['exit_requested', 'compound', 'withdrawal'] },
    { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: ['claim', 'compound'] },
  ],
  reading,
  holds: holdsBlock,
  flows,
  async earned(_ctx, _wallet, _from, _to, { missing, trail }) {
    return { earnings: { rewards: trail === true && missing === null ? { proven: true } : { unknown: 'claims_not_known' } } }
  },
}

/** @throws 502, 503, 504 */
async function flows(ctx: StakingContext, address: string, from: BookReading, to: BookReading): Promise<Flows> {
  const logs = await stakingLogs(ctx, finalOf(from.mark).height, finalOf(to.mark))
  if (logs === null) return { flows: [], missing: 'flow_missing', trail: false }
  const isOwn = isOf(address, ctx.network)
  const own = logs.filter(isOwn)
  const events = logs.filter((log) => beginsEpoch(log) || isOwn(log)).map(eventOf)
  const epochs = [epochOf(from), epochOf(to)] as const
  const walks = poolsOf(ctx.network).map((pool) =>
    walk(
      stateOf(from.keep, pool),
      stateOf(to.keep, pool),
      epochs,
      events.filter((event) => event.pool === '' || event.pool === pool),
    ),
  )
  const moves = walks
    .flatMap((each) => each.moves)
    .toSorted(({ event: { log: one } }, { event: { log: other } }) =>
      one.block === other.block ? one.index - other.index : one.block < other.block ? -1 : 1,
    )
  const [times, isConfirmed] = await Promise.all([
    readTimes(
      ctx,
      moves.map(({ event }) => event.log),
    ),
    areConfirmed(ctx, own, isOwn),
  ])
  const missing = walks.find((each) => each.missing !== null)?.missing ?? null
  return {
    flows: moves.map(({ event: { name, log }, ...move }) => ({
      ...move,
      height: log.block,
      time: times.get(log.block) ?? to.mark.time,
      // The chain begins an epoch by itself.
      tx: name === 'EpochChange' ? null : log.tx,
      index: name === 'EpochChange' ? null : log.index,
    })),
    missing: isConfirmed ? missing : 'endpoint_disagrees',
    trail: walks.every(({ isCounted }) => isCounted),
  }
}

function epochOf({ keep }: BookReading): bigint {
  return BigInt(keep.epoch ?? '0')
}
