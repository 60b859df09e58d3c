import { bytesOf, digitsOf, integerOf } from '../bytes/hex.ts'
import type { Shape } from '../intent/input.ts'
import type { NetworkTerms, ResponseStatements } from '../intent/network.ts'
import { judge } from '../intent/review.ts'
import { describe } from '../intent/sentence.ts'
import type { AnyAction, Assumption, Intent } from '../intent/types.ts'
import { callText } from '../mismatch.ts'
import type { Decoded, Mismatch, Value } from '../types.ts'

/** Terms by their names, of whatever kind. */
export type AnyTerms = NetworkTerms & Readonly<Record<string, unknown>>

/** Request and terms that explain a transaction best. */
export interface Fit {
  readonly action: string
  readonly terms: AnyTerms
  readonly input: Readonly<Record<string, unknown>>
  /** Mismatches that remain even then; empty when the transaction is exactly what this protocol makes of that request. */
  readonly mismatches: readonly Mismatch[]
  /** Distance from a perfect fit, which has 0. */
  readonly score: number
  /** Indexes of calls that were left out of the comparison, since the others can be explained without them. */
  readonly extra: readonly number[]
}

/** Search for the request that explains a transaction. */
interface Fitting {
  readonly intent: Intent
  /** Known terms: all agreed ones, or those of the network alone. */
  readonly terms: AnyTerms
  /** Names of the terms that nobody has given, which are taken from the transaction. */
  readonly open: readonly string[]
  readonly stated: ResponseStatements
  /** Signer, as the family's requests name it. */
  readonly signer: string | undefined
  /** Bodies by action, where the request is known; else they are searched too. */
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Requested action, where it is known. */
  readonly action?: string | undefined
}

/** One thing to be found out, and what it might be. */
interface Variable {
  readonly name: string
  readonly of: 'terms' | 'input'
  readonly candidates: readonly unknown[]
}

/** Number of times that every variable is tried: the second time with better ones around it. */
const ROUNDS = 2

/**
 * Searches the action, the body and the open terms by which a protocol would have crafted exactly this transaction; each value tried is one from the transaction itself.
 * Anything that no request explains is returned as mismatches: a call too many, a lockup, somebody else's address.
 */
export function fit(decoded: Decoded, fitting: Fitting): Fit | null {
  const read = withoutOwnSignature(decoded)
  const whole = fitCalls(read, fitting, [])
  let best = whole
  // A call that was slipped in is not to make strangers of all that follow it.
  for (let left = 1; best !== null && best.score > 0 && left < read.calls.length && left <= MOST_EXTRA; left++) {
    const before: readonly number[] = best.extra
    const tried = read.calls.map((_, i) => i).filter((i) => !before.includes(i))
    const candidates = tried.map((i) => fitCalls(read, fitting, [...before, i])).filter((each) => each !== null)
    const least = candidates.reduce<Fit>((one, other) => (other.score < one.score ? other : one), best)
    if (least === best) break
    best = least
  }
  return best
}

/** Calls that are looked past at most. */
const MOST_EXTRA = 3

function fitCalls(read: Decoded, fitting: Fitting, extra: readonly number[]): Fit | null {
  const values = valuesIn(read, fitting)
  let best: Fit | null = null
  for (const [name, action] of Object.entries(fitting.intent.actions)) {
    if (fitting.inputs && !Object.hasOwn(fitting.inputs, name)) continue
    if (fitting.action !== undefined && fitting.action !== name) continue
    const candidate = fitAction(name, action, read, fitting, values, extra)
    if (best === null || candidate.score < best.score) best = candidate
  }
  return best
}

/** Compares the transaction with the fitted request on other terms, and returns the mismatches. Used to learn whether a change of one term would be noticed. */
export function judged(
  decoded: Decoded,
  { intent, stated: headers }: Pick<Fitting, 'intent' | 'stated'>,
  { action, input, extra }: Fit,
  terms: AnyTerms,
): readonly Mismatch[] {
  const declared = intent.actions[action]
  return declared === undefined
    ? []
    : mismatchesOf(declared, withoutOwnSignature(decoded), { intent, stated: headers }, terms, input, extra)
}

