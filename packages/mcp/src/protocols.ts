import type { JsonSchemaType } from '@modelcontextprotocol/server'
import {
  type Chosen,
  type ClientOptions,
  type Common,
  createClient,
  SetupError,
  type TrustDocument,
  type TrustedNetwork,
} from '@svc/client'
import type { Intent } from '@svc/verify/intent'
import { flat } from './data.ts'
import { text } from './schema.ts'

/** A protocol under the operator's name for it, on one network. */
export interface BoundProtocol {
  readonly name: string
  readonly intent: Intent
  readonly terms: TrustedNetwork['terms']
  readonly calls: Common
}

export interface ServiceOptions
  extends Pick<ClientOptions<Readonly<Record<string, Chosen>>>, 'baseUrl' | 'fetch' | 'timeoutMs' | 'retries'> {
  /** Trust document that `svc trust` printed, from another way than the service. */
  readonly trust: TrustDocument
  readonly apiKey: string
  /** Protocols by names of the operator's: lower-case letters, digits and hyphens, 24 at most. */
  readonly protocols: Readonly<Record<string, Chosen>>
}

/** Binds each protocol of the config to its intent and to the pinned terms of its network, in the order of their names. @throws SetupError when there is none, a name is of another form, or the trust document does not fit */
export function bindProtocols({ protocols, ...options }: ServiceOptions): readonly BoundProtocol[] {
  const names = Object.keys(protocols).sort()
  if (names.length === 0) throw new SetupError('No protocol is named; name one at least, with the package of its intent.')
  const wrong = names.find((name) => !/^[a-z0-9][a-z0-9-]{0,23}$/.test(name))
  if (wrong !== undefined)
    throw new SetupError(`The protocol ${JSON.stringify(wrong)} must be named with lower-case letters, digits and hyphens, 24 at most.`)
  const client = createClient({ ...options, protocols })
  return names.map((name) => {
    const [chosen, calls] = [protocols[name], client[name]]
    if (!chosen || !calls) throw new SetupError(`The client has no member ${name}, which it was given.`)
    return { name, intent: 'intent' in chosen ? chosen.intent : chosen, terms: calls.terms, calls }
  })
}

/** Describes a protocol for the list: what can be drafted, and the pinned terms that every draft is checked against. */
export function inWords({ name, intent, terms }: BoundProtocol) {
  const { caip2, symbol, decimals } = terms
  return { protocol: name, network: caip2, symbol, decimals, actions: Object.keys(intent.actions), terms: flat(terms) }
}

/** Makes the schema of the argument by which a tool learns which protocol is meant. */
export function protocolArgument(bound: readonly BoundProtocol[]): JsonSchemaType {
  return { ...text('Which protocol, by its name in staking_networks.'), enum: bound.map(({ name }) => name) }
}

/** Finds a protocol by the operator's name for it. @throws SetupError for a name that the schema should have refused */
export function named(bound: readonly BoundProtocol[], name: string): BoundProtocol {
  const match = bound.find((each) => each.name === name)
  if (match === undefined) throw new SetupError(`There is no protocol ${JSON.stringify(name)}.`)
  return match
}
