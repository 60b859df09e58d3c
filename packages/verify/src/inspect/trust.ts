import type { NetworkTerms, TermValue } from '../intent/network.ts'
import type { Intent } from '../intent/types.ts'
import { isRecord } from '../mismatch.ts'

/** Pinned terms of one network, and of its protocol. */
export type PinnedTerms = NetworkTerms & Readonly<Record<string, TermValue>>

/** Trust document, as far as it states the terms on which a service crafts; `svc trust` prints it. */
export interface TrustDocument {
  readonly version: number
  readonly baseUrl: string
  readonly account: string
  readonly protocols: readonly {
    readonly path: string
    readonly networks: readonly { readonly default?: boolean; readonly terms: PinnedTerms }[]
  }[]
}

/** Tells whether a value has the shape of a trust document; `unfit` judges the terms of each network. */
export function isTrust(value: unknown): value is TrustDocument {
  const isListOf = (list: unknown, each: (item: Record<PropertyKey, unknown>) => boolean) =>
    Array.isArray(list) && list.every((item) => isRecord(item) && each(item))
  return (
    isRecord(value) &&
    'version' in value &&
    isListOf(value.protocols, ({ path, networks }) => typeof path === 'string' && isListOf(networks, ({ terms }) => isRecord(terms)))
  )
}

/** Terms that every network has. */
const COMMON: Intent['terms'] = {
  chainId: { type: 'text', description: 'As X-NETWORK carries it.' },
  caip2: { type: 'text', description: 'The same by CAIP-2.' },
  decimals: { type: 'integer', description: 'Decimal places of the native token.' },
  symbol: { type: 'text', description: 'Symbol of the native token.' },
  max_fee: { type: 'amount', description: 'The most that a transaction may cost in fees.' },
}

/** Returns a sentence on the first term that an intent needs and that is missing or of another kind; null when all are there. */
export function unfit(intent: Intent, terms: Readonly<Record<string, unknown>>): string | null {
  for (const [name, { type, optional }] of Object.entries({ ...COMMON, ...intent.family.terms, ...intent.terms })) {
    const value = terms[name]
    const fits = value === undefined ? optional === true : type === 'list' ? isListOfValues(value) : typeof value === FORMS[type].type
    if (!fits) return `The trust document has no ${name} for ${intent.path} that is ${FORMS[type].words}.`
  }
  return null
}

const FORMS = {
  text: { type: 'string', words: 'a text' },
  amount: { type: 'string', words: 'a text' },
  integer: { type: 'number', words: 'a whole number' },
  list: { type: 'object', words: 'a list of texts or whole numbers' },
} as const

function isListOfValues(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number')
}