/** Lists the facts that are taken on the service's word where the transaction is exactly as requested, each within its bound; an empty list where it is not. */
export function assumedOf(
  decoded: Decoded,
  { intent, stated: headers }: Pick<Fitting, 'intent' | 'stated'>,
  { action, input, terms, score }: Fit,
): readonly Assumption[] {
  const declared = intent.actions[action]
  if (declared === undefined || score > 0) return []
  const verdict = judge({ intent, action: declared, terms, input, stated: headers }, withoutOwnSignature(decoded))
  return 'assumed' in verdict ? verdict.assumed : []
}

function fitAction(name: string, action: AnyAction, decoded: Decoded, fitting: Fitting, values: Values, extra: readonly number[]): Fit {
  const preset = fitting.inputs?.[name]
  const variables = [...(preset ? [] : inputVariables(action.input, fitting, values)), ...termVariables(fitting, values)]
  let chosen: readonly unknown[] = variables.map(({ candidates }) => candidates[0])
  const evaluate = (picked: readonly unknown[]): Fit => {
    const of = (where: Variable['of']) =>
      Object.fromEntries(variables.flatMap((each, i) => (each.of === where && picked[i] !== undefined ? [[each.name, picked[i]]] : [])))
    const terms: AnyTerms = { ...fitting.terms, ...of('terms') }
    const input = preset ?? of('input')
    const mismatches = mismatchesOf(action, decoded, fitting, terms, input, extra)
    return { action: name, terms, input, extra, mismatches, score: mismatches.reduce((sum, each) => sum + weight(each), 0) }
  }
  let best = evaluate(chosen)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { candidates }] of variables.entries()) {
      for (const candidate of candidates) {
        if (best.score === 0) return best
        if (candidate === chosen[i]) continue
        const picked = chosen.map((each, k) => (k === i ? candidate : each))
        const trial = evaluate(picked)
        if (trial.score < best.score) [best, chosen] = [trial, picked]
      }
    }
  }
  return best
}

function mismatchesOf(
  action: AnyAction,
  decoded: Decoded,
  { intent, stated: headers }: Pick<Fitting, 'intent' | 'stated'>,
  terms: AnyTerms,
  input: Readonly<Record<string, unknown>>,
  extra: readonly number[],
): readonly Mismatch[] {
  const remainder = decoded.calls.flatMap((call, i) => (extra.includes(i) ? [] : [{ call, i }]))
  try {
    const verdict = judge({ intent, action, terms, input, stated: headers }, { ...decoded, calls: remainder.map(({ call }) => call) })
    const mismatches = 'mismatches' in verdict ? verdict.mismatches : []
    const originals = mismatches.map((each) => ({
      ...each,
      path: each.path.replace(/^calls\[(\d+)\]/, (_, at) => `calls[${remainder[Number(at)]?.i ?? at}]`),
    }))
    return [...originals, ...extra.map((i) => ({ path: `calls[${i}]`, expected: 'nothing', found: callText(decoded.calls[i]) }))]
  } catch (error) {
    // A value that is tried and is no address of the chain, for one.
    return [{ path: 'input', expected: 'values of this protocol', found: error instanceof Error ? error.message : String(error) }]
  }
}

/** Drops mismatches that follow from others: arguments of a call that is a different call altogether, and an amount that is reported as an argument as well. */
export function withoutFollowers(mismatches: readonly Mismatch[]): readonly Mismatch[] {
  const others = mismatches.flatMap(({ path }) => /^(calls\[\d+\])\.method$/.exec(path)?.[1] ?? [])
  const values = mismatches.filter(({ path }) => /^calls\[\d+\]\.value$/.test(path))
  return mismatches.filter(({ path, expected, found: actual }) => {
    const [call = ''] = /^calls\[\d+\]/.exec(path) ?? []
    if (others.includes(call)) return !/\.(args|value)/.test(path)
    return (
      !path.includes('.args') ||
      !values.some((each) => each.path === `${call}.value` && each.expected === expected && each.found === actual)
    )
  })
}

/** Weighs a mismatch: one that cannot even be compared is farthest off, then another call than was expected, then another argument of the right call. */
function weight({ path }: Mismatch): number {
  if (/^(calls|bytes)$|^(input|args|terms)\b/.test(path)) return 1000
  if (path.startsWith('facts.')) return 15
  if (/^calls\[\d+\](\.method)?$/.test(path)) return 20
  if (/^calls\[\d+\]\.target$/.test(path)) return 5
  // Only the network's own would do, and it is none of the request.
  return path === 'maxFee' || path === 'chainId' ? 0.5 : 1
}

