import { type Bucket, bucketName } from '@svc/contract/book'
import { csvLine } from '../base/csv.ts'
import { amountText, type BookUnits } from './entry-wire.ts'
import { isWhole } from './read.ts'
import type { StatementLine } from './statement.ts'
import type { BookedEntry } from './stored-lines.ts'

/** Forms of a statement as CSV: all that a book holds, or what an accounting program imports. */
export type Layout = 'own' | 'koinly' | 'cointracking'
/** When a reward counts in a foreign form: when the position shows it, or when it is claimed. */
export type Recognition = 'accrual' | 'claim'

/** Columns of the own form, stable. A cell that is not known is empty. */
const OWN = [
  ...[
    'time',
    'day',
    'account',
    'wallet',
    'caip2',
    'protocol',
    'kind',
    'asset',
    'symbol',
    'amount_base',
    'amount',
    'bucket_from',
    'bucket_to',
  ],
  ...['height', 'block_hash', 'tx', 'log_index', 'reason', 'complete', 'superseded', 'corrects', 'booked_at', 'entry_id'],
] as const

/** @see https://support.koinly.io (custom CSV, universal form; read 2026-11-23) */
const KOINLY = [
  ...['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency', 'Fee Amount', 'Fee Currency'],
  ...['Net Worth Amount', 'Net Worth Currency', 'Label', 'Description', 'TxHash'],
] as const

/** Fields in this order. @see https://cointracking.info/import/import_csv (read 2026-11-23) */
const COINTRACKING = [
  ...['Type', 'Buy', 'Cur.', 'Sell', 'Cur.', 'Fee', 'Cur.', 'Exchange', 'Group', 'Comment', 'Date', 'Tx-ID', 'Buy Value', 'Sell Value'],
] as const

const HEADS: Readonly<Record<Layout, readonly string[]>> = { own: OWN, koinly: KOINLY, cointracking: COINTRACKING }

/** Returns the text before the first line. */
export function statementHead(layout: Layout): string {
  return csvLine(HEADS[layout])
}

/**
 * Writes the entries of a line as CSV. The service's own layout has all of them, so that its amounts add up to the book; a foreign layout has only income and losses, which
 * are rewards and slashes that were not taken back.
 */
export function statementText(
  layout: Layout,
  { book, line }: StatementLine,
  units: BookUnits,
  recognise: Recognition,
  buckets: readonly Bucket[],
): string {
  if (layout === 'own') return line.entries.map((entry) => csvLine(ownRow({ book, line }, entry, units))).join('')
  const standing = line.isSuperseded ? [] : line.entries.filter(({ corrects }) => corrects === null)
  return standing
    .filter((entry) => isLoss(entry) || isIncome(entry, recognise, buckets))
    .map((entry) => csvLine((layout === 'koinly' ? koinlyRow : coinTrackingRow)({ book, line }, entry, units)))
    .join('')
}

/** Tells whether an entry is income. Where claims count, so does a reward that never waits for one: paid to the wallet itself, or right into what is staked. */
function isIncome({ kind, to }: BookedEntry, recognise: Recognition, buckets: readonly Bucket[]): boolean {
  if (kind === 'reward') return recognise === 'accrual' || buckets.find(({ name }) => name === bucketName(to))?.kind !== 'accrual'
  return recognise === 'claim' && (kind === 'claim' || kind === 'compound')
}

function isLoss({ kind }: BookedEntry): boolean {
  return kind === 'slash'
}

function ownRow({ book, line }: StatementLine, entry: BookedEntry, units: BookUnits): readonly unknown[] {
  const { kind, amount, asset, from, to, height, tx, index, reason, corrects, bookedAt, name } = entry
  const time = timeOf(entry, line)
  return [
    ...[
      time,
      time.slice(0, 10),
      book.account,
      book.wallet,
      units.caip2,
      book.protocol,
      kind,
      asset,
      asset === 'native' ? units.symbol : null,
    ],
    // Numbers, which a spreadsheet takes for what they are also with a sign before them.
    ...[amount, number(amountText(amount, asset, units)), from, to, height, line.mark.hash, tx, index, reason],
    ...[isWhole(line), line.isSuperseded && corrects === null, corrects === null ? null : `${book.id}-${corrects}`],
    ...[bookedAt.toISOString(), `${book.id}-${line.n}-${name}`],
  ]
}

function koinlyRow({ book, line }: StatementLine, entry: BookedEntry, units: BookUnits): readonly unknown[] {
  const [amount, symbol] = moneyOf(entry, units)
  const moved = isLoss(entry) ? [amount, symbol, null, null] : [null, null, amount, symbol]
  const label = isLoss(entry) ? 'lost' : 'reward'
  const date = `${timeOf(entry, line).slice(0, 19).replace('T', ' ')} UTC`
  return [date, ...moved, null, null, null, null, label, describe(book, units, entry), entry.tx]
}

function coinTrackingRow({ book, line }: StatementLine, entry: BookedEntry, units: BookUnits): readonly unknown[] {
  const [amount, symbol] = moneyOf(entry, units)
  const moved = isLoss(entry) ? [null, null, amount, symbol] : [amount, symbol, null, null]
  const date = timeOf(entry, line).slice(0, 19).replace('T', ' ')
  return [
    isLoss(entry) ? 'Lost' : 'Staking',
    ...moved,
    null,
    null,
    book.protocol,
    book.wallet,
    `UTC; ${describe(book, units, entry)}`,
    date,
    entry.tx,
    null,
    null,
  ]
}

/** Describes an entry. One symbol is of many coins, so that the chain is named. */
function describe({ protocol, wallet }: StatementLine['book'], { caip2 }: BookUnits, { kind, asset }: BookedEntry): string {
  return `${kind} of ${asset} with ${protocol} on ${caip2} for ${wallet}`
}

/** Writes an amount and its currency. Another asset is named with its chain, as CAIP-19 has it: whoever makes a coin up can call it by the symbol of another. */
function moneyOf({ amount, asset }: BookedEntry, units: BookUnits): readonly [string, string] {
  return [amountText(amount, asset, units) ?? amount.toString(), asset === 'native' ? (units.symbol ?? asset) : `${units.caip2}/${asset}`]
}

function timeOf({ time }: BookedEntry, { mark }: StatementLine['line']): string {
  return (time ?? mark.time).toISOString()
}

/** Writes decimal text as a number, digit by digit. */
function number(text: string | null): unknown {
  return text === null ? null : { toString: () => text }
}
