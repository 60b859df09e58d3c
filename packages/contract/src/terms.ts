import { isServiceError } from './errors.ts'
import { membersOf } from './members.ts'

const KINDS = { power: true, fee: true, rule: true } as const
/** Most terms of one validator or pool, and longest text of one, in characters: a reading is kept as JSON, and an event names a value whole. */
const MOST_TERMS = 40
const LONGEST = 200

/**
 * A term of a product that somebody else may change without its customers:
 *
 * - `power`: who may change the product or move what is staked there, such as the implementation behind a proxy, its owner, an upgrade authority;
 * - `fee`: what the product takes, in percent;
 * - `rule`: what the product asks of a stake, such as the time of an unbonding or the least amount.
 */
export interface Term {
  readonly kind: keyof typeof KINDS
  /** Name of the term, a word of the protocol in snake case, the same in each reading. A fee named `commission` is the share of the rewards. @example implementation */
  readonly name: string
  /** Value of the term: the holder in the chain's own form, the percentage as exact decimal text, or the value with its unit; null where the chain names nobody, or has none. */
  readonly value: string | null
  /** Epoch from which an announced value counts; null: it counts now, or the chain does not say when. */
  readonly effectiveEpoch: number | null
}

/** A value that the chain announces before it counts. */
interface ComingValue {
  readonly value: string | null
  readonly effectiveEpoch: number
}

/**
 * Lists the terms of one kind from their values by name. An undefined value could not be read and is left out: the host keeps the former one. Of an announced change, the
 * value is the coming one, so that it is reported once, ahead of time.
 */
export function termsOf(kind: Term['kind'], values: Readonly<Record<string, string | null | undefined | ComingValue>>): readonly Term[] {
  return Object.entries(values).flatMap(([name, value]): readonly Term[] => {
    if (value === undefined) return []
    if (value === null || typeof value === 'string') return [{ kind, name, value, effectiveEpoch: null }]
    return [{ kind, name, ...value }]
  })
}

/** Waits for a reading that a chain can be used without. @returns undefined where the reading ends with a 502, 503 or 504 */
export async function ifServed<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (!isServiceError(error)) throw error
    return undefined
  }
}

/** Returns the first fault of a list of terms, as a clause; null for a well-formed list. */
export function flawOfTerms(terms: unknown): string | null {
  if (!Array.isArray(terms)) return 'its terms are no list'
  if (terms.length > MOST_TERMS) return `it names ${terms.length} terms, and ${MOST_TERMS} is the most`
  const flaw = terms.map((each: unknown) => flawOf(membersOf(each))).find((each) => each !== null)
  const names = new Set(terms.map((each: unknown) => `${membersOf(each).kind} ${membersOf(each).name}`))
  return flaw ?? (names.size < terms.length ? 'it names a term twice' : null)
}

function flawOf({ kind, name, value, effectiveEpoch: epoch }: Readonly<Record<string, unknown>>): string | null {
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) return `the kind of a term is ${String(kind)}`
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]*$/.test(name)) return `${String(name)} is no name of a term: it is a word in snake case`
  const isText = typeof value === 'string' && value !== '' && value.length <= LONGEST
  if (value !== null && !isText) return `the value of ${name} is no text of 1 to ${LONGEST} characters`
  if (kind === 'fee' && value !== null && !(isText && isPercent(value))) return `the fee ${name} is ${value}, which is no percentage`
  if (epoch !== null && !(Number.isSafeInteger(epoch) && Number(epoch) >= 0)) return `${name} counts from the epoch ${String(epoch)}`
  return null
}

function isPercent(text: string): boolean {
  return /^(?:\d{1,2}(?:\.\d{1,40})?|100)$/.test(text)
}
