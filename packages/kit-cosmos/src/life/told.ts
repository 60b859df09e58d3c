import { isServiceError } from '@svc/contract'
import { unavailable } from '../codes.ts'
import { isNotKept } from './block.ts'
import type { Found } from './found.ts'
import type { Known } from './known.ts'
import type { Placed, Refused } from './placed.ts'

/** What of a sighting differs from one outcome to another. */
export type Told = Partial<Placed> &
  Pick<Placed, 'status'> & { readonly replacedBy?: string | null; readonly keep?: Partial<Known>; readonly held?: false }

/** No endpoint has an index. */
export interface NotKept {
  readonly refusal: Error
}

export function isFound(found: Found | NotKept): found is Found {
  return 'at' in found
}

export function isRefused(placed: Placed | Refused): placed is Refused {
  return 'refused' in placed
}

/** What could not be looked up for want of an index, as a value. */
export async function indexless(finding: Promise<Found>): Promise<Found | NotKept> {
  try {
    return await finding
  } catch (error) {
    if (isNotKept(error) && isServiceError(error)) return { refusal: error }
    throw error
  }
}

/** What nobody holds any more proves nothing. */
export function unseen() {
  return unavailable(
    'TRANSACTION_UNSEEN',
    'The endpoints no longer hold the blocks in which the transaction could be, so that it cannot be told what became of it; the operator can add an archive endpoint.',
    60,
  )
}