/** Values that may be tried for each kind. */
interface Values {
  readonly texts: readonly string[]
  readonly integers: readonly bigint[]
}

function inputVariables(shape: Shape, { intent, signer }: Fitting, { texts, integers }: Values): readonly Variable[] {
  return Object.entries(shape).map(([name, { kind, optional, minimum = 0, maximum = Number.MAX_SAFE_INTEGER }]): Variable => {
    const maybe = optional ? [undefined] : []
    const all = (candidates: readonly unknown[]): Variable => ({ name, of: 'input', candidates: [...maybe, ...candidates] })
    if (kind === 'flag') return all([true, false])
    if (kind === 'amount') return all(integers.length > 0 ? integers : [0n])
    if (kind === 'text') return name === intent.family.signer && signer !== undefined ? all([signer]) : all(texts.length > 0 ? texts : [''])
    const fitting = integers.filter((each) => each >= BigInt(minimum) && each <= BigInt(maximum)).map(Number)
    return all(fitting.length > 0 ? fitting : [minimum])
  })
}

function termVariables({ intent, open }: Fitting, { texts, integers }: Values): readonly Variable[] {
  return open.flatMap((name): readonly Variable[] => {
    const kind = intent.terms[name]
    if (kind === undefined) return []
    const numbers = integers.filter((each) => each <= BigInt(Number.MAX_SAFE_INTEGER)).map(Number)
    // Which validators were the operator's before is nothing that a transaction says.
    if (kind.type === 'list') return []
    const options: readonly unknown[] = kind.type === 'text' ? texts : kind.type === 'integer' ? numbers : ['0']
    const none = kind.type === 'text' ? '' : 0
    return [{ name, of: 'terms', candidates: [...(kind.optional ? [undefined] : []), ...(options.length > 0 ? options : [none])] }]
  })
}

/** Lists every value of the transaction, each once: of calls, and of calls within calls. */
function valuesIn(decoded: Decoded, { intent, terms }: Fitting): Values {
  const [texts, integers] = [new Set<string>(), new Set<bigint>()]
  const note = (value: Value): void => {
    if (typeof value === 'bigint') integers.add(value)
    else if (typeof value === 'string') {
      texts.add(value)
      // `direct:<address>` in a memo.
      if (/[:=&]/.test(value)) for (const part of value.split(/[:=&]/)) texts.add(part)
      for (const word of wordsOf(value)) {
        integers.add(integerOf(word))
        if (word.subarray(0, 12).every((byte) => byte === 0)) texts.add(`0x${digitsOf(word.subarray(12))}`)
      }
    } else if (typeof value === 'object') value.forEach(note)
  }
  for (const { args, value } of decoded.calls) {
    integers.add(value)
    Object.values(args).forEach(note)
  }
  for (const { amount } of describedMoves(decoded, intent, terms)) if (amount !== null) integers.add(amount)
  for (const each of [...decoded.calls.map(({ target }) => target), ...(decoded.signers ?? []), ...(decoded.keys ?? [])]) texts.add(each)
  return { texts: [...texts], integers: [...integers] }
}

function describedMoves(decoded: Decoded, intent: Intent, terms: AnyTerms) {
  try {
    return describe(intent, terms, decoded).moves
  } catch {
    return []
  }
}

/** Cuts a call that is itself an argument into the words of 32 bytes behind its selector; empty where it has another length. */
function wordsOf(text: string): readonly Uint8Array[] {
  const bytes = bytesOf(text)
  if (bytes === null || bytes.length < 36 || (bytes.length - 4) % 32 !== 0) return []
  return Array.from({ length: (bytes.length - 4) / 32 }, (_, i) => bytes.subarray(4 + 32 * i, 36 + 32 * i))
}

/** Removes the payer's own signature, where a family tells signatures among the terms: the payer has signed once the transaction is to be sent, which is no property of what was crafted. */
function withoutOwnSignature(decoded: Decoded): Decoded {
  const { signed, ...terms } = decoded.terms
  if (typeof signed !== 'string') return decoded
  const others = signed.split(',').filter((each) => each !== decoded.signers?.[0])
  return { ...decoded, terms: others.length === 0 ? terms : { ...terms, signed: others.join(',') } }
}
