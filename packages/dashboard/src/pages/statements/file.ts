import type { PositionBucket } from '../../api/positions.ts'
import type { StatementEntry } from '../../api/statements.ts'
import { unitsOf } from '../../text/decimal.ts'
import { standing } from './sheet.ts'

/** Form of a file: everything, or what Koinly or CoinTracking import. */
export type Layout = 'own' | 'koinly' | 'cointracking'

/** Moment at which a reward is income, in a form for import. */
export type Recognition = 'accrual' | 'claim'

/** Forms to choose from. */
export const LAYOUTS = [
  { value: 'own', label: 'All entries' },
  { value: 'koinly', label: 'Koinly' },
  { value: 'cointracking', label: 'CoinTracking' },
] as const satisfies readonly { readonly value: Layout; readonly label: string }[]

/** Columns of what comes in and of what goes out, in the forms for import. @see docs/ledger.md */
const MONEY: Readonly<Partial<Record<Layout, readonly [income: number, loss: number]>>> = { koinly: [3, 1], cointracking: [1, 3] }

/** Tells whether a form leaves out what is no income. */
export function isForImport(layout: Layout): boolean {
  return MONEY[layout] !== undefined
}

/** Splits CSV into its records, quotes and line breaks within cells included. */
export function recordsOf(csv: string): readonly (readonly string[])[] {
  const records: string[][] = []
  let record: string[] = []
  for (const [, quoted, bare = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (end === '' && record.length === 0 && quoted === undefined && bare === '') break
    record.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end !== ',') {
      records.push(record)
      record = []
    }
    if (end === '') break
  }
  return records
}

/** A file as it would be saved, looked through. */
interface FileFacts {
  /** Number of entries in it. */
  readonly rows: number
  /** First lines of the very file, with that of its columns. */
  readonly head: readonly string[]
  /** Entries of the statement that it has not. */
  readonly leftOut: number
  /** True if its rows are those of the statement: their number, and in a form for import their exact sum. */
  readonly agrees: boolean
}

/** Lines of a file that are shown, besides that of its columns. */
const SHOWN = 3

/** Looks through a file, and holds it to the entries of the statement. */
export function factsOf(
  text: string,
  layout: Layout,
  recognise: Recognition,
  entries: readonly StatementEntry[],
  buckets: readonly PositionBucket[],
): FileFacts {
  const [, ...rows] = recordsOf(text)
  const head = text
    .split(/\r?\n/)
    .slice(0, SHOWN + 1)
    .filter((line) => line !== '')
  const expected = layout === 'own' ? entries : standing(entries).filter((entry) => isRow(entry, recognise, buckets))
  const agrees = rows.length === expected.length && (layout === 'own' || sumOf(rows, layout) === sumOfEntries(expected))
  return { rows: rows.length, head, leftOut: entries.length - rows.length, agrees }
}

/** Tells whether an entry is income or a loss. Where claims count, so does a reward that never waits for one. @see docs/ledger.md */
function isRow({ kind, to }: StatementEntry, recognise: Recognition, buckets: readonly PositionBucket[]): boolean {
  if (kind === 'slash') return true
  if (kind === 'reward') return recognise === 'accrual' || buckets.find(({ name }) => name === to.split(':')[0])?.kind !== 'accrual'
  return recognise === 'claim' && (kind === 'claim' || kind === 'compound')
}

/** Places that hold every amount: no token has more. */
const PLACES = 36

function sumOf(rows: readonly (readonly string[])[], layout: Layout): bigint {
  const [income, loss] = MONEY[layout] ?? [0, 0]
  return rows.reduce((sum, row) => sum + (unitsOf(row[income] || '0', PLACES) ?? 0n) - (unitsOf(row[loss] || '0', PLACES) ?? 0n), 0n)
}

function sumOfEntries(entries: readonly StatementEntry[]): bigint {
  return entries.reduce((sum, { kind, amount, amount_base }) => {
    const units = unitsOf(amount ?? amount_base, PLACES) ?? 0n
    return kind === 'slash' ? sum - units : sum + units
  }, 0n)
}
