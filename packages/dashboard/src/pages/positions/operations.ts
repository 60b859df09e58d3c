import type { PositionBucket, PositionDay } from '../../api/positions.ts'
import type { EntryKind, StatementEntry, UnknownReason } from '../../api/statements.ts'

/** A row of the operations: an entry of the book, or days in which nothing was read. */
export type Operation =
  | { readonly kind: 'entry'; readonly id: string; readonly entry: StatementEntry }
  | { readonly kind: 'gap'; readonly id: string; readonly from: string; readonly to: string; readonly days: number }

/** Kinds of rows that are looked at together. */
export type OperationFilter = 'unexplained' | 'gaps' | 'rewards' | 'flows' | 'slashes'

const REWARDS: readonly EntryKind[] = ['reward', 'claim', 'compound', 'block_revenue', 'revaluation']
/** Places outside of a position. */
const OUTSIDE: Readonly<Record<string, string>> = { wallet: 'wallet', chain: 'chain', others: 'others', unknown: 'nothing known' }

/** Words for each kind of entry. */
export const KIND_WORDS: Readonly<Record<EntryKind, string>> = {
  deposit: 'Deposit',
  activation: 'Activated',
  redelegation: 'Redelegated',
  exit_requested: 'Exit asked for',
  exit_cancelled: 'Exit cancelled',
  withdrawal: 'Withdrawal',
  reward: 'Reward',
  claim: 'Claimed',
  compound: 'Compounded',
  slash: 'Slash',
  fee: 'Fee of the protocol',
  transfer_in: 'Received',
  transfer_out: 'Given away',
  tokenize: 'Made a token',
  rent_adjustment: 'Rent',
  block_revenue: 'Block revenue',
  revaluation: 'Price of shares',
  rounding: 'Rounding',
  unexplained: 'Unexplained',
}

/** Sentences on what is not known. */
export const REASON_WORDS: Readonly<Record<UnknownReason, string>> = {
  flow_missing: 'units came or went, and nothing says why',
  claims_not_known: 'it is not known whether rewards were claimed unseen',
  endpoint_disagrees: 'two answers about the same thing differ',
  pruned: 'no endpoint keeps what is needed',
  no_index: 'no endpoint finds transactions',
  not_declared: 'the protocol does not tell',
}

/** Longest name of a unit that is shown whole, and what is shown of a longer one: anybody can give a coin a name of more than a hundred characters. */
const LONGEST_UNIT = 24
const [HEAD, TAIL] = [14, 6] as const

/** Names a place that units come from or go to: `wallet`, or a bucket with its unit, `exit 7`. @param buckets of the protocol's books */
export function placeText(place: string, buckets: readonly PositionBucket[]): string {
  const outside = OUTSIDE[place]
  if (outside !== undefined) return outside
  const [name = place] = place.split(':')
  const unit = place.slice(name.length + 1)
  const bucket = buckets.find((each) => each.name === name)
  // What has a word of its own in the chart has it here too, unless two buckets have the same.
  const isOnly = bucket !== undefined && buckets.filter(({ role }) => role === bucket.role).length === 1
  const word = isOnly && bucket.role !== 'units' ? bucket.role : name.replaceAll('_', ' ')
  if (unit === '') return word
  return `${word} ${unit.length > LONGEST_UNIT ? `${unit.slice(0, HEAD)}…${unit.slice(-TAIL)}` : unit}`
}

/** Tells which way an entry changes the whole position: 1 to more, -1 to less, 0 where units move within it, or past it. */
export function directionOf({ from, to }: Pick<StatementEntry, 'from' | 'to'>): 1 | -1 | 0 {
  const [isFromOutside, isToOutside] = [Object.hasOwn(OUTSIDE, from), Object.hasOwn(OUTSIDE, to)]
  if (isFromOutside === isToOutside) return 0
  return isFromOutside ? 1 : -1
}

/** Writes an amount with the sign that it has for the whole position. @param amount decimal text or base units; below zero of what takes an entry back */
export function signedOf(amount: string, direction: 1 | -1 | 0): string {
  if (direction >= 0) return amount
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

/**
 * Lists what happened, newest first, with a row for each stretch of days in which nothing was read. What was taken back stays, and what takes it back stands below it.
 *
 * @param days of the same time, oldest first; the last one has not ended
 */
export function operationsOf(entries: readonly StatementEntry[], days: readonly PositionDay[]): readonly Operation[] {
  const ids = new Set(entries.map(({ id }) => id))
  const corrections = Map.groupBy(
    entries.filter(({ corrects }) => corrects !== null && ids.has(corrects)),
    ({ corrects }) => corrects,
  )
  const timed = [
    ...entries
      .filter(({ corrects }) => corrects === null || !ids.has(corrects))
      .map((entry) => ({
        at: entry.time ?? entry.booked_at,
        rows: [entry, ...(corrections.get(entry.id) ?? [])].map((each): Operation => ({ kind: 'entry', id: each.id, entry: each })),
      })),
    ...gapsOf(days).map((gap) => ({ at: `${gap.to}T24`, rows: [gap] })),
  ]
  // What is of the same time came in the order of the book.
  return timed
    .toReversed()
    .toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
    .flatMap(({ rows }) => rows)
}

/** Lists the stretches of days in which nothing was read; not the last day, which has not ended. */
function gapsOf(days: readonly PositionDay[]): readonly (Operation & { readonly kind: 'gap' })[] {
  const gaps: (Operation & { readonly kind: 'gap' })[] = []
  days.slice(0, -1).forEach(({ day, buckets }, index) => {
    if (buckets !== null) return
    const last = gaps.at(-1)
    if (last !== undefined && last.to === days[index - 1]?.day) gaps[gaps.length - 1] = { ...last, to: day, days: last.days + 1 }
    else gaps.push({ kind: 'gap', id: `gap ${day}`, from: day, to: day, days: 1 })
  })
  return gaps
}

/** Picks the rows of a filter; null: all. */
export function filtered(operations: readonly Operation[], filter: OperationFilter | null): readonly Operation[] {
  return filter === null ? operations : operations.filter((row) => filterOf(row) === filter)
}

/** Finds the filter that a row belongs to. */
export function filterOf(row: Operation): OperationFilter {
  if (row.kind === 'gap') return 'gaps'
  const { kind } = row.entry
  if (kind === 'unexplained') return 'unexplained'
  if (kind === 'slash') return 'slashes'
  return REWARDS.includes(kind) ? 'rewards' : 'flows'
}
