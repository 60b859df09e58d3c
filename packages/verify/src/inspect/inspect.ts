import type { Signer } from '../intent/explained.ts'
import type { NetworkTerms } from '../intent/network.ts'
import { describe } from '../intent/sentence.ts'
import type { Assumed, Move } from '../intent/types.ts'
import type { Call } from '../types.ts'
import type { Agreement } from './agreement.ts'
import { type Compared, compareWith } from './compare.ts'
import { contradictions } from './consistent.ts'
import { type FamilyName, type FamilyReading, type FamilyRefusal, readFamilies } from './families.ts'
import { assumedOf } from './fit.ts'
import { type GivenTransaction, type Members, readGiven } from './given.ts'
import { type InspectedProtocol, isSaid, isTouched, type ProtocolReading, readByProtocol } from './protocols.ts'
import type { TrustDocument } from './trust.ts'
import { type Finding, unusualIn } from './unusual.ts'

/** What is asked of an inspection. */
export interface Inspecting {
  /** What was pasted, dropped or chosen. */
  readonly text: string
  readonly protocols: readonly InspectedProtocol[]
  readonly trust?: TrustDocument | null
  /** Body of the request, where it is known what was asked for. */
  readonly request?: Members | null
  /** Its action, by its name in the API: `delegate`. */
  readonly action?: string | undefined
  /** Number of a Cosmos account, which the signature covers and the bytes do not have. */
  readonly accountNumber?: string
  readonly now: Date
}

/** A transaction as it was read. */
export interface Reading {
  readonly family: FamilyName
  /** `EVM`, `Cosmos`. */
  readonly title: string
  /** Of the network: `Monad`. */
  readonly network: string
  readonly terms: NetworkTerms
  /** What was handed over, in a few words. */
  readonly what: string
  readonly form: 'unsigned' | 'signed'
  readonly sentence: string
  readonly moves: readonly Move[]
  /** Base units. */
  readonly maxFee: bigint
  readonly validity: string
  readonly signers: readonly Signer[]
  /** What is signed, as hex; null where no hash is, or the bytes do not tell it. */
  readonly hash: string | null
  readonly txHash: string | null
  readonly calls: readonly Call[]
  /** What the bytes cannot tell, a sentence each. */
  readonly notes: readonly string[]
  /** The protocol that knows it; null when none does. */
  readonly protocol: { readonly title: string; readonly path: string; readonly action: string } | null
  /** Other protocols that it could be of just as well. */
  readonly also: readonly string[]
  readonly unusual: readonly Finding[]
  /** What was taken on the service's word, where it is known what was asked for. */
  readonly assumed: readonly Assumed[]
  /** Every network of the trust document whose terms fit best; empty without one. */
  readonly agreements: readonly Agreement[]
  /** Why no terms of the document are of this transaction, a sentence each. */
  readonly unmatched: readonly string[]
}

/** What became of it. */
export type Inspection =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'trust'; readonly document: TrustDocument }
  /** `tried`: why each family cannot read it. */
  | { readonly kind: 'unreadable'; readonly why: string; readonly tried: readonly FamilyRefusal[] }
  /** More than one reading: the bytes could be either. */
  | { readonly kind: 'read'; readonly readings: readonly Reading[] }

/** Reads whatever was handed over, and says what it does, what is unusual of it, and how it stands to agreed terms. Asks nobody, and never throws on account of the text. */
export async function inspect(asked: Inspecting): Promise<Inspection> {
  const given = readGiven(asked.text)
  if (given.kind === 'unreadable') return { ...given, tried: [] }
  if (given.kind !== 'transaction') return given
  const number = asked.accountNumber?.trim() || given.headers['x-account-number']
  const stated = number === undefined || !/^(0|[1-9]\d{0,19})$/.test(number) ? {} : { 'x-account-number': number }
  const attempts = await readFamilies(given.text, stated)
  const found = attempts.filter((each) => 'explanation' in each)
  if (found.length === 0) {
    const tried = attempts.filter((each) => 'why' in each)
    return { kind: 'unreadable', why: `This is no transaction of any of the ${tried.length} families.`, tried }
  }
  return { kind: 'read', readings: await Promise.all(found.map((reading) => readOne(asked, given, reading, stated))) }
}

