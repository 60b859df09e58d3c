import type { PinnedTerms } from '@svc/core/plugins'
import type { Intent } from '@svc/verify/intent'
import type { Seat } from '../caller.ts'
import type { Service } from '../service.ts'
import type { Subject } from '../subject.ts'

/** Makes the seat of a caller at a service, with a trust document of its keys and of these terms. @param road on which requests travel */
export async function seatAt(
  { protocol }: Subject,
  service: Service,
  intent: Intent,
  terms: PinnedTerms,
  road: typeof fetch = fetch,
): Promise<Seat> {
  return {
    intent,
    trust: {
      version: 1,
      baseUrl: service.url,
      account: 'conformance',
      keys: service.signer.responses.keys.map(({ jwk }) => jwk),
      protocols: [{ path: protocol.prefix, networks: [{ default: true, terms }] }],
    },
    apiKey: await service.key(),
    fetch: road,
  }
}
