import { isServiceError } from '@svc/contract'
import { unavailable } from '../codes.ts'
import { isNotKept } from './block.ts'
import type { Known } from './facts.ts'
import { NOT_KEPT } from './history-fault.ts'
import type { Placed, Refused } from './placement.ts'
import type { Found } from './transaction-lookup.ts'

/** Part of a sighting that differs from one outcome to another. */
export type Told = Partial<Placed> &
  Pick<Placed, 'status'> & {
    readonly replacedBy?: string | null
    readonly replacedBySame?: boolean | null
    readonly keep?: Partial<Known>
    readonly held?: false
    readonly unfinished?: true
  }

/** Result where no endpoint has an index. */
export interface NotKept {
  readonly refusal: Error
}

/** Tells whether a lookup has an answer; else no endpoint keeps the index that it needs. */
export function isFound(place: Found | NotKept): place is Found {
  return 'at' in place
}

/** Tells whether the checks of the block refused a transaction that is in it: then it did nothing, and can come again. */
export function isRefused(placement: Placed | Refused): placement is Refused {
  return 'refused' in placement
}

/** Returns a lookup that failed for lack of an index as a value in place of an error. */
export async function indexless(finding: Promise<Found>): Promise<Found | NotKept> {
  try {
    return await finding
  } catch (error) {
    if (isNotKept(error) && isServiceError(error)) return { refusal: error }
    throw error
  }
}

/** Makes the refusal for a transaction whose blocks nobody holds any more, which proves nothing. */
export function unseen() {
  return unavailable(
    'TRANSACTION_UNSEEN',
    'The endpoints no longer hold the blocks in which the transaction could be, so that it cannot be told what became of it; the operator can add an archive endpoint.',
    60,
  )
}

/** Makes the refusal for searched blocks that contain neither the transaction nor another one that provably has its sequence. @param rest of a sentence about where it may be */
export function notFoundIn(from: bigint, to: bigint, rest: string) {
  return unavailable(
    NOT_KEPT,
    `No node that was asked keeps an index of transactions (\`indexer = "kv"\` under \`tx_index\` of its config.toml), so that blocks are looked through: those from ${from} to ${to} do not tell what became of the transaction, ${rest}. The operator can add an endpoint that keeps an index.`,
    60,
  )
}

/** Makes the refusal for a transaction known by its hash alone where nobody has an index: the hash does not say in which blocks the transaction can be. */
export function bytesMissing() {
  return unavailable(
    NOT_KEPT,
    'No node that was asked keeps an index of transactions (`indexer = "kv"` under `tx_index` of its config.toml), so that none finds one by its hash alone. Track it with its signed bytes, and blocks are looked through for it; or the operator can add an endpoint that keeps an index.',
    60,
  )
}

/** Makes the refusal for a transaction that is in a block, where nobody keeps the result that says whether it succeeded. */
export function resultNotKept(height: bigint) {
  return unavailable(
    NOT_KEPT,
    `Block ${height} has the transaction, and no node that was asked keeps the results of that block (\`discard_abci_responses = false\` under \`storage\` of its config.toml), so that it cannot be told whether it succeeded; the operator can add an endpoint that does. Craft no other before that is known.`,
    60,
  )
}
