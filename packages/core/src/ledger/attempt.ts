import type { BookReading, UnknownReason } from '@svc/contract/book'
import type { BookLooks, BookSource } from '../plugins/book-source.ts'
import { type Closing, closeInterval } from './close.ts'
import type { Base } from './lines.ts'

/** Result of a look at a wallet for its book. */
export type Attempt =
  /** The first reading. */
  | { readonly kind: 'opened'; readonly reading: BookReading }
  /** An interval from one of the bases on. @see Closed */
  | ({ readonly kind: 'closed'; readonly source: number } & Closed)
  /** No endpoint is past the last reading. */
  | { readonly kind: 'behind' }

/** An interval that was closed, with what it is closed by. */
interface Closed {
  readonly base: Base
  readonly reading: BookReading
  readonly closing: Closing
}

/** Reasons that no endpoint can remove. */
const LASTING: ReadonlySet<UnknownReason> = new Set(['not_declared'])

/**
 * Reads a position, and closes the interval since an earlier reading. Where that leaves something unexplained, each endpoint is asked separately: the first answer that
 * explains everything counts, since it adds up by the chain's own rules, which a false or incomplete answer does not. Where none does, the usual endpoint's answer is
 * taken. While the last reading has left something open, the interval is first tried from the one before it.
 *
 * @param bases the readings that are kept, newest first
 * @throws 502, 503, 504 when no endpoint could tell, TypeError for a fault of the plugin
 */
export async function attempt({ buckets, usual, witnesses }: BookLooks, wallet: string, bases: readonly Base[]): Promise<Attempt> {
  if (bases.length === 0) return { kind: 'opened', reading: await usual.reading(wallet) }
  const last = bases[0]?.reading
  const [reading, ...holding] = await Promise.all([usual.reading(wallet, last), ...bases.map(({ reading: { mark } }) => usual.holds(mark))])
  const others = holding.every((each) => each) ? null : witnesses()
  const standing = await Promise.all(
    bases.map(async ({ reading: { mark } }, index) => holding[index] === true || (await isHeldByAny(others ?? [], mark))),
  )
  const usable = bases.filter((_, index) => standing[index])
  const [next] = usable
  if (next === undefined) return withoutBase(bases, reading, buckets)
  const from = next.isComplete
    ? [next]
    : [
        ...usable
          .slice(1)
          .filter(({ isComplete }) => isComplete)
          .slice(0, 1),
        next,
      ]
  const [oldest = next] = from
  const first = await closedBy(usual, wallet, reading, from, buckets)
  const answers = first.map((each) => ({ kind: 'closed' as const, source: 0, ...each }))
  if (!first.every(({ closing }) => isSettled(closing))) {
    for (const [index, witness] of (others ?? witnesses()).entries()) {
      // One that does not answer contradicts nobody.
      const told = await witness.reading(wallet, last).then(
        (own) => closedBy(witness, wallet, own, from, buckets).catch(() => []),
        () => [],
      )
      answers.push(
        ...told.filter(({ closing }) => closing.complete).map((each) => ({ kind: 'closed' as const, source: index + 1, ...each })),
      )
      if (answers.some(({ base, closing }) => closing.complete && base === oldest)) break
    }
  }
  const whole = answers.filter(({ closing }) => closing.complete)
  const usualAnswer = answers.filter(({ source }) => source === 0).at(-1)
  return whole.find(({ base }) => base === oldest) ?? whole[0] ?? usualAnswer ?? { kind: 'behind' }
}

/** Tells whether asking another endpoint could change nothing about a closing. */
export function isSettled({ complete, reasons }: Closing): boolean {
  return complete || reasons.every((reason) => LASTING.has(reason))
}

/** Closes what one source tells, from each base in turn until everything is explained. @returns nothing where the reading is not past the bases */
async function closedBy(
  source: BookSource,
  wallet: string,
  reading: BookReading,
  bases: readonly Base[],
  buckets: BookLooks['buckets'],
): Promise<readonly Closed[]> {
  if (bases.some((base) => !isPast(reading, base.reading))) return []
  const closed: Closed[] = []
  for (const base of bases) {
    const flows = source.flows ? await source.flows(wallet, base.reading, reading) : null
    const earned = flows && source.earned ? await source.earned(wallet, base.reading, reading, flows) : null
    const closing = closeInterval({ buckets, opening: base.reading, closing: reading, flows, earned })
    const shown = closing.complete ? { ...reading, keep: { ...reading.keep, ...earned?.keep } } : reading
    closed.push({ base, reading: shown, closing })
    if (closing.complete) break
  }
  return closed
}

/** Tells whether any endpoint has a block that another one has not: it is gone when none has. */
async function isHeldByAny(sources: readonly BookSource[], mark: BookReading['mark']): Promise<boolean> {
  const answers = await Promise.allSettled(sources.map((source) => source.holds(mark)))
  return answers.some((answer) => answer.status === 'fulfilled' && answer.value)
}

/** Makes the attempt where the blocks of all readings that are kept are gone: what happened since the last one is open. */
function withoutBase(bases: readonly Base[], reading: BookReading, buckets: BookLooks['buckets']): Attempt {
  const base = bases.at(-1)
  if (base === undefined || !isPast(reading, base.reading)) return { kind: 'behind' }
  const flows = { flows: [], missing: 'endpoint_disagrees' as const }
  const closing = closeInterval({ buckets, opening: base.reading, closing: reading, flows, earned: null })
  return { kind: 'closed', source: 0, base, reading, closing }
}

/** Readings without a height are told apart by their times. */
function isPast({ mark }: BookReading, { mark: before }: BookReading): boolean {
  if (mark.height === null || before.height === null) return mark.time > before.time
  return mark.height > before.height
}
