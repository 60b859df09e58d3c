import { check } from '../check.ts'
import { DecodeError } from '../errors.ts'
import type { Decoded, Effects, Mismatch } from '../types.ts'
import type { Explanation } from './explained.ts'
import type { Shape } from './input.ts'
import { Refused } from './refusal.ts'
import { type Judged, judge } from './review.ts'
import type { CraftRejection, CraftReview, Freedom, SentReview, SignedReview, SignedRules } from './types.ts'

/** Signed transaction, and the request that it is checked against. */
export interface SignedTransactionReview<T, S extends Shape, F> extends Judged<T, S, F> {
  /** Signed transaction in the chain's form: hex or base64. */
  readonly signed: string
  /**
   * Craft that was handed out for signing, as `review` has judged it: the signer may change of it what `Family.signed` allows.
   *
   * @default it is not known, so that nothing is compared with it
   */
  readonly craft?: Pick<CraftReview, 'decoded' | 'effects'> | undefined
  /** Names of further terms that the signer was free to choose: `nonce`. @default none */
  readonly chosen?: readonly string[] | undefined
}

/**
 * Checks a signed transaction against the request, as `review` checks a craft, whoever has written its bytes. It requires all signatures, by the signer of the order, over
 * these bytes; the same calls and no others; fee and counters within their bounds; and nothing else that differs from the craft except the choices of a wallet. Never
 * throws because of the transaction.
 *
 * @throws DecodeError for a family that cannot read signed transactions
 */
export async function reviewSigned<T, S extends Shape, F>(
  request: SignedTransactionReview<T, S, F>,
): Promise<SignedReview | CraftRejection> {
  const { signed, craft, chosen = [] } = request
  const reading = await readSigned(request)
  if ('mismatches' in reading) return reading
  const { read, rules, decoded, unsigned } = reading
  const judged = judge(request, decoded)
  const changes = craft === undefined ? [] : differences(craft.decoded, decoded)
  const forbidden = changes.filter(({ name, before, now }) => !mayBe(rules.free[name], before, now) && !chosen.includes(name))
  const mismatches = [
    ...unsigned,
    // What was taken on the service's word in the craft is what the wallet's owner has agreed to.
    ...('mismatches' in judged ? judged.mismatches : craft === undefined ? [] : compareCalls(decoded, craft.effects)),
    ...forbidden.map(({ name, before, now }) => ({
      path: `terms.${name}`,
      expected: rightText(rules.free[name], before),
      found: text(now),
    })),
  ]
  if ('mismatches' in judged || mismatches.length > 0) return { mismatches }
  // One that is signed has its hash.
  return { ...judged, txHash: read.txHash ?? '', body: rules.body(signed), changed: changes.map(choiceOf) }
}

/** Transaction that a wallet has sent by itself, and the craft that it was to send. */
export interface SentTransactionReview<T> extends SignedBytes<T> {
  /** Craft, as `review` has judged it. */
  readonly craft: Pick<CraftReview, 'decoded' | 'effects'>
}

/**
 * Checks a transaction that is with the chain already against the craft that a wallet was handed: the same calls with the same arguments and values, by the signer of the
 * order, on its chain, and none that was sent before the craft. Fee, gas and counter are what the wallet chose and its owner pays, so that they are told in `changed`, and
 * bounded by nothing. Never throws because of the transaction.
 *
 * @returns mismatches for any other transaction, which may have moved something all the same
 * @throws DecodeError for a family that cannot read signed transactions
 */
export async function reviewSent<T>(request: SentTransactionReview<T>): Promise<SentReview | CraftRejection> {
  const { intent, signed, craft } = request
  const reading = await readSigned(request)
  if ('mismatches' in reading) return reading
  const { read, rules, decoded, unsigned } = reading
  const { counter = '' } = intent.family
  const changes = differences(craft.decoded, decoded)
  // One of an earlier order for the same is of a count below: what was crafted later is not done by it.
  const earlier = changes.filter(({ name, before, now }) => name === counter && !mayBe('more', before, now))
  const mismatches = [
    ...unsigned,
    ...check(decoded, craft.effects, { chainId: craft.decoded.chainId ?? '', maxFee: decoded.maxFee }),
    ...earlier.map(({ name, before, now }) => ({ path: `terms.${name}`, expected: rightText('more', before), found: text(now) })),
  ]
  if (mismatches.length > 0) return { mismatches }
  return { txHash: read.txHash ?? '', body: rules.body(signed), changed: changes.map(choiceOf) }
}

