import { type Inspecting, type Inspection, inspect, readableAmong } from '@svc/verify/inspect'
import type { Brought } from './exports.ts'
import { either, list, members, nullable, number, record, type Shape, text, units, word } from './shape.ts'

/** What is asked of the Inspector, without what it is read by. */
export type Question = Omit<Inspecting, 'protocols' | 'families'>

/** A protocol that the Inspector knows. */
export interface KnownProtocol {
  readonly path: string
  /** Names of its actions in the API. */
  readonly actions: readonly string[]
  /** Title of its family. */
  readonly family: string
  /** Name under which a program imports its intent. */
  readonly name: string
  /** Names of its own terms, in the order in which the intent lists them. */
  readonly terms: readonly string[]
}

/** Something that reads transactions: in a worker, or in the page itself. */
export interface Inspectorate {
  readonly protocols: readonly KnownProtocol[]
  /** Sentences on why intents are missing, one for each. */
  readonly faults: readonly string[]
  /** @throws Error with a sentence */
  inspect(question: Question): Promise<Inspection>
}

/** Reads by what scripts have brought. */
export function inspectBy(scripts: readonly Brought[], question: Question): Promise<Inspection> {
  const protocols = scripts.flatMap(({ intents }) => intents.map(({ intent }) => intent))
  return inspect({ ...question, protocols, families: scripts.flatMap(({ families }) => families) })
}

/** Lists the protocols of a script. */
export function protocolsOf({ intents, families }: Brought): readonly KnownProtocol[] {
  const titles = new Map(
    readableAmong([...families, ...intents.map(({ intent }) => intent.family)]).map((each) => [each.name, each.inspected.title]),
  )
  return intents.map(({ name, intent: { path, actions, family, terms } }) => ({
    path,
    actions: Object.keys(actions),
    family: titles.get(family.name) ?? family.name,
    name,
    terms: Object.keys(terms),
  }))
}

export const PROTOCOLS: Shape<readonly KnownProtocol[]> = list(
  members({ path: text, actions: list(text), family: text, name: text, terms: list(text) }),
)

const MOVE = members({ kind: word('leaves', 'staked', 'freed', 'arrives'), asset: text, amount: nullable(units) })
export const MOVES = list(MOVE)
export const ASSUMED = list(members({ fact: text, value: text, bound: text }, { cost: text }))
const DIFFERENCE = members({ title: text, agreed: text, found: text, term: nullable(text) })
const SIGNER = members({ address: text, signature: word('missing', 'right', 'wrong', 'unchecked') })
const AGREEMENT = members({
  account: text,
  baseUrl: text,
  path: text,
  chainId: text,
  agree: list(members({ term: text, title: text, value: text })),
  differ: list(DIFFERENCE),
  silent: list(text),
})
const argument = (value: unknown): boolean =>
  ['string', 'bigint', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every(argument))
type Reading = Extract<Inspection, { readonly kind: 'read' }>['readings'][number]
const ARGUMENT = argument as Shape<Reading['calls'][number]['args'][string]>

const READING = members({
  family: text,
  title: text,
  called: text,
  network: text,
  terms: members({ chainId: text, caip2: text, decimals: number, symbol: text, max_fee: text }),
  what: text,
  form: word('unsigned', 'signed'),
  sentence: text,
  moves: MOVES,
  maxFee: units,
  validity: text,
  signers: list(SIGNER),
  hash: nullable(text),
  wants: record(members({ label: text, hint: text, pattern: text, wrong: text })),
  txHash: nullable(text),
  calls: list(members({ target: text, method: text, args: record(ARGUMENT), value: units })),
  notes: list(text),
  protocol: nullable(members({ title: text, path: text, action: text })),
  also: list(text),
  unusual: list(members({ level: word('bad', 'ask', 'odd'), title: text, why: text }, { difference: DIFFERENCE })),
  assumed: ASSUMED,
  agreements: list(AGREEMENT),
  unmatched: list(text),
})

/** An inspection of a text that is neither empty nor a trust document, which are found without an intent. */
export const INSPECTION = either(
  members({ kind: word('nothing') }),
  either(
    members({ kind: word('read'), readings: list(READING) }),
    members({ kind: word('unreadable'), why: text, tried: list(members({ title: text, why: text })) }),
  ),
)
