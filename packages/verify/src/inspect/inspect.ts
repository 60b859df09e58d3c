import type { Signer } from '../intent/explained.ts'
import { type StatedFact, statedIn } from '../intent/inspected.ts'
import type { NetworkTerms, ResponseStatements } from '../intent/network.ts'
import { describe } from '../intent/sentence.ts'
import type { Assumption, Family, Intent, Move } from '../intent/types.ts'
import type { Call } from '../types.ts'
import type { Agreement } from './agreement.ts'
import { type Comparison, compareWith } from './compare.ts'
import { contradictions } from './consistent.ts'
import { type FamilyReading, type FamilyRefusal, readableAmong, readFamilies } from './families.ts'
import type { Finding } from './finding.ts'
import { assumedOf } from './fit.ts'
import { type GivenTransaction, type Members, readGiven } from './input-form.ts'
import { isSaid, isTouched, type ProtocolReading, readByProtocol, titleOf } from './protocols.ts'
import type { TrustDocument } from './trust.ts'
import { unusualIn } from './unusual.ts'

/** Options of an inspection. */
export interface Inspecting {
  /** Text that was pasted, dropped or chosen. */
  readonly text: string
  /** Intents of the protocols whose transactions are recognised. Their families are tried too, as far as they declare how they are inspected (`inspected`). */
  readonly protocols: readonly Intent[]
  /** Further families that are tried, before those of the protocols: of two with the same name, the one here counts. @default none */
  readonly families?: readonly Family[]
  readonly trust?: TrustDocument | null
  /** Body of the request, where it is known. */
  readonly request?: Members | null
  /** Action of the request, by its name in the API: `delegate`. */
  readonly action?: string | undefined
  /** Address of the user: each party of the transaction is compared with it. Without it and a request, the user is asked about each party. */
  readonly address?: string
  /** Facts that a signature covers and the bytes lack, as a person gives them, by the names of response headers: the number of an account. */
  readonly stated?: ResponseStatements
  readonly now: Date
}

/** Result of reading a transaction. */
export interface Reading {
  /** Name of the family, as in an intent. */
  readonly family: string
  /** Name of the family for people. */
  readonly title: string
  /** Noun for the target of a call: `Contract`, `Message`. */
  readonly called: string
  /** Name of the network for people. */
  readonly network: string
  readonly terms: NetworkTerms
  /** Kind of the input, in a few words. */
  readonly what: string
  readonly form: 'unsigned' | 'signed'
  readonly sentence: string
  readonly moves: readonly Move[]
  /** Highest possible fee in base units. */
  readonly maxFee: bigint
  readonly validity: string
  readonly signers: readonly Signer[]
  /** Hash that is signed, as hex; null where no hash is signed, or the bytes do not tell it. */
  readonly hash: string | null
  /** Facts from which the hash would follow, besides the bytes, by the names of response headers; empty where the hash is told, and where no hash is signed. */
  readonly wants: Readonly<Record<string, StatedFact>>
  readonly txHash: string | null
  readonly calls: readonly Call[]
  /** Facts that the bytes cannot tell, a sentence each. */
  readonly notes: readonly string[]
  /** Protocol that knows the transaction; null when none does. */
  readonly protocol: { readonly title: string; readonly path: string; readonly action: string } | null
  /** Other protocols that fit equally well. */
  readonly also: readonly string[]
  readonly unusual: readonly Finding[]
  /** Facts that were taken on the service's word, where the request is known. */
  readonly assumed: readonly Assumption[]
  /** Networks of the trust document whose terms fit best; empty without a document. */
  readonly agreements: readonly Agreement[]
  /** Reasons why no terms of the document fit this transaction, a sentence each. */
  readonly unmatched: readonly string[]
}

/** Result of an inspection. */
export type Inspection =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'trust'; readonly document: TrustDocument }
  /** Text that is no transaction; `tried` has each family's reason for not reading it. */
  | { readonly kind: 'unreadable'; readonly why: string; readonly tried: readonly FamilyRefusal[] }
  /** Transaction, with more than one reading where the bytes could be either. */
  | { readonly kind: 'read'; readonly readings: readonly Reading[] }

/**
 * Reads any input text, and reports what a transaction in it does, what is unusual about it, and how it compares with agreed terms. Makes no requests, and never throws
 * because of the text.
 */
export async function inspect(input: Inspecting): Promise<Inspection> {
  const families = readableAmong([...(input.families ?? []), ...input.protocols.map(({ family }) => family)])
  const content = readGiven(input.text, families)
  if (content.kind === 'unreadable') return { ...content, tried: [] }
  if (content.kind !== 'transaction') return content
  const ownFacts = Object.fromEntries(Object.entries(input.stated ?? {}).filter(([, value]) => value?.trim()))
  const headerValues = { ...content.headers, ...ownFacts }
  const attempts = await readFamilies(content.text, headerValues, families)
  const readings = attempts.filter((each) => 'explanation' in each)
  if (readings.length === 0) {
    const tried = attempts.filter((each) => 'why' in each)
    return { kind: 'unreadable', why: `This is no transaction of ${familiesText(tried.length)}.`, tried }
  }
  return { kind: 'read', readings: await Promise.all(readings.map((reading) => readOne(input, content, reading, headerValues))) }
}

