import type { Intent } from '@svc/verify/intent'
import { authentic } from './authentic.ts'
import { SetupError } from './errors.ts'
import { createHttp, type HttpOptions } from './http.ts'
import { bindProtocol, type Protocol } from './protocol.ts'
import { type TrustDocument, termsFor } from './trust.ts'

/** A protocol, and on which of its networks; by its intent alone, on the account's default. */
export type Chosen<I extends Intent = Intent> = I | { readonly intent: I; readonly network: string }

type IntentOf<C> = C extends { readonly intent: infer I extends Intent; readonly network: string } ? I : C extends Intent ? C : never

export interface ClientOptions<P extends Readonly<Record<string, Chosen>>> extends Omit<HttpOptions, 'baseUrl' | 'authenticate'> {
  /** What `svc trust` printed, from another way than the service. */
  readonly trust: TrustDocument
  /** The protocols that are used, under names of your own. */
  readonly protocols: P
  /** Where the service is, if not where the trust document says. */
  readonly baseUrl?: string
}

/** A client with a member for each protocol. */
export type Client<P extends Readonly<Record<string, Chosen>>> = { readonly [K in keyof P]: Protocol<IntentOf<P[K]>> }

/**
 * A client of the service that checks in this process what the service crafts: nothing that it has not verified can be signed.
 *
 * @throws SetupError when the trust document names no key, or not a protocol or network that is wanted
 */
export function createClient<const P extends Readonly<Record<string, Chosen>>>(options: ClientOptions<P>): Client<P> {
  const { trust, protocols, ...rest } = options
  if (typeof options.apiKey !== 'string' || options.apiKey === '') throw new SetupError('An API key is needed.')
  const http = createHttp({ ...rest, baseUrl: options.baseUrl ?? trust.baseUrl, authenticate: authentic(trust.keys) })
  const bound = Object.entries(protocols).map(([name, chosen]) => {
    const { intent, network } = 'intent' in chosen ? chosen : { intent: chosen, network: undefined }
    return [name, bindProtocol(intent, termsFor(trust, intent.path, network), http)]
  })
  return Object.fromEntries(bound) as Client<P>
}
