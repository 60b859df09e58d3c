import type { TrustDocument } from '@svc/client'
import type { Choice } from './choices.ts'

/** Terms that say where a stake goes, by the intents' own names. */
const PLACES = ['validator_id', 'validator', 'vault', 'pool_id', 'pool', 'staking']

/** The trust document of somebody who agreed to another place. */
export function elsewhere(trust: TrustDocument, { path, network }: Choice): TrustDocument {
  return {
    ...trust,
    protocols: trust.protocols.map((protocol) => ({
      ...protocol,
      networks: protocol.networks.map((each) => {
        const place = PLACES.find((name) => name in each.terms)
        if (!path.startsWith(`/api/v1${protocol.path}/`) || each.terms.chainId !== network || place === undefined) return each
        return { ...each, terms: { ...each.terms, [place]: another(each.terms[place]) } }
      }),
    })),
  }
}

function another(value: string | number | undefined): string | number {
  if (typeof value === 'number') return value + 1
  const text = value ?? ''
  return text.slice(0, -1) + (text.endsWith('1') ? '2' : '1')
}
