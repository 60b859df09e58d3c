import {
  assetOf,
  type BookReading,
  type Bucket,
  bucketName,
  type Earning,
  type Earnings,
  type EntryKind,
  type Flow,
  type Flows,
  type Place,
  type UnknownReason,
} from '@svc/contract/book'

/** The place from which units came, or to which they went, that nothing explains. */
const UNKNOWN = 'unknown'

/** Facts of the time between two readings of a wallet. */
interface Interval {
  readonly buckets: readonly Bucket[]
  readonly opening: BookReading
  readonly closing: BookReading
  /** Flows of the interval; null: the plugin tells none. */
  readonly flows: Flows | null
  readonly earned: Earnings | null
}

/** An entry before it has a place in a book. Amounts in base units. */
export interface NewEntry {
  readonly kind: EntryKind
  /** Above 0; below only of a correction, which takes back what it names. */
  readonly amount: bigint
  readonly from: Place
  readonly to: Place
  readonly asset: string
  readonly height: bigint | null
  readonly time: Date | null
  readonly tx: string | null
  readonly index: number | null
  /** Reason why a remainder is unexplained; null: the entry is explained. */
  readonly reason: UnknownReason | null
}

/** The entries of an interval. */
export interface Closing {
  readonly entries: readonly NewEntry[]
  /** True if everything that its buckets hold is explained, and the rewards that they count are complete. */
  readonly complete: boolean
  /** Reasons why the interval is not complete; `not_declared` of one that is: it leaves assets out. Empty: all is known. */
  readonly reasons: readonly UnknownReason[]
}

/**
 * Writes an interval as entries that obey one law: for each bucket, closing − opening is exactly the sum of the entries. The remainder after the flows is a reward, a
 * revaluation or a rounding only where the kind of the bucket allows it and the plugin has shown it; else it is `unexplained`, in one entry, with its reason.
 *
 * @throws TypeError for flows that the plugin's own declaration rules out
 */
export function closeInterval({ buckets, opening, closing, flows, earned }: Interval): Closing {
  const list = (flows?.flows ?? []).map((flow) => entryOf(flow, buckets, opening, closing))
  const cut = (flows?.flows ?? []).filter(({ exact }) => exact !== true)
  const keys = new Set([
    ...Object.keys(opening.amounts),
    ...Object.keys(closing.amounts),
    ...list.flatMap(({ from, to }) => [from, to].filter((place) => isBucket(place))),
  ])
  const isIdle = keys.size === 0
  // What has no key yet may have come and gone unseen: of a bucket of many assets there may always be such.
  if (!isIdle)
    for (const { name, kind, asset } of buckets)
      if (kind === 'accrual' && (asset === null || ![...keys].some((key) => bucketName(key) === name))) keys.add(name)
  const whole = flows !== null && flows.missing === null
  const reasons = new Set<UnknownReason>(flows === null ? ['not_declared'] : flows.missing === null ? [] : [flows.missing])
  let isPartial = false
  const remainders: NewEntry[] = []
  const open = new Set<string>()
  for (const key of [...keys].sort((one, other) => rank(buckets, one) - rank(buckets, other) || (one < other ? -1 : 1))) {
    const bucket = bucketOf(buckets, key)
    const moved = list.filter(({ from, to }) => from === key || to === key)
    const change = (closing.amounts[key] ?? 0n) - (opening.amounts[key] ?? 0n)
    const rest = change - moved.reduce((sum, { amount, to }) => sum + (to === key ? amount : -amount), 0n)
    const verdict = verdictOf({
      bucket,
      key,
      rest,
      moves: cut.filter(({ from, to }) => from === key || to === key).length,
      whole,
      open,
      earning: earned?.earnings[key] ?? null,
      declared: flows !== null && (earned !== null || buckets.every(({ kind }) => kind !== 'accrual')),
    })
    // Assets that the book leaves out are in no bucket: what is in one is explained without them.
    if (isForOthers(bucket, key) && verdict.reason === 'not_declared') isPartial = true
    else if (verdict.reason !== null) reasons.add(verdict.reason)
    if (verdict.kind === 'unexplained') open.add(key)
    if (rest !== 0n) remainders.push(remainder(verdict, assetOf(key, buckets), key, rest, closing))
  }
  const complete = reasons.size === 0
  if (isPartial) reasons.add('not_declared')
  return { entries: [...list, ...remainders], complete, reasons: [...reasons] }
}

/** What a remainder is taken for, and why the interval is not complete for its sake. */
interface Verdict {
  readonly kind: 'reward' | 'revaluation' | 'rounding' | 'unexplained'
  readonly reason: UnknownReason | null
}

