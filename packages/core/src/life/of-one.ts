import { isServiceError } from '@svc/contract'

/**
 * Tells whether a look failed for a reason of its own transaction or wallet, such as a hash of a time that no endpoint keeps: the chain has answered, and others of the network
 * are looked at. What endpoints fail by has a code of `UPSTREAM_`.
 */
export function isOfOne(error: unknown): boolean {
  return isServiceError(error) && !error.code.startsWith('UPSTREAM_')
}
