import type { NetworkTerms, TermValue } from '@svc/verify/intent'
import { SetupError } from './errors.ts'

/**
 * Facts that a caller pins of a service, once, by another way than the service itself: who signs its answers, and on which terms it crafts. `svc
 * trust` prints this document.
 */
export interface TrustDocument {
  readonly version: 1
  /** Address of the service: `https://staking.example`. */
  readonly baseUrl: string
  readonly account: string
  /** Public keys that sign answers, as JSON Web Keys. */
  readonly keys: readonly TrustedKey[]
  readonly protocols: readonly TrustedProtocol[]
}

export interface TrustedKey {
  readonly kty: string
  readonly kid: string
  readonly alg?: string
  readonly crv?: string
  readonly x?: string
  readonly n?: string
  readonly e?: string
}

export interface TrustedProtocol {
  /** Path of the protocol below the prefix of the API: `/evm-three/native`. */
  readonly path: string
  readonly networks: readonly TrustedNetwork[]
}

export interface TrustedNetwork {
  /** True if the network is used when X-NETWORK is left out. */
  readonly default: boolean
  readonly terms: NetworkTerms & Readonly<Record<string, TermValue>>
}

/**
 * Returns the terms of one network of a protocol.
 *
 * @param chainId as X-NETWORK carries it; the account's default without it
 * @throws SetupError when the document does not name it
 */
export function termsFor(trust: TrustDocument, path: string, chainId?: string): TrustedNetwork['terms'] {
  const { version } = trust
  if (version !== 1) throw new SetupError(`The trust document is of version ${version}; this client reads version 1.`)
  const protocol = trust.protocols.find((each) => each.path === path)
  if (!protocol)
    throw new SetupError(
      `The trust document has no protocol ${path}; it has ${trust.protocols.map((each) => each.path).join(', ') || 'none'}.`,
    )
  const network = protocol.networks.find((each) => (chainId === undefined ? each.default : each.terms.chainId === chainId))
  if (network) return network.terms
  const chains = protocol.networks.map(({ terms }) => terms.chainId).join(', ')
  throw new SetupError(`The trust document has no network ${chainId ?? 'that is the default'} of ${path}; it has ${chains || 'none'}.`)
}
