import { membersOf } from './members.ts'
import type { Context } from './protocol.ts'

/** Above so many the next count is made in steps from the beginning: all of them in one answer were too many, or soon are. */
const MOST_AT_ONCE = 20_000

/** Number of users of a protocol, as `info` reports it. */
export interface UserCount {
  /** Number of users of the last whole count; null before the first. */
  readonly users: number | null
  /** True while a count in steps is under way. */
  readonly unfinished: boolean
}

/** Method of counting users who may be too many for one answer of a node. */
interface UserCounting<Place extends string | number> {
  /** Key under which the count is kept. */
  readonly key: string
  /** Counts all users in one answer. */
  whole(): Promise<number>
  /** Reason for the log why users are counted in steps after the count in one answer has failed twice. */
  readonly because: string
  /** Place at which a count in steps begins. `steps`: number of steps in one refresh. */
  readonly start: Place
  readonly steps: number
  /**
   * Makes one step of the count.
   *
   * @param count in the steps before
   * @returns how many with those of this step, and where the next one begins: null after the last
   */
  step(from: Place, count: number): Promise<{ readonly counted: number; readonly next: Place | null }>
  /** Tells whether a kept value, which another version may have written, is a place between two steps. */
  isPlace(snapshot: unknown): snapshot is Place
}

interface Kept<Place> {
  readonly users: number | null
  /** Count under way: the place of the next step, and the number counted so far; null when none is under way. */
  readonly walk: { readonly next: Place; readonly counted: number } | null
  /** True when the last count of all users at once failed. After one failure it is tried again, since the node may be to blame. */
  readonly failed: boolean
}

/**
 * Counts the users of a protocol in one answer. After that has failed twice, because they are too many, it counts some steps in each refresh and keeps its place in the
 * database.
 *
 * @throws what `whole` throws for the first time, and what `step` throws; the steps before it are kept
 */
export async function countUsers<Place extends string | number>(
  { store, log, network }: Pick<Context<unknown, unknown>, 'store' | 'log' | 'network'>,
  { key, whole, because, start, steps, step, isPlace }: UserCounting<Place>,
): Promise<UserCount> {
  const { users, walk, failed } = readKept(await store.get(key), isPlace)
  const keep = (snapshot: Kept<Place>) => store.put(key, snapshot)
  if (walk === null && (users ?? 0) <= MOST_AT_ONCE) {
    try {
      const all = await whole()
      await keep({ users: all, walk, failed: false })
      return { users: all, unfinished: false }
    } catch (error) {
      if (!failed) {
        await keep({ users, walk, failed: true })
        throw error
      }
      log.warn({ err: error, network: network.chainId }, because)
    }
  }
  let progress: Kept<Place> = { users, walk, failed }
  try {
    for (let round = 0; round < steps && (round === 0 || progress.walk !== null); round++) {
      const { next: from, counted: before } = progress.walk ?? { next: start, counted: 0 }
      const { counted: total, next } = await step(from, before)
      progress = next === null ? { users: total, walk: null, failed } : { users, walk: { next, counted: total }, failed }
    }
  } finally {
    await keep(progress)
  }
  return { users: progress.users, unfinished: progress.walk !== null }
}

/** Reads the kept value, as far as it has this form. */
function readKept<Place>(snapshot: unknown, isPlace: (candidate: unknown) => candidate is Place): Kept<Place> {
  const { users, walk, failed } = membersOf(snapshot)
  const { next, counted: count } = membersOf(walk)
  return {
    users: isCount(users) ? users : null,
    walk: isPlace(next) && isCount(count) ? { next, counted: count } : null,
    failed: failed === true,
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
