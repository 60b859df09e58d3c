import type { TrustDocument } from '@svc/client'
import type { Choice } from './choices.ts'

/** Trust documents of people who agreed to something else, one for each term of the protocol's own: the first that a stake breaks says where it goes. */
export function elsewhere(trust: TrustDocument, { protocolPath, network }: Choice, terms: readonly string[]): readonly TrustDocument[] {
  const own = ({ path }: TrustDocument['protocols'][number]) => protocolPath === `/api/v1${path}`
  const pinned: Readonly<Record<string, string | number>> =
    trust.protocols.find(own)?.networks.find((each) => each.terms.chainId === network)?.terms ?? {}
  return terms
    .filter((name) => pinned[name] !== undefined && pinned[name] !== '')
    .map((name) => ({
      ...trust,
      protocols: trust.protocols.map((protocol) => ({
        ...protocol,
        networks: protocol.networks.map((each) =>
          own(protocol) && each.terms.chainId === network ? { ...each, terms: { ...each.terms, [name]: another(each.terms[name]) } } : each,
        ),
      })),
    }))
}

function another(value: string | number | undefined): string | number {
  if (typeof value === 'number') return value + 1
  const text = value ?? ''
  return text.slice(0, -1) + (text.endsWith('1') ? '2' : '1')
}
