import { check } from '../check.ts'
import type { Call, Decoded, Mismatch } from '../types.ts'
import type { NetworkTerms } from './network.ts'
import { clauseOf } from './sentence.ts'
import type { Acts, AnyAction, Intent } from './types.ts'

/** Part of a transaction to which no request to the protocol leads. */
export interface Hidden {
  /** Description of the calls: a phrase that begins with a verb in lower case, without a full stop. */
  readonly phrase: string
  /** The calls themselves. */
  readonly calls: readonly Call[]
  /** Reason why they are not the protocol's: a phrase that follows the description and a comma. */
  readonly why: string
}

/** Most calls of which one is looked for that the others do without, and most that are said: a choice of this project. The longest transaction of an action here has five. */
const MOST_CALLS = 16
/** Longest phrase of one call, in characters: a message may have as many bytes as a transaction. A choice of this project. */
const MOST_TEXT = 600

/**
 * Compares a transaction that is about to be sent with the promises of the protocol. It has to do exactly what one request to one action leads to, on these terms, for one
 * of its signers; harmless additions are allowed. Fee, gas, and the end of its validity are the caller's own choice.
 *
 * @param signer tells who signs, where the bytes do not and a call depends on it; null: nobody knows yet, and it may be any account that the calls name
 * @returns null when it does
 */
export function hiddenIn<T>(
  intent: Intent<T>,
  terms: T & NetworkTerms,
  acts: Acts,
  signer: () => string | null = () => null,
): Hidden | null {
  const own: Compared<T> = { intent, terms, acts }
  const calls = toCompare(acts, acts.decoded.calls)
  const strange = calls.filter((call) => !clauseOf(intent, terms, call).known)
  if (strange.length > 0) return { phrase: phraseOf(own, strange), calls: strange, why: 'which no action of this protocol does' }
  const bare = { ...acts.decoded, calls }
  const signers = acts.signers ?? signersOf(own, bare, signer)
  const mismatches = nearest(own, bare, signers)
  return mismatches?.length === 0 ? null : told(own, bare, signers, mismatches)
}

interface Compared<T> {
  readonly intent: Intent<T>
  readonly terms: T & NetworkTerms
  readonly acts: Acts
}

function toCompare({ harmless }: Acts, calls: readonly Call[]): readonly Call[] {
  return harmless ? calls.filter((call) => !harmless(call)) : calls
}

/** Two accounts that nobody can be at once: what fits both depends on no signer. */
const ANYBODY = ['0', '1'].map((digit) => `0x${digit.repeat(40)}`)

/** Tells who may sign bytes that do not say it. To find out costs more than all the rest, and is done where a call depends on it. */
function signersOf<T>(own: Compared<T>, bare: Decoded, signer: () => string | null): readonly string[] {
  if (ANYBODY.every((each) => nearest(own, bare, [each])?.length === 0)) return ANYBODY
  const sender = signer()
  if (sender !== null) return [sender]
  const named = bare.calls.flatMap(({ args }) => Object.values(args).filter((value) => typeof value === 'string'))
  const addresses = new Set(named.filter((text) => /^0x[0-9a-f]{40}$/i.test(text)))
  return addresses.size === 0 ? ANYBODY : [...addresses].slice(0, MOST_CALLS)
}

/** Returns what is left unexplained by the action and the signer that explain most; null where the calls are those of no action. */
function nearest<T>(own: Compared<T>, bare: Decoded, signers: readonly string[]): readonly Mismatch[] | null {
  let best: readonly Mismatch[] | null = null
  for (const action of Object.values(own.intent.actions)) {
    for (const signer of signers) {
      const mismatches = compared(own, action, bare, signer)
      if (mismatches?.length === 0) return mismatches
      if (mismatches !== null && mismatches.length < (best?.length ?? Number.POSITIVE_INFINITY)) best = mismatches
    }
  }
  return best
}

/** @returns null for calls that are none of the action */
function compared<T>({ terms, acts }: Compared<T>, action: AnyAction, bare: Decoded, signer: string): readonly Mismatch[] | null {
  try {
    const input = action.requestOf?.(bare, signer, terms)
    if (input === undefined) return null
    const read = action.factsOf?.(bare, terms, input)
    const { signers, calls } = action.effects(terms, input, read?.facts)
    const { chainId, maxFee } = bare
    const beyond = (read?.claimed ?? []).filter(({ holds }) => !holds)
    // Who signs is who was asked for: the promise was made for him.
    const bytes = { chainId, signers: null, maxFee, calls: bare.calls, terms: {} }
    return [
      ...beyond.map(({ fact, value, bound }) => ({ path: `facts.${fact}`, expected: bound, found: value })),
      ...check(bytes, { signers, calls: toCompare(acts, calls) }, { chainId: terms.chainId, maxFee }),
    ]
  } catch {
    // What the bytes hold is no value of this action: no address, no key, no call of it.
    return null
  }
}

/** Says which call it is, and why. */
function told<T>(own: Compared<T>, bare: Decoded, signers: readonly string[], mismatches: readonly Mismatch[] | null): Hidden {
  const { calls } = bare
  if (calls.length === 0) return { phrase: 'do nothing', calls, why: 'which is no action of this protocol' }
  const few = calls.length > 1 && calls.length <= MOST_CALLS
  const extra = few ? calls.filter((_, i) => nearest(own, { ...bare, calls: calls.toSpliced(i, 1) }, signers)?.length === 0) : []
  if (extra.length === 1) return { phrase: phraseOf(own, extra), calls: extra, why: 'besides an action of this protocol' }
  const whole = { phrase: phraseOf(own, calls), calls }
  const [first] = mismatches ?? []
  // An action that explains no call at all says nothing of what would be right.
  if (extra.length > 0 || first === undefined || /^calls(\[\d+\])?$/.test(first.path))
    return { ...whole, why: calls.length > 1 ? 'which is not one action of this protocol' : 'which no action of this protocol does so' }
  return { ...whole, why: `where an action of this protocol has ${first.expected} in place of ${first.found}` }
}

function phraseOf<T>({ intent, terms }: Compared<T>, calls: readonly Call[]): string {
  const phrases = calls.slice(0, MOST_CALLS).map((call) => clipped(clauseOf(intent, terms, call).text))
  const more = calls.length - phrases.length
  return `${phrases.join(', then ')}${more > 0 ? `, and ${more} calls more` : ''}`
}

function clipped(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}… (${text.length} characters)` : text
}
