import type { BucketAmount, Position, PositionDay, PositionDetail } from '../../src/api/positions.ts'
import type { EntryKind, Statement, StatementEntry } from '../../src/api/statements.ts'
import { position } from './positions.ts'

const DAY_MS = 86_400_000
const PLACES = 18
const MON = 10n ** 18n
/** Amount of the sample that nothing explains, in base units. */
const OPEN = 418_310_774_520_116n

/** A wallet whose book adds up to the unit: its days, and the entries between their readings. */
export interface SampleWallet {
  readonly detail: PositionDetail
  /** Oldest first. */
  readonly entries: readonly StatementEntry[]
}

/** Options of a sample. */
interface Options {
  readonly now: Date
  /** Days of the book, of which the last is today. */
  readonly days?: number
  /** Whether two days were not read, and something is not explained. @default true */
  readonly troubled?: boolean
  readonly changes?: Partial<Position>
}

/** Makes a wallet that deposits, earns, compounds, exits and withdraws; the same each time. */
export function walletOf({ now, days = 60, troubled = true, changes = {} }: Options): SampleWallet {
  const midnight = Date.parse(now.toISOString().slice(0, 10))
  const row = position(12, now, troubled ? 'unexplained' : 'earning', changes)
  const amounts: Record<string, bigint> = { stake: 366_000n * MON, pending: 0n, rewards: 1_261_774_025_900_183_402_211n }
  const entries: StatementEntry[] = []
  const list: PositionDay[] = []
  let waiting = 0n
  for (let index = 0; index < days; index++) {
    const day = new Date(midnight - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    const isRead = !troubled || (index !== days - 18 && index !== days - 17)
    const reward = 64n * MON + BigInt(index * 48_271) * 10n ** 13n + 902_100_000_000_017n
    let earned: bigint | null = null
    const add = (kind: EntryKind, units: bigint, from: string, to: string, more: Partial<StatementEntry> = {}) => {
      const entry = entryOf(entries.length, row, { kind, units, from, to, day, ...more })
      entries.push(entry)
      if (entry.superseded || entry.corrects !== null) return
      if (from in amounts || from.startsWith('exit:')) amounts[from] = (amounts[from] ?? 0n) - units
      if (to in amounts || to.startsWith('exit:')) amounts[to] = (amounts[to] ?? 0n) + units
    }
    if (index > 0) waiting += reward
    if (index === days - 46) add('deposit', 60_000n * MON, 'wallet', 'pending', { tx_hash: hashOf(index) })
    if (index === days - 45) add('activation', 60_000n * MON, 'pending', 'stake')
    if (index === days - 50) {
      add('reward', 7n * MON, 'chain', 'rewards', { superseded: true })
      add('reward', -7n * MON, 'chain', 'rewards', { corrects: entries.at(-1)?.id ?? null })
    }
    if (index === days - 30) add('compound', 1_402_114_500_000_000_003n, 'rewards', 'stake', { tx_hash: hashOf(index) })
    if (index === days - 28) add('exit_requested', 36_000n * MON, 'stake', 'exit:3', { tx_hash: hashOf(index) })
    if (index === days - 14) add('withdrawal', 36_000n * MON, 'exit:3', 'wallet', { tx_hash: hashOf(index) })
    if (index === days - 9) add('exit_requested', 14_000n * MON, 'stake', 'exit:4', { tx_hash: hashOf(index) })
    if (isRead && waiting > 0n && index < days - 1) {
      add('reward', waiting, 'chain', 'rewards')
      earned = waiting
      waiting = 0n
    }
    const isOpen = troubled && index === days - 5
    if (isOpen) add('unexplained', OPEN, 'unknown', 'stake', { reason: 'flow_missing', complete: false })
    list.push({
      day,
      buckets: isRead ? bucketsOf(amounts) : null,
      earned: earned === null ? null : decimalOf(earned),
      complete: isRead && !isOpen && earned !== null,
      unexplained: isOpen ? decimalOf(OPEN) : '0',
      slashed: '0',
    })
  }
  return {
    detail: {
      ...row,
      next_due: { kind: 'leaves', at: new Date(now.getTime() + 11.5 * DAY_MS).toISOString(), amount: '14000' },
      book: row.book && { ...row.book, opened_at: `${list[0]?.day}T09:30:00.000Z`, unexplained: troubled ? decimalOf(OPEN) : '0' },
      days: list,
      buckets: [
        { name: 'stake', kind: 'principal', role: 'earning' },
        { name: 'pending', kind: 'principal', role: 'activating' },
        { name: 'exit', kind: 'principal', role: 'leaving' },
        { name: 'rewards', kind: 'accrual', role: 'unclaimed' },
      ],
    },
    entries,
  }
}

/** What GET /positions/{protocol}/{network}/{address} answers of a sample. */
export function detailOf({ detail }: SampleWallet, query: URLSearchParams): PositionDetail {
  return { ...detail, days: detail.days.slice(-Number(query.get('days') ?? 60)) }
}

/** What GET /statements answers of a sample, as JSON: parts end after `limit` entries. */
export function statementOf({ entries }: SampleWallet, query: URLSearchParams): Statement {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9']
  const start = Number(query.get('after')?.split('-')[1] ?? 0)
  const matches = entries.filter(({ time }) => time !== null && time >= from && time < to)
  const end = start + Number(query.get('limit') ?? 1000)
  return {
    entries: matches.slice(start, end),
    complete: matches.every(({ complete }) => complete),
    next: matches.length > end ? `7-${end}` : null,
  }
}

/** What GET /statements answers of a sample, as CSV in one part. */
export function csvOf({ entries, detail }: SampleWallet, query: URLSearchParams): string {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9']
  const matches = entries.filter(({ time }) => time !== null && time >= from && time < to)
  const line = (...cells: readonly unknown[]) => `${cells.map((cell) => cell ?? '').join(',')}\r\n`
  if (query.get('layout') !== 'koinly')
    return line('time', 'kind', 'amount', 'entry_id') + matches.map(({ time, kind, amount, id }) => line(time, kind, amount, id)).join('')
  const counts = query.get('recognise') === 'claim' ? ['claim', 'compound'] : ['reward']
  const rows = matches.filter(({ kind, superseded, corrects }) => counts.includes(kind) && !superseded && corrects === null)
  const date = (time: string | null) => `${time?.slice(0, 19).replace('T', ' ')} UTC`
  return (
    line('Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency', 'Label', 'Description') +
    rows.map(({ time, amount, kind }) => line(date(time), '', '', amount, detail.symbol, 'reward', `"${kind}, ""exact"""`)).join('')
  )
}

function entryOf(
  place: number,
  { account, protocol, network, address }: Position,
  {
    units,
    day,
    ...rest
  }: { readonly units: bigint; readonly day: string } & Pick<StatementEntry, 'kind' | 'from' | 'to'> & Partial<StatementEntry>,
): StatementEntry {
  const time = `${day}T${String(8 + (place % 12)).padStart(2, '0')}:41:07.000Z`
  return {
    account,
    protocol,
    network,
    wallet: address,
    id: `7-${place}-0`,
    amount: decimalOf(units),
    amount_base: units.toString(),
    asset: 'native',
    height: 31_106_230 + place * 5401,
    time,
    tx_hash: null,
    log_index: null,
    reason: null,
    corrects: null,
    complete: true,
    superseded: false,
    booked_at: time,
    ...rest,
  }
}

function bucketsOf(amounts: Readonly<Record<string, bigint>>): readonly BucketAmount[] {
  return Object.entries(amounts)
    .filter(([, units]) => units !== 0n)
    .map(([bucket, units]) => ({ bucket, amount: decimalOf(units), amount_base: units.toString() }))
}

function hashOf(place: number): string {
  return `0x${(0x9e27_0000 + place).toString(16).padStart(64, 'c')}`
}

function decimalOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction === '' ? '' : `.${fraction}`}`
}
