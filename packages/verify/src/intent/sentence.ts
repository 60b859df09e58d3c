import { callText } from '../mismatch.ts'
import type { Call, Decoded } from '../types.ts'
import { formatUnits } from './amounts.ts'
import type { NetworkTerms } from './network.ts'
import type { Clause, Intent, Move } from './types.ts'

/** A transaction in words. */
export interface Described {
  /** One sentence of English, from the decoded bytes alone: exact amounts, whole addresses, the fee at most, until when it can be sent. */
  readonly sentence: string
  readonly moves: readonly Move[]
  /** Whether every call is one that the protocol knows. */
  readonly known: boolean
}

/** What puts calls into words. */
type Wording<T> = Pick<Intent<T>, 'describe'> & { readonly family: Pick<Intent['family'], 'validity'> }

/** Puts a transaction into words. Every call is said, also one that nobody knows. Never throws. */
export function describe<T>(intent: Wording<T>, terms: T & NetworkTerms, decoded: Decoded): Described {
  const clauses = decoded.calls.map((call) => {
    const clause = call.method.startsWith('unknown') ? null : intent.describe(call, terms)
    return { call, clause, said: clause ?? unknownClause(call, terms) }
  })
  const phrases = clauses.map(({ call, said, clause }) => said.text + (clause ? sentAlong(said, call.value, terms) : ''))
  const { decimals, symbol, caip2 } = terms
  const deeds = phrases.length === 0 ? 'do nothing' : phrases.join(', then ')
  const fee = `fee at most ${formatUnits(decoded.maxFee, decimals)} ${symbol}`
  return {
    sentence: `${deeds.charAt(0).toUpperCase()}${deeds.slice(1)} on ${caip2}; ${fee}; ${intent.family.validity(decoded)}.`,
    moves: clauses.flatMap(({ said }) => said.moves),
    known: clauses.length > 0 && clauses.every(({ clause }) => clause !== null),
  }
}

/** A call that is none of the protocol: what is sent along leaves the wallet all the same. */
function unknownClause(call: Call, terms: NetworkTerms): Clause {
  const { target, method, value } = call
  const text =
    method === ''
      ? `send ${tokens(value, terms)} to ${printable(target)}, a plain transfer that this protocol does not make`
      : `make a call that this protocol does not know, ${printable(callText(call))}`
  return { text, moves: value === 0n ? [] : [{ kind: 'leaves', asset: 'native', amount: value }] }
}

/** What a call takes of the wallet beyond what its clause says. */
function sentAlong({ moves }: Clause, value: bigint, { decimals, symbol }: NetworkTerms): string {
  const said = moves.reduce((sum, { kind, asset, amount }) => (kind === 'leaves' && asset === 'native' ? sum + (amount ?? 0n) : sum), 0n)
  return value <= said ? '' : ` with ${formatUnits(value, decimals)} ${symbol} sent along`
}

/** An amount of the native token with its symbol. */
export function tokens(amount: bigint, { decimals, symbol }: Pick<NetworkTerms, 'decimals' | 'symbol'>): string {
  return `${formatUnits(amount, decimals)} ${symbol}`
}

/** A text out of the bytes, in quotes: whoever wrote it cannot make it look like a part of the sentence. */
export function quoted(text: string): string {
  return printable(JSON.stringify(text))
}

/** The same with everything escaped that does not print, or prints backwards. */
function printable(text: string): string {
  return text.replace(/[^ -~]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
