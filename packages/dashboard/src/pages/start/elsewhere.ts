import type { TrustDocument } from '@svc/client'
import type { Choice } from './choices.ts'

/** Makes trust documents of people who agreed to something else, one for each term of the protocol's own: the first that a stake breaks says where it goes. */
export function elsewhere(trust: TrustDocument, { protocolPath, network }: Choice, terms: readonly string[]): readonly TrustDocument[] {
  const own = ({ path }: TrustDocument['protocols'][number]) => protocolPath === `/api/v1${path}`
  const pinned: Readonly<Record<string, unknown>> =
    trust.protocols.find(own)?.networks.find((each) => each.terms.chainId === network)?.terms ?? {}
  return (
    terms
      // Of a list, such as that of former validators, no stake depends.
      .flatMap((name) => {
        const value = pinned[name]
        return value !== '' && (typeof value === 'string' || typeof value === 'number') ? [{ name, value }] : []
      })
      .map(({ name, value }) => ({
        ...trust,
        protocols: trust.protocols.map((protocol) => ({
          ...protocol,
          networks: protocol.networks.map((each) =>
            own(protocol) && each.terms.chainId === network ? { ...each, terms: { ...each.terms, [name]: another(value) } } : each,
          ),
        })),
      }))
  )
}

function another(value: string | number): string | number {
  return typeof value === 'number' ? value + 1 : value.slice(0, -1) + (value.endsWith('1') ? '2' : '1')
}