/** Signed transaction, and what its bytes are read by. */
type SignedBytes<T> = Pick<SignedTransactionReview<T, Shape, never>, 'intent' | 'terms' | 'signed' | 'stated'>

/** A signed transaction as it was read. */
interface SignedReading {
  readonly read: Explanation
  readonly rules: SignedRules
  /** Without the harmless additions of wallets. */
  readonly decoded: Decoded
  /** Signatures that are wanting. */
  readonly unsigned: readonly Mismatch[]
}

/** @throws DecodeError for a family that cannot read signed transactions */
async function readSigned<T>({ intent, terms, signed, stated = {} }: SignedBytes<T>): Promise<SignedReading | CraftRejection> {
  const { family } = intent
  const { explain, signed: rules } = family
  if (!explain || !rules) throw new DecodeError(`signed transactions of the family ${family.name} cannot be read`)
  try {
    const read = await explain(signed, intent.layouts(terms), terms, stated)
    return { read, rules, decoded: rules.without?.(read.decoded) ?? read.decoded, unsigned: unsignedBy(read) }
  } catch (error) {
    if (Refused.is(error)) return { mismatches: [error.mismatch] }
    const sentence = error instanceof Error ? error.message : String(error)
    return { mismatches: [{ path: 'bytes', expected: 'one signed transaction in canonical form', found: sentence }] }
  }
}

function choiceOf({ name, before, now }: Difference): Mismatch {
  return { path: `terms.${name}`, expected: text(before), found: text(now) }
}

function compareCalls(decoded: Decoded, effects: Effects): readonly Mismatch[] {
  return check(decoded, effects, { chainId: decoded.chainId ?? '', maxFee: decoded.maxFee })
}

/** Signatures that are not there, or not right, or cannot be told to be. */
function unsignedBy({ form, signers }: Explanation): readonly Mismatch[] {
  const wrong = signers.filter(({ signature }) => signature !== 'right')
  if (form === 'signed' && signers.length > 0 && wrong.length === 0) return []
  if (wrong.length === 0) return [{ path: 'signatures', expected: 'one of each signer', found: 'none' }]
  return wrong.map(({ address, signature }) => ({
    path: 'signatures',
    expected: `one by ${address} over these bytes`,
    found: FOUND[signature],
  }))
}

const FOUND = {
  missing: 'none',
  right: 'one',
  wrong: 'one by another key, over something else, or in a form that the chain does not take',
  unchecked: 'one that cannot be checked without what the service says beside the bytes, such as the number of the account',
} as const

interface Difference {
  readonly name: string
  readonly before: string | bigint | undefined
  readonly now: string | bigint | undefined
}

function differences(craft: Decoded, signed: Decoded): readonly Difference[] {
  const names = [...new Set([...Object.keys(craft.terms), ...Object.keys(signed.terms)])]
  return names.flatMap((name) => {
    const [before, now] = [craft.terms[name], signed.terms[name]]
    return before === now ? [] : [{ name, before, now }]
  })
}

function mayBe(rule: Freedom | undefined, before: Difference['before'], now: Difference['now']): boolean {
  if (rule === undefined || rule === 'any') return rule === 'any'
  return typeof now === 'bigint' && typeof before === 'bigint' && now >= leastOf(rule, before)
}

function leastOf(rule: Exclude<Freedom, 'any'>, before: bigint): bigint {
  return rule === 'half' ? (before + 1n) / 2n : before
}

function rightText(rule: Freedom | undefined, before: Difference['before']): string {
  if ((rule === 'more' || rule === 'half') && typeof before === 'bigint')
    return `at least ${leastOf(rule, before)}; it was crafted with ${before}`
  return `${text(before)}, as it was crafted`
}

function text(value: Difference['before']): string {
  return value === undefined ? 'none' : String(value)
}
