import type { PositionDetail } from '../../api/positions.ts'
import type { Statement, StatementEntry } from '../../api/statements.ts'
import { api } from '../../state/session.ts'
import type { Layout, Recognition } from './file.ts'
import { daysBetween, type Period } from './period.ts'
import { PART, queryOf, type StatementWallet } from './place.ts'
import { endsOf, type NoEnds, type Proof, proofOf, type Sheet, sheetOf } from './sheet.ts'

/** Most days of a book that the API gives. */
const MOST_DAYS = 366
/** Days before a period in which its opening is looked for. */
const BEFORE = 32

/** A statement with what it was made of. */
export interface ReadStatement {
  readonly detail: PositionDetail
  readonly entries: readonly StatementEntry[]
  readonly sheet: Sheet
  readonly proof: Proof
  /** First day whose readings are in it, and the day of its opening. */
  readonly from: string
  readonly opening: string
  readonly closing: string
}

/**
 * Reads a wallet's days and entries, and makes the statement of a period. Of one that lasts, a reading may be written between the two answers: what does not add up is read once more.
 *
 * @param today in UTC, such as `2026-11-28`
 */
export async function readStatement(
  place: StatementWallet,
  period: Period,
  today: string,
  signal: AbortSignal,
): Promise<ReadStatement | NoEnds> {
  const once = await readOnce(place, period, today, signal)
  const isLasting = period.to > today
  return isLasting && typeof once !== 'string' && once.proof.verdict === 'differs' ? await readOnce(place, period, today, signal) : once
}

async function readOnce(place: StatementWallet, period: Period, today: string, signal: AbortSignal): Promise<ReadStatement | NoEnds> {
  const { account, protocol, network, wallet } = place
  const days = Math.max(1, Math.min(MOST_DAYS, daysBetween(period.from, today) + BEFORE))
  const path = `positions/${[protocol, network, wallet].map(encodeURIComponent).join('/')}`
  const detail = await api.call<PositionDetail>(path, { signal, query: { account, days } })
  const ends = endsOf(detail, period)
  if (typeof ends === 'string') return ends
  // Where several accounts watch the wallet, each has a book of it.
  const own = { ...place, account: detail.account }
  const entries: StatementEntry[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const query = { ...queryOf(own, ends.from, period.to), after, limit: PART }
    const part: Statement = await api.call<Statement>('statements', { signal, query })
    entries.push(...part.entries)
    after = part.next
  }
  const sheet = sheetOf(detail, entries, ends, period, today)
  return { detail, entries, sheet, proof: proofOf(sheet), from: ends.from, opening: ends.opening.day, closing: ends.closing.day }
}

/** Reads the file of a statement whole, in as many parts as it takes; the names of its columns stand once. */
export async function readFile(
  place: StatementWallet,
  { from, to }: { readonly from: string; readonly to: string },
  { layout, recognise }: { readonly layout: Layout; readonly recognise: Recognition },
  signal: AbortSignal,
): Promise<string> {
  let file = ''
  for (let after: string | null | undefined; after !== null; ) {
    const query = { ...queryOf(place, from, to), format: 'csv', layout, recognise, after, limit: PART }
    const { text, headers } = await api.text('statements', { signal, query })
    file += file === '' ? text : text.slice(text.indexOf('\n') + 1)
    after = headers.get('x-next')
  }
  return file
}
