import type { Balance, TransactionStatus } from '@svc/client'
import type { CustodianAnswer, Sandbox } from '../../api/sandbox.ts'
import type { IntentEntry } from '../../realm/intent-list.ts'
import { openRealm, type Realm } from '../../realm/open.ts'
import { Late } from '../../realm/port.ts'
import { bytes, members, nullable, number, record, type Shape, shaped, text } from '../../realm/shape.ts'
import type { PageAnswer, PageRequest, PageSigning } from '../../realm/staking.ts'
import { api } from '../../state/session.ts'
import { BALANCE, DRAFT, type Draft, SIGNED, type SignedDraft, STATUS } from './answers.ts'
import type { Choice } from './choices.ts'
import { ownAddress } from './own-request.ts'

/** The client as any program has it, which runs where the intent runs; this page sends its requests, and has them signed. */
export interface BoundClient {
  craft(action: string, input: Input): Promise<Draft>
  /** Has it signed by the stand-in for a custodian, with the key of an address. */
  sign(draft: Draft, address: string): Promise<SignedDraft>
  /** @returns the hash */
  send(signed: SignedDraft): Promise<string>
  balance(address: string): Promise<Balance>
  status(txHash: string): Promise<TransactionStatus>
  /** Asks for `more`, and checks the answer as if `input` had been asked for. */
  theft(action: string, input: Input, more: Input): Promise<void>
}

/** Members of a body. */
type Input = Readonly<Record<string, string>>

/** Address of the service, as this page reaches it. */
export const baseUrl = new URL('../', document.baseURI).href.replace(/\/$/, '')

/** True if the browser gives this page what a check needs. On plain http the browser does so under this machine's own names alone. */
export const canCheck = typeof crypto.subtle === 'object'

/** Longest time that a step may take, in milliseconds: twice the service's own patience with a chain. */
const STEP_MS = 70_000
/** Longest time that one request may take, in milliseconds: the server gives it 30 s (`requestMs` in core/server.ts). */
const REQUEST_MS = 35_000

const REQUEST: Shape<PageRequest> = members({ client: number, method: text, url: text, headers: record(text), body: nullable(text) })
const SIGNING: Shape<PageSigning> = members({ client: number, payload: bytes })

/** What the page does for one client: the intent's own side is never given a key. */
interface Errands {
  readonly choice: Choice
  readonly apiKey: string
  readonly send: typeof fetch
  /** Whose key signs; null but for the step in which the reader has it signed. */
  signer: string | null
  /** Why the page could not have it signed, so that its own error is told and not a copy. */
  failure: unknown
}

interface Place {
  readonly entry: IntentEntry
  readonly realm: Promise<Realm>
  readonly clients: Map<number, Errands>
}

let current: Place | null = null

/** Opens the realm of the intent of what was chosen: that of the choice before is ended, and one that ended is opened anew. @throws Error with a sentence */
export async function realmOf({ entry }: Pick<Choice, 'entry'>): Promise<Realm> {
  return (await placeOf(entry)).realm
}

async function placeOf(entry: IntentEntry): Promise<Place> {
  const old = current
  const isOver = await old?.realm.then(
    (realm) => realm.isOver(),
    () => true,
  )
  if (current !== old) return placeOf(entry)
  if (old && !isOver && old.entry.script === entry.script) return old
  if (old && !isOver) void old.realm.then((realm) => realm.end())
  const clients = new Map<number, Errands>()
  const place = { entry, clients, realm: openRealm([entry], document.baseURI, errandsOf(clients)) }
  current = place
  return place
}

function errandsOf(clients: ReadonlyMap<number, Errands>) {
  const errandsFor = (argument: unknown) => {
    const errands = clients.get((argument as { readonly client: number }).client)
    if (errands) return errands
    throw new Error('This client is not of this page.')
  }
  return {
    fetch: (argument: unknown) => sentFor(errandsFor(argument), shaped(REQUEST, argument, 'a request')),
    async sign(argument: unknown) {
      const errands = errandsFor(argument)
      try {
        return await signedFor(errands, shaped(SIGNING, argument, 'what is to be signed').payload)
      } catch (error) {
        errands.failure = error
        throw error
      }
    },
  }
}

/** Sends a request of the client with the key that the client does not have: to its own protocol, and about transactions. @throws Error for any other */
async function sentFor({ choice, apiKey, send }: Errands, { method, url, headers, body }: PageRequest): Promise<PageAnswer> {
  const href = ownAddress({ method, url }, baseUrl, choice.protocolPath)
  const response = await send(href, {
    method,
    headers: { ...headers, 'x-api-key': apiKey },
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(REQUEST_MS),
    ...(body === null ? {} : { body }),
  })
  return { status: response.status, headers: [...response.headers], body: new Uint8Array(await response.arrayBuffer()) }
}

async function signedFor({ choice: { family }, signer }: Errands, payload: Uint8Array): Promise<string> {
  if (signer === null) throw new Error('An intent asks for a signature that nobody has asked for.')
  const { signature, prepare } = await api.call<CustodianAnswer>('sandbox/wallets/sign', {
    method: 'POST',
    body: { family, address: signer, payload: hexOf(payload) },
  })
  return prepare.signatures?.[0] ?? signature
}

/**
 * Makes a client of the service for what was chosen, on the terms of a trust document.
 *
 * @param send sends its requests
 */
export async function clientFor(
  choice: Choice,
  { trust, api_key: apiKey }: Pick<Sandbox, 'trust' | 'api_key'>,
  send: typeof fetch,
): Promise<BoundClient> {
  const { clients, realm: opening } = await placeOf(choice.entry)
  const realm = await opening
  if (realm.protocols.length === 0) throw new Error(realm.faults[0] ?? `There is no intent of ${choice.title} here.`)
  const path = choice.protocolPath.replace(/^\/api\/v1/, '')
  const client = shaped(number, await realm.port.call('bind', { path, network: choice.network, trust, baseUrl }, STEP_MS), 'a client')
  const errands: Errands = { choice, apiKey, send, signer: null, failure: undefined }
  clients.set(client, errands)
  const call = async (name: string, argument: object) => {
    errands.failure = undefined
    try {
      return await realm.port.call(name, { client, ...argument }, STEP_MS)
    } catch (error) {
      // What does not come to an end would keep every step after it waiting.
      if (error instanceof Late) realm.end()
      throw errands.failure ?? error
    }
  }
  return {
    craft: async (action, input) => shaped(DRAFT, await call('craft', { action, input }), 'a transaction'),
    async sign({ draft }, address) {
      errands.signer = address
      try {
        return shaped(SIGNED, await call('sign', { draft }), 'a signed transaction')
      } finally {
        errands.signer = null
      }
    },
    send: async ({ signed }) => shaped(text, await call('send', { signed }), 'the hash of a transaction'),
    balance: async (address) => shaped(BALANCE, await call('balance', { address }), 'a position'),
    status: async (txHash) => shaped(STATUS, await call('status', { txHash }), 'the state of a transaction'),
    async theft(action, input, more) {
      await call('theft', { action, input, more })
    },
  }
}

/** Returns what is asked of the service. */
export function inputOf({ signer, signs }: Choice, amount: string): Input {
  return { [signer]: signs, amount }
}

/** Writes bytes as `0x` and hex. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
