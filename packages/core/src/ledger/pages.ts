import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { EntryKind, UnknownReason } from '@svc/contract/book'
import type { BookedEntry, StoredLine } from './stored-lines.ts'

/**
 * Lines of a page. With 32 of them a line takes 59 bytes of SQLite and 97 of PostgreSQL, with 16 it takes 57 and 94, since fewer wait as rows, which take some 500 bytes each
 * (`test/ledger/size.test.ts`, 2026-11-30).
 */
export const PAGE_LINES = 16

/** First byte of a page, so that another form can be told apart. */
const FORM = 1
/** Largest page that is unpacked, in bytes: what is larger was not written here. */
const MOST_BYTES = 64_000_000

type PackedAmounts = Record<string, string>
type PackedEntry = readonly [
  ...[name: string, kind: EntryKind, asset: string, amount: string, from: string, to: string, height: string | null],
  ...[at: number | null, tx: string | null, index: number | null, reason: UnknownReason | null, corrects: string | null, bookedAt: number],
]
type PackedLine = readonly [
  ...[n: number, height: string | null, hash: string | null, at: number, epoch: number | null],
  ...[closing: PackedAmounts, rewards: PackedAmounts, opening: number | null, flags: number, reasons: readonly UnknownReason[]],
  ...[source: number, bookedAt: number, entries: readonly PackedEntry[]],
]

/** Packs lines of a book, with their marks and entries, into one page: JSON, compressed. */
export function packPage(lines: readonly StoredLine[]): Buffer {
  const packed = lines.map(
    ({ n, mark, closing, rewards, opening, flags, reasons, source, bookedAt, entries }): PackedLine => [
      ...([n, textOf(mark.height), mark.hash, mark.time.getTime(), mark.epoch] as const),
      ...([textsOf(closing), textsOf(rewards), opening, flags, reasons] as const),
      ...([source, bookedAt.getTime(), entries.map(packEntry)] as const),
    ],
  )
  return Buffer.concat([Buffer.from([FORM]), deflateRawSync(JSON.stringify(packed))])
}

/** Reads what `packPage` wrote. @throws RangeError for a page of another form, and the fault of its damage */
export function unpackPage(page: Uint8Array): readonly StoredLine[] {
  if (page[0] !== FORM) throw new RangeError(`a page of the form ${page[0]}, which this version does not know`)
  const packed = JSON.parse(inflateRawSync(page.subarray(1), { maxOutputLength: MOST_BYTES }).toString()) as readonly PackedLine[]
  return packed.map(([n, height, hash, at, epoch, closing, rewards, opening, flags, reasons, source, bookedAt, entries]) => ({
    n,
    mark: { height: unitsOf(height), hash, time: new Date(at), epoch },
    closing: amountsOf(closing),
    rewards: amountsOf(rewards),
    opening,
    flags,
    reasons,
    source,
    bookedAt: new Date(bookedAt),
    entries: entries.map((entry) => unpackEntry(n, entry)),
  }))
}

function packEntry({ name, kind, asset, amount, from, to, height, time, tx, index, reason, corrects, bookedAt }: BookedEntry): PackedEntry {
  return [
    name,
    kind,
    asset,
    amount.toString(),
    from,
    to,
    textOf(height),
    time?.getTime() ?? null,
    tx,
    index,
    reason,
    corrects,
    bookedAt.getTime(),
  ]
}

function unpackEntry(
  line: number,
  [name, kind, asset, amount, from, to, height, at, tx, index, reason, corrects, bookedAt]: PackedEntry,
): BookedEntry {
  const time = at === null ? null : new Date(at)
  const [units, booked] = [BigInt(amount), new Date(bookedAt)]
  return { line, name, kind, asset, amount: units, from, to, height: unitsOf(height), time, tx, index, reason, corrects, bookedAt: booked }
}

function textsOf(amounts: Readonly<Record<string, bigint>>): PackedAmounts {
  return Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [key, amount.toString()]))
}

function amountsOf(texts: PackedAmounts): Record<string, bigint> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, BigInt(text)]))
}

function textOf(height: bigint | null): string | null {
  return height === null ? null : height.toString()
}

function unitsOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}