function familiesText(count: number): string {
  if (count === 0) return 'any family: there is none here to read it by'
  return count === 1 ? 'the one family here' : `any of the ${count} families`
}

async function readOne(
  input: Inspecting,
  transaction: GivenTransaction,
  reading: FamilyReading,
  stated: ResponseStatements,
): Promise<Reading> {
  const headerValues = statedIn(reading.inspected, stated)
  const { text, headers, answer, what } = transaction
  const request = input.request ?? transaction.request
  const isAsked = request !== null || input.action !== undefined
  const of = { text, reading, stated: headerValues, request, action: input.action }
  const own = input.protocols.filter(({ family }) => family.name === reading.family)
  const byRequest = input.trust ? await compareWith(input.trust, own, of) : NOT_COMPARED
  // What was asked for may be none of it; how it stands to the terms is told all the same.
  const compared =
    input.trust && isAsked && byRequest.best === null ? await compareWith(input.trust, own, { ...of, ...UNASKED }) : byRequest
  const agreed = compared.best && isSaid(compared.best) ? compared.best : null
  const requested = !isAsked || agreed ? [] : await bestOf(own, of)
  const free = agreed || requested.length > 0 ? [] : await bestOf(own, { ...of, ...UNASKED })
  const [primary = null, ...others] = agreed ? [agreed] : requested.length > 0 ? requested : free
  // Words by agreed terms where they are the transaction's; else by what it says of itself, so that a foreign one is put into words too.
  const worded = agreed ?? primary
  const { decoded } = worded?.explained ?? reading.explanation
  const terms: NetworkTerms = compared.best ? compared.best.fit.terms : { ...reading.network.terms, max_fee: '' }
  const { sentence, moves } =
    worded?.explained ??
    describe(
      {
        describe: () => null,
        family: {
          validity: () => reading.validity,
          isUnbound: () => reading.isUnbound,
        },
      },
      terms,
      decoded,
    )
  const { form, signers, hash, txHash, notes } = (compared.best ?? worded)?.explained ?? reading.explanation
  const interpretation = compared.best ?? primary
  // A request that came along with the transaction is by whoever wrote both.
  const intention = { address: input.address, isRequested: (input.request ?? null) !== null }
  const context = {
    reading,
    known: interpretation,
    ...intention,
    calls: decoded.calls,
    moves,
    compared: compared.best !== null,
    headers,
    now: input.now,
  }
  const unasked = isAsked && byRequest.best === null && requested.length === 0 ? [noSuchRequest] : []
  return {
    family: reading.family,
    title: reading.title,
    called: reading.inspected.called ?? 'Contract',
    network: reading.network.name,
    terms,
    what,
    form,
    sentence,
    moves,
    maxFee: decoded.maxFee,
    validity: reading.validity,
    signers,
    hash,
    wants: hash === null ? (reading.inspected.stated ?? {}) : {},
    txHash,
    calls: decoded.calls,
    notes,
    protocol: interpretation && {
      title: titleOf(interpretation.protocol),
      path: interpretation.protocol.path,
      action: interpretation.fit.action,
    },
    also: compared.best ? [] : others.map(({ protocol }) => titleOf(protocol)),
    unusual: [...contradictions(answer, reading, text), ...unasked, ...unusualIn(context)],
    assumed:
      request === null || interpretation === null
        ? []
        : assumedOf(interpretation.explained.decoded, { intent: interpretation.protocol, stated: headerValues }, interpretation.fit),
    agreements: compared.agreements,
    unmatched: compared.unmatched,
  }
}

const UNASKED = { request: null, action: undefined }
const NOT_COMPARED: Comparison = { agreements: [], best: null, unmatched: [] }

const noSuchRequest: Finding = {
  level: 'bad',
  title: 'It is not what was asked for',
  why: 'The request is of no action of a protocol that knows this transaction: a member is missing, is one too many, or the request was for another protocol.',
}

/** Picks the protocols that explain a transaction best, taken by what the transaction itself says; empty when none knows any of it. */
async function bestOf(protocols: readonly Intent[], of: Parameters<typeof readByProtocol>[1]): Promise<readonly ProtocolReading[]> {
  const all = await Promise.all(protocols.map((protocol) => readByProtocol(protocol, of, null)))
  const touched = all.filter((each): each is ProtocolReading => 'fit' in each).filter(isTouched)
  const least = Math.min(...touched.map(({ fit }) => fit.score))
  return touched.filter(({ fit }) => fit.score === least)
}
