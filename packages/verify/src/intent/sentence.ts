import { callText } from '../mismatch.ts'
import type { Call, Decoded } from '../types.ts'
import { formatUnits } from './amounts.ts'
import type { NetworkTerms } from './network.ts'
import type { Clause, Description, Intent } from './types.ts'

/** Functions that put calls into words. */
type Wording<T> = Pick<Intent<T>, 'describe'> & { readonly family: Pick<Intent['family'], 'validity' | 'isUnbound'> }

/** Puts a transaction into words. Every call is mentioned, including unknown ones. Never throws. */
export function describe<T>(intent: Wording<T>, terms: T & NetworkTerms, decoded: Decoded): Description {
  const clauses = decoded.calls.map((call) => clauseOf(intent, terms, call))
  const phrases = clauses.map(({ text }) => text)
  const { decimals, symbol, caip2 } = terms
  const deeds = phrases.length === 0 ? 'do nothing' : phrases.join(', then ')
  // What neither bytes nor signature are bound to is not said as if they were.
  const where = intent.family.isUnbound?.(decoded) ? `${caip2}, which the bytes do not name` : caip2
  const fee = `fee at most ${formatUnits(decoded.maxFee, decimals)} ${symbol}`
  const deed = `${deeds.charAt(0).toUpperCase()}${deeds.slice(1)} on ${where}`
  return {
    sentence: `${deed}; ${fee}; ${intent.family.validity(decoded)}.`,
    deed: `${deed}.`,
    moves: clauses.flatMap(({ moves }) => moves),
    known: clauses.length > 0 && clauses.every(({ known }) => known),
  }
}

/** Puts one call into words, including an unknown one, and tells whether the protocol knows it. Never throws. */
export function clauseOf<T>(
  intent: Pick<Intent<T>, 'describe'>,
  terms: T & NetworkTerms,
  call: Call,
): Clause & { readonly known: boolean } {
  const clause = call.method.startsWith('unknown') ? null : intent.describe(call, terms)
  if (clause === null) return { ...unknownClause(call, terms), known: false }
  return { ...clause, text: clause.text + sentAlong(clause, call.value, terms), known: true }
}

/** Describes a call that is none of the protocol: what is sent along leaves the wallet all the same. */
function unknownClause(call: Call, terms: NetworkTerms): Clause {
  const { target, method, value } = call
  const text =
    method === ''
      ? `send ${tokens(value, terms)} to ${escaped(target)}, a plain transfer that this protocol does not make`
      : `make a call that this protocol does not know, ${escaped(callText(call))}`
  return { text, moves: value === 0n ? [] : [{ kind: 'leaves', asset: 'native', amount: value }] }
}

/** Says what a call takes of the wallet beyond what its clause says. */
function sentAlong({ moves }: Clause, value: bigint, { decimals, symbol }: NetworkTerms): string {
  const total = moves.reduce((sum, { kind, asset, amount }) => (kind === 'leaves' && asset === 'native' ? sum + (amount ?? 0n) : sum), 0n)
  return value <= total ? '' : ` with ${formatUnits(value, decimals)} ${symbol} sent along`
}

/** Formats an amount of the native token with its symbol. */
export function tokens(amount: bigint, { decimals, symbol }: Pick<NetworkTerms, 'decimals' | 'symbol'>): string {
  return `${formatUnits(amount, decimals)} ${symbol}`
}

/** Quotes a text out of the bytes, so that its author cannot make it look like a part of the sentence. */
export function quoted(text: string): string {
  return escaped(JSON.stringify(text))
}

/** Writes a text in plain ASCII: in a sentence of ours a stranger's letters have no other form. */
function escaped(text: string): string {
  return text.replace(/[^ -~]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
