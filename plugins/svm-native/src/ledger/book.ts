import { isServiceError } from '@svc/contract'
import type { Book, BookReading, Flows, Mark, UnknownReason } from '@svc/contract/book'
import { type InflationReward, readInflationRewards, readRecords } from '@svc/kit-svm'
import type { NativeContext } from '../network.ts'
import { holdingsOf, reading } from './reading.ts'
import { walk } from './walk.ts'

/**
 * Most epochs whose rewards are asked for, in one interval: two months of them. Where ten thousand wallets are watched, `life.sweeps_per_day` has each read every forty days.
 * Nodes without long-term storage keep the blocks of about two epochs.
 */
const MOST_EPOCHS = 32

/**
 * The book of all that lies in the stake accounts of a wallet, with any validator, rent included. Flows are what transactions changed in these accounts, each of which takes
 * over what the one before it left; rewards are those that the chain says it paid, and nothing else may be left over.
 */
export const book: Book<NativeContext> = {
  buckets: [
    { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['deposit', 'withdrawal', 'reward', 'transfer_in', 'transfer_out'] },
  ],
  reading,
  // A final slot stays.
  holds: async () => true,
  flows,
}

/** @throws 502, 503, 504; 503 EPOCH_REWARDS while the chain pays rewards */
async function flows(ctx: NativeContext, wallet: string, from: BookReading, to: BookReading): Promise<Flows> {
  const [opening, closing] = [holdingsOf(from.keep), holdingsOf(to.keep)]
  if (opening === null || closing === null) return { flows: [], missing: 'not_declared' }
  const records = await readRecords(ctx.client, new Set([wallet, ...opening.keys(), ...closing.keys()]), slotOf(from.mark), slotOf(to.mark))
  if (typeof records === 'string') return { flows: [], missing: records }
  const first = walk(wallet, opening, closing, records, [])
  // Rewards are asked for where lamports have come that no transaction brought.
  const rewards = first.differing.size === 0 ? [] : await rewardsOf(ctx, [...first.differing], from, to)
  if (typeof rewards === 'string') return { flows: timed(first.moves, to.mark), missing: rewards }
  const { moves, missing } = rewards.length === 0 ? first : walk(wallet, opening, closing, records, rewards)
  return { flows: timed(moves, to.mark), missing }
}

/** Reads the rewards that were paid within an interval, in the order of their slots. @throws 503 EPOCH_REWARDS */
async function rewardsOf(
  ctx: NativeContext,
  accounts: readonly string[],
  from: BookReading,
  to: BookReading,
): Promise<readonly InflationReward[] | UnknownReason> {
  const [first, last] = [epochOf(from.mark) - 1, epochOf(to.mark) - 1]
  if (last - first >= MOST_EPOCHS) return 'pruned'
  const epochs = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((epoch) => epoch >= 0)
  try {
    const rewards = await Promise.all(epochs.map((epoch) => readInflationRewards(ctx.client, accounts, epoch)))
    const [after, end] = [slotOf(from.mark), slotOf(to.mark)]
    return rewards
      .flat()
      .filter(({ slot }) => slot > after && slot <= end)
      .toSorted((one, other) => Number(one.slot - other.slot))
  } catch (error) {
    if (isServiceError(error) && error.code === 'EPOCH_REWARDS') throw error
    ctx.log.info({ err: error, network: ctx.network.chainId, epochs }, 'the rewards of earlier epochs could not be read')
    return 'pruned'
  }
}

function timed(moves: ReturnType<typeof walk>['moves'], { time }: Mark): Flows['flows'] {
  return moves.map((move) => ({ ...move, time: move.time ?? time }))
}

/** Every reading of this book is of a slot and an epoch. */
function slotOf({ height }: Mark): bigint {
  if (height === null) throw new TypeError('a reading without a slot')
  return height
}

function epochOf({ epoch }: Mark): number {
  if (epoch === null) throw new TypeError('a reading without an epoch')
  return epoch
}
