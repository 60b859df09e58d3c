import { membersOf } from '@svc/contract'
import { ZeroAddress } from 'ethers'
import type { StakingContext } from '../network.ts'
import { askAll, staking, unreadable } from './staking.ts'

/** Pages that one refresh follows, of 50 delegators at most each; more are counted at the next. */
const PAGES = 40
/** Most entries of a page: 50 since the MONAD_EIGHT revision, 100 before. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
const MOST_OF_PAGE = 100
/** Largest number of delegators that is believed: a node whose list is longer does not tell the chain's. */
const MOST = 10_000_000
const KEY = 'delegators'

/** Progress of a pass through the list. */
interface Walk {
  readonly counted: number
  /** The last two that were counted, in their order; fewer at the beginning. */
  readonly last: readonly string[]
}

interface Kept {
  /** Number of users of the last pass that came to the end; null before the first. */
  readonly users: number | null
  /** Progress of the pass under way; null between two. */
  readonly walk: Walk | null
}

interface Page {
  readonly done: boolean
  readonly delegators: readonly string[]
}

const START: Walk = { counted: 0, last: [] }

/**
 * Counts the addresses that stake with the operator's validator by walking through the chain's list: some pages in each refresh, with the place kept in the database, so
 * that a list of any length is completed. An address that is in the list from the beginning of a pass to its end is counted once.
 *
 * @returns the count of the last whole pass, null before the first; and whether a pass is under way
 */
export async function countDelegators(ctx: StakingContext): Promise<{ readonly users: number | null; readonly unfinished: boolean }> {
  const { users, walk } = readKept(await ctx.store.get(KEY))
  let progress: Kept = { users, walk: walk ?? START }
  try {
    for (let pages = 0; pages < PAGES && progress.walk !== null; pages++) {
      const page = await readPage(ctx, progress.walk.last[0] ?? ZeroAddress)
      // Where the list changed just where the pass stood, nobody can tell who follows: it begins anew.
      const walk = advanced(progress.walk, page) ?? START
      progress = page.done && walk !== START ? { users: walk.counted, walk: null } : { users, walk }
    }
  } finally {
    await ctx.store.put(KEY, progress)
  }
  return { users: progress.users, unfinished: progress.walk !== null }
}

/**
 * Asked from the last two that were counted, so that it shows whether the list still goes on there. The address that the chain names as the
 * next is not used: it may have left by then.
 *
 * @returns null when it does not
 * @throws 502 STAKING_UNREADABLE when it can be no page of the list
 */
function advanced({ counted: count, last }: Walk, { done, delegators }: Page): Walk | null {
  if (delegators.length > MOST_OF_PAGE || new Set(delegators).size < delegators.length)
    throw unreadable(`it gave a page of ${delegators.length}`)
  if (last.some((address, index) => delegators[index] !== address)) return null
  const more = delegators.length - last.length
  if (!done && more === 0) throw unreadable('it gave a page without anybody, and no end')
  if (count + more > MOST) throw unreadable(`it gave a list of more than ${MOST} delegators`)
  return { counted: count + more, last: delegators.slice(-2) }
}

async function readPage(ctx: StakingContext, start: string): Promise<Page> {
  const { staking: to, validator_id } = ctx.network
  const question = staking.question(to, 'getDelegators', [validator_id, start], ({ isDone, delegators }) => ({
    done: isDone,
    delegators: [...delegators],
  }))
  const [page] = await askAll(ctx, [question])
  return page
}

/** Reads the kept value, as far as it has this form. */
function readKept(record: unknown): Kept {
  const { users, walk } = membersOf(record)
  return { users: isCount(users) ? users : null, walk: readWalk(walk) }
}

function readWalk(record: unknown): Walk | null {
  const { counted: count, last } = membersOf(record)
  if (!isCount(count) || !Array.isArray(last) || last.length !== 2) return null
  return last.every((each) => /^0x[0-9a-fA-F]{40}$/.test(each)) ? { counted: count, last } : null
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