interface Remainder {
  readonly bucket: Bucket
  readonly key: string
  readonly rest: bigint
  /** Number of flows that move the bucket, of which the chain's arithmetic may have cut something. */
  readonly moves: number
  /** True if the plugin says that its list of flows is complete. */
  readonly whole: boolean
  /** Keys that were found unexplained, units before their worth. */
  readonly open: ReadonlySet<string>
  readonly earning: Earning | null
  /** True if the plugin tells flows, and rewards where a bucket needs them. */
  readonly declared: boolean
}

function verdictOf(remainder: Remainder): Verdict {
  const { bucket, key, rest, moves, whole, open } = remainder
  if (bucket.kind === 'accrual') return verdictOfAccrual(remainder)
  if (bucket.kind === 'worth') {
    const units = unitsKey(bucket, key)
    return open.has(units) || !whole ? { kind: 'unexplained', reason: 'flow_missing' } : { kind: 'revaluation', reason: null }
  }
  if (magnitude(rest) <= (bucket.rounding ?? 0n) * BigInt(moves)) return { kind: 'rounding', reason: null }
  return { kind: 'unexplained', reason: remainder.declared || whole ? 'flow_missing' : 'not_declared' }
}

function verdictOfAccrual({ rest, earning, whole, declared }: Remainder): Verdict {
  if (earning === null) return { kind: 'unexplained', reason: declared ? 'claims_not_known' : 'not_declared' }
  if ('unknown' in earning) return { kind: 'unexplained', reason: earning.unknown }
  if ('proven' in earning)
    return rest >= 0n && whole ? { kind: 'reward', reason: null } : { kind: 'unexplained', reason: 'claims_not_known' }
  const fits = rest >= 0n && rest >= earning.least && rest <= earning.most
  // By how much the rule and the chain differ is not known to be one thing or another: all of it stays open.
  return fits ? { kind: 'reward', reason: null } : { kind: 'unexplained', reason: 'claims_not_known' }
}

function remainder({ kind, reason }: Verdict, asset: string, key: string, rest: bigint, { mark }: BookReading): NewEntry {
  const other = kind === 'unexplained' ? UNKNOWN : 'chain'
  return {
    kind,
    amount: magnitude(rest),
    from: rest > 0n ? other : key,
    to: rest > 0n ? key : other,
    asset,
    height: mark.height,
    time: mark.time,
    tx: null,
    index: null,
    reason: kind === 'unexplained' ? reason : null,
  }
}

function entryOf(flow: Flow, buckets: readonly Bucket[], opening: BookReading, closing: BookReading): NewEntry {
  const { kind, amount, from, to, height } = flow
  const keys = [from, to].filter(isBucket)
  const ends = keys.map((key) => bucketOf(buckets, key))
  const refuse = (why: string): never => {
    throw new TypeError(`a ${kind} of ${amount} from ${from} to ${to} ${why}`)
  }
  if (amount <= 0n) refuse('moves nothing')
  if (from === to) refuse('goes nowhere')
  for (const { name, movedBy } of ends)
    if (!movedBy.includes(kind)) refuse(`moves ${name}, which is moved by ${movedBy.join(', ') || 'nothing'}`)
  const assets = new Set(keys.map((key) => assetOf(key, buckets)))
  const asset = flow.asset ?? [...assets][0] ?? 'native'
  if (assets.size > 1 || (assets.size === 1 && !assets.has(asset))) refuse(`turns ${[...assets].join(' and ')} into another asset`)
  const [after, until] = [opening.mark.height, closing.mark.height]
  if (height !== null && ((after !== null && height <= after) || (until !== null && height > until)))
    refuse(`is of height ${height}, outside of the interval from ${after} to ${until}`)
  return { kind, amount, from, to, asset, height, time: flow.time, tx: flow.tx, index: flow.index, reason: null }
}

/** Tells whether a key stands for the assets of a bucket that have no key of their own. */
function isForOthers({ name, asset }: Bucket, key: string): boolean {
  return asset === null && key === name
}

/** Ranks a bucket: units are judged before what they are worth. */
function rank(buckets: readonly Bucket[], key: string): number {
  return bucketOf(buckets, key).kind === 'worth' ? 1 : 0
}

function unitsKey({ name, units = '' }: Bucket, key: string): string {
  return units + key.slice(name.length)
}

function isBucket(place: Place): boolean {
  return !['wallet', 'chain', 'others'].includes(place)
}

/** Finds a declared bucket by its name. @throws TypeError for a bucket that was not declared */
function bucketOf(buckets: readonly Bucket[], key: string): Bucket {
  const bucket = buckets.find(({ name }) => name === bucketName(key))
  if (!bucket) throw new TypeError(`the book has no bucket ${bucketName(key)}`)
  return bucket
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