async function readOne(
  asked: Inspecting,
  given: GivenTransaction,
  reading: FamilyReading,
  stated: Readonly<Record<string, string>>,
): Promise<Reading> {
  const { text, headers, answer, what } = given
  const request = asked.request ?? given.request
  const isAsked = request !== null || asked.action !== undefined
  const of = { text, reading, stated, request, action: asked.action }
  const own = asked.protocols.filter(({ intent }) => intent.family.name === reading.family)
  const byRequest = asked.trust ? await compareWith(asked.trust, own, of) : NOT_COMPARED
  // What was asked for may be none of it; how it stands to the terms is told all the same.
  const compared =
    asked.trust && isAsked && byRequest.best === null ? await compareWith(asked.trust, own, { ...of, ...UNASKED }) : byRequest
  const agreed = compared.best && isSaid(compared.best) ? compared.best : null
  const requested = !isAsked || agreed ? [] : await bestOf(own, of)
  const free = agreed || requested.length > 0 ? [] : await bestOf(own, { ...of, ...UNASKED })
  const [known = null, ...others] = agreed ? [agreed] : requested.length > 0 ? requested : free
  // Words by agreed terms where they are the transaction's; else by what it says of itself, so that a foreign one is put into words too.
  const worded = agreed ?? known
  const { decoded } = worded?.explained ?? reading.explanation
  const terms: NetworkTerms = compared.best ? compared.best.fit.terms : { ...reading.network.terms, max_fee: '' }
  const { sentence, moves } =
    worded?.explained ?? describe({ describe: () => null, family: { validity: () => reading.validity } }, terms, decoded)
  const { form, signers, hash, txHash, notes } = (compared.best ?? worded)?.explained ?? reading.explanation
  const named = compared.best ?? known
  const looked = { reading, known: named, calls: decoded.calls, moves, compared: compared.best !== null, headers, now: asked.now }
  const unasked = isAsked && byRequest.best === null && requested.length === 0 ? [noSuchRequest] : []
  return {
    family: reading.family,
    title: reading.title,
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
    txHash,
    calls: decoded.calls,
    notes,
    protocol: named && { title: named.protocol.title, path: named.protocol.intent.path, action: named.fit.action },
    also: compared.best ? [] : others.map(({ protocol }) => protocol.title),
    unusual: [...contradictions(answer, reading), ...unasked, ...unusualIn(looked)],
    assumed:
      request === null || named === null ? [] : assumedOf(named.explained.decoded, { intent: named.protocol.intent, stated }, named.fit),
    agreements: compared.agreements,
    unmatched: compared.unmatched,
  }
}

const UNASKED = { request: null, action: undefined }
const NOT_COMPARED: Compared = { agreements: [], best: null, unmatched: [] }

const noSuchRequest: Finding = {
  level: 'bad',
  title: 'It is not what was asked for',
  why: 'The request is of no action of a protocol that knows this transaction: a member is missing, is one too many, or the request was for another protocol.',
}

/** The protocols that explain it best, taken by what the transaction itself says; empty when none knows any of it. */
async function bestOf(
  protocols: readonly InspectedProtocol[],
  of: Parameters<typeof readByProtocol>[1],
): Promise<readonly ProtocolReading[]> {
  const all = await Promise.all(protocols.map((protocol) => readByProtocol(protocol, of, null)))
  const touched = all.filter((each): each is ProtocolReading => 'fit' in each).filter(isTouched)
  const least = Math.min(...touched.map(({ fit }) => fit.score))
  return touched.filter(({ fit }) => fit.score === least)
}
