import type { TrustDocument } from '@svc/client'
import { ANSWER_KEY } from '@svc/testing/signed-answers'
import { trust } from './trust.ts'

/** The trust document of the running sandbox, with the thief's key among those that sign answers. */
export async function ownedTrust(): Promise<TrustDocument> {
  const pinned = await trust()
  return { ...pinned, keys: [...pinned.keys, ANSWER_KEY] }
}
