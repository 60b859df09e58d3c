import type { Intent } from '@svc/verify/intent'
import { authentic } from './authentic.ts'
import { SetupError } from './errors.ts'
import { createHttp, type HttpOptions } from './http.ts'
import { type Names, onlyKnown } from './option-names.ts'
import { bindProtocol, type Protocol } from './protocol.ts'
import { type TrustDocument, termsFor } from './trust.ts'

/** A protocol and its network. The intent alone means the account's default network. */
export type Chosen<I extends Intent = Intent> = I | { readonly intent: I; readonly network: string }

type IntentOf<C> = C extends { readonly intent: infer I extends Intent; readonly network: string } ? I : C extends Intent ? C : never

export interface ClientOptions<P extends Readonly<Record<string, Chosen>>> extends Omit<HttpOptions, 'baseUrl' | 'authenticate'> {
  /** Trust document that `svc trust` printed, received by another way than from the service. */
  readonly trust: TrustDocument
  /** Protocols that are used, under names that you choose. */
  readonly protocols: P
  /** Address of the service, if it differs from the one in the trust document. */
  readonly baseUrl?: string
}

/** A client with a member for each protocol. */
export type Client<P extends Readonly<Record<string, Chosen>>> = { readonly [K in keyof P]: Protocol<IntentOf<P[K]>> }

/**
 * Makes a client of the service that checks in this process what the service crafts: only a verified transaction can be signed.
 *
 * @throws SetupError when the trust document names no key, or lacks a chosen protocol or network; for an option with an unknown name
 */
export function createClient<const P extends Readonly<Record<string, Chosen>>>(options: ClientOptions<P>): Client<P> {
  const { trust, protocols, ...rest } = onlyKnown(options, CLIENT, 'createClient')
  if (typeof options.apiKey !== 'string' || options.apiKey === '') throw new SetupError('An API key is needed.')
  const http = createHttp({ ...rest, baseUrl: options.baseUrl ?? trust.baseUrl, authenticate: authentic(trust.keys) })
  const bound = Object.entries(protocols).map(([name, chosen]) => {
    const { intent, network } = 'intent' in chosen ? onlyKnown(chosen, CHOSEN, `protocols.${name}`) : { intent: chosen, network: undefined }
    return [name, bindProtocol(intent, termsFor(trust, intent.path, network), http)]
  })
  return Object.fromEntries(bound) as Client<P>
}

const CLIENT: Names<ClientOptions<Readonly<Record<string, Chosen>>>> = {
  trust: true,
  protocols: true,
  baseUrl: true,
  apiKey: true,
  fetch: true,
  timeoutMs: true,
  retries: true,
  onRequest: true,
  onResponse: true,
}
const CHOSEN = { intent: true, network: true } as const
