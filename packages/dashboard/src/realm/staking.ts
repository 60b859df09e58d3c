import {
  createClient,
  MismatchError,
  type Protocol,
  type SignedTransaction,
  type TrustDocument,
  type VerifiedTransaction,
} from '@svc/client'
import { rawSigner } from '@svc/client/signers'
import { type Intent, readInput, review } from '@svc/verify/intent'
import type { Handlers } from './port.ts'

/** What a client is bound to. */
interface Binding {
  readonly path: string
  readonly network: string
  readonly trust: TrustDocument
  readonly baseUrl: string
}

/** A request as it leaves the client, without its key. */
export interface PageRequest {
  readonly client: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The answer to it, as the page had it. */
export interface PageAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** Something that is to be signed by the key of an address. */
export interface PageSigning {
  readonly client: number
  readonly payload: Uint8Array
}

interface Action {
  readonly client: number
  readonly action: string
  readonly input: Readonly<Record<string, string>>
}

/** Stands where a client has a key: the page puts the real one in its place. */
const KEY = 'the-page-has-it'

interface Client {
  readonly bound: Protocol<Intent>
  readonly intent: Intent
  /** Headers of the last answer. */
  headers: Readonly<Record<string, string>>
}

/**
 * Makes the calls by which the page stakes: the client as any program has it, on this side, so that what it checks is checked by the intent, and on the other side all
 * that needs a key.
 *
 * @param ask calls the page: `fetch` with a request, `sign` with what is to be signed
 */
export function stakingCalls(
  intentAt: (path: string) => Intent | undefined,
  ask: (name: 'fetch' | 'sign', argument: PageRequest | PageSigning) => Promise<unknown>,
): Handlers {
  const clients: Client[] = []
  const drafts: VerifiedTransaction[] = []
  const signed: SignedTransaction[] = []
  const clientOf = (argument: unknown): Client => at(clients, (argument as { readonly client: number }).client)

  return {
    bind(argument) {
      const { path, network, trust, baseUrl } = argument as Binding
      const intent = intentAt(path)
      if (!intent) throw new Error(`There is no intent of ${path} here.`)
      const index = clients.length
      const send: typeof fetch = async (url, { method = 'GET', headers = {}, body = null } = {}) => {
        const request = { client: index, method, url: String(url), headers: headers as Record<string, string>, body: body as string | null }
        const answer = (await ask('fetch', request)) as PageAnswer
        const response = new Response(answer.body.slice(), { status: answer.status, headers: answer.headers.map((each) => [...each]) })
        at(clients, index).headers = Object.fromEntries(response.headers)
        return response
      }
      // Faults are to be seen as they come: nothing is asked twice.
      const client = createClient({ trust, apiKey: KEY, baseUrl, fetch: send, retries: 0, protocols: { chosen: { intent, network } } })
      clients.push({ bound: client.chosen, intent, headers: {} })
      return index
    },

    async craft(argument) {
      const { action, input } = argument as Action
      const transaction = await clientOf(argument).bound.craft(action, input)
      const { sentence, moves, assumed, payload } = transaction
      return { draft: drafts.push(transaction) - 1, sentence, moves, assumed, payload }
    },

    async sign(argument) {
      const { client, draft } = argument as { readonly client: number; readonly draft: number }
      const sign = async (payload: Uint8Array) => (await ask('sign', { client, payload })) as string
      const transaction = await at(drafts, draft).sign(rawSigner({ sign }))
      return { signed: signed.push(transaction) - 1, txHash: transaction.txHash }
    },

    async send(argument) {
      const { txHash } = await clientOf(argument).bound.send(at(signed, (argument as { readonly signed: number }).signed))
      return txHash
    },

    balance: (argument) => clientOf(argument).bound.balance((argument as { readonly address: string }).address),
    status: (argument) => clientOf(argument).bound.status((argument as { readonly txHash: string }).txHash),

    /** Asks for one thing, and checks the answer as if another had been asked for. */
    async theft(argument) {
      const { action: name, input, more } = argument as Action & { readonly more: Action['input'] }
      const client = clientOf(argument)
      const { bound, intent } = client
      const { unverified } = await bound.craftWithoutVerification(name, more)
      const action = intent.actions[name]
      if (!action) throw new Error(`The intent of ${intent.path} has no action ${name}.`)
      const wish = readInput(action.input, input, bound.terms.decimals)
      const verdict = review({ intent, action, terms: bound.terms, input: wish, answer: unverified, stated: client.headers })
      if ('mismatches' in verdict)
        throw new MismatchError('The transaction is not what was asked for, so it cannot be signed', verdict.mismatches)
    },
  }
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error('What was asked for before is not here any more: ask for it again.')
  return item
}
