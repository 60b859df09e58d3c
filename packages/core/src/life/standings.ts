import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase, type WorkRunner } from '../db/work.ts'
import type { KeptObject, KeptPosition } from './kept-position.ts'
import { type Watch, type WatchKey, watchOf } from './watches.ts'

const { sql } = core()

/**
 * States of watched positions, worst first. `unexplained`: nothing explains a change in its book, which is looked at again. `unread`: nothing could be read of it yet. `stale`: its reading is late.
 * The others are those of its stake; of a position with stake in several, the first that fits.
 */
export const STANDING_STATES = ['unexplained', 'unread', 'stale', 'withdrawable', 'leaving', 'activating', 'earning', 'empty'] as const

/** State of a watched position. */
export type StandingState = (typeof STANDING_STATES)[number]

/** A watched position as it was last read. Amounts in base units. */
export interface Standing extends WatchKey {
  /** Of the watch. */
  readonly id: string
  readonly state: StandingState
  readonly readAt: Date | null
  /** null: nothing was read yet. */
  readonly staked: bigint | null
  /** null: nothing was read yet, or the protocol has no such stake. */
  readonly activating: bigint | null
  readonly unclaimed: bigint | null
  readonly nextDue: NextDue | null
}

/** Stake that its owner waits for. */
interface NextDue {
  /** `withdrawable`: it can be withdrawn now; `leaves`: it is on its way out. */
  readonly kind: 'withdrawable' | 'leaves'
  /** Time at which the first of it is expected to have left; null: it can be withdrawn now, or the time is not known. */
  readonly at: Date | null
  /** Base units; null where it is not known. */
  readonly amount: bigint | null
}

/** Filter of watched positions; what is left out may be any. */
interface StandingFilter {
  readonly account?: string | undefined
  readonly protocol?: string | undefined
  /** A chain id. */
  readonly network?: string | undefined
  /** A part of the wallet's address, in either case of letters. */
  readonly wallet?: string | undefined
}

/** Time by which a reading may be late before the position counts as stale, in milliseconds: a network that cannot be read for a night is seen in the morning. */
const LATE_MS = 6 * 3_600_000
/** Failures in a row after which six hours have passed: the pauses double from a minute to an hour, and then are hours. @see retryAfter */
const LATE_FAILURES = 11

/** Watches that are read in one go. */
const BATCH = 500

/** Reads all watched positions that a filter lets through, in the order in which they came to be watched. */
export async function readStandings(store: Pick<WorkRunner, 'run'>, filter: StandingFilter, now: Date): Promise<readonly Standing[]> {
  const standings: Standing[] = []
  const part = filter.wallet?.toLowerCase()
  for (let after = ''; ; ) {
    const rows = await store.run((database) => rowsOf(database, filter, after))
    for (const { watch, isOpen } of rows)
      if (part === undefined || watch.wallet.toLowerCase().includes(part)) standings.push(standingOf(watch, isOpen, now))
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return standings
    after = last.watch.id
  }
}

/** Reads one watched position. @returns null: no account of the filter watches the wallet */
export async function readStanding(
  store: Pick<WorkRunner, 'run'>,
  key: Omit<WatchKey, 'account'> & { readonly account: string | undefined },
  now: Date,
): Promise<Standing | null> {
  const { account, protocol, network, wallet } = key
  const [row] = await store.run((database) => rowsOf(database, { account, protocol, network }, '', wallet))
  return row ? standingOf(row.watch, row.isOpen, now) : null
}

/** A watch, and whether its book has something that is still to be explained. */
interface WatchWithBook {
  readonly watch: Watch
  readonly isOpen: boolean
}

function* rowsOf(
  _database: WorkDatabase,
  { account, protocol, network }: Omit<StandingFilter, 'wallet'>,
  after: string,
  wallet?: string,
): Work<readonly WatchWithBook[]> {
  const only = (column: string, value: string | undefined) => (value === undefined ? sql`` : sql`and ${sql.raw(column)} = ${value}`)
  const rows = yield* ask(sql`
    select w.*, b.open_from from svc_watches w
      left join svc_books b on b.account = w.account and b.protocol = w.protocol and b.network = w.network and b.wallet = w.wallet
    where w.removed_at is null and w.id > ${after} ${only('w.account', account)} ${only('w.protocol', protocol)} ${only('w.network', network)}
      ${only('w.wallet', wallet)}
    order by w.id limit ${BATCH}`)
  return rows.map((row) => ({ watch: watchOf(row), isOpen: row.open_from !== null }))
}

function standingOf(watch: Watch, isOpen: boolean, now: Date): Standing {
  const { id, account, protocol, network, wallet, readAt } = watch
  const position = watch.position === null ? null : (JSON.parse(watch.position) as KeptPosition)
  const amount = (text: string | null | undefined) => (text == null ? null : BigInt(text))
  return {
    ...{ id, account, protocol, network, wallet, readAt },
    state: stateOf(position, watch, isOpen, now),
    staked: amount(position?.staked),
    activating: amount(position?.activating),
    unclaimed: amount(position?.rewards),
    nextDue: position && nextDueOf(position, watch, now),
  }
}

function stateOf(position: KeptPosition | null, watch: Watch, isOpen: boolean, now: Date): StandingState {
  if (isOpen) return 'unexplained'
  if (position === null) return 'unread'
  if (isLate(watch, now)) return 'stale'
  const has = (status: KeptObject['status']) => Object.values(position.objects ?? {}).some((object) => object.status === status)
  if (has('withdrawable')) return 'withdrawable'
  if (has('deactivating')) return 'leaving'
  if (has('activating') || BigInt(position.activating ?? 0) > 0n) return 'activating'
  return has('active') || has('unknown') || BigInt(position.staked) > 0n ? 'earning' : 'empty'
}

/** Tells whether the reading of a position is late: nobody tries it, or it fails. A try that fails puts the next one off. */
function isLate({ dueAt, sweepAt, failures }: Watch, now: Date): boolean {
  return failures >= LATE_FAILURES || [dueAt, sweepAt].some((at) => at !== null && now.getTime() - at.getTime() > LATE_MS)
}

function nextDueOf({ objects }: KeptPosition, { dueAt }: Watch, now: Date): NextDue | null {
  const all = Object.values(objects ?? {})
  const withdrawable = all.filter(({ status }) => status === 'withdrawable')
  if (withdrawable.length > 0) return { kind: 'withdrawable', at: null, amount: sumOf(withdrawable) }
  const exits = all.filter(({ status }) => status === 'deactivating')
  if (exits.length === 0) return null
  // Where the units name no time, the next reading is due when the first of them is expected to have left.
  const times = exits.flatMap(({ leaves }) => (leaves === undefined ? [] : [new Date(leaves.at)]))
  const [first = dueAt] = times.toSorted((one, other) => one.getTime() - other.getTime())
  return { kind: 'leaves', at: first !== null && first > now ? first : null, amount: sumOf(exits) }
}

function sumOf(objects: readonly KeptObject[]): bigint | null {
  const amounts = objects.map(({ holds, amount }) => holds ?? amount)
  return amounts.includes(undefined) ? null : amounts.reduce((sum, text) => sum + BigInt(text ?? 0), 0n)
}
