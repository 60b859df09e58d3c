import type { Sighting } from '@svc/contract'
import type { EvmReceipt } from './receipt.ts'

export type Told = Sighting<EvmReceipt>
/** Part of an answer that does not depend on where the transaction is. */
export type Surroundings = Pick<Told, 'validUntil' | 'lookedAt' | 'keep'>
/** Part of an answer that tells of the transaction itself. */
export type State = Omit<Told, keyof Surroundings>

/** State of a transaction that is in no block. */
export const NOWHERE = { finality: 'none', block: null, fee: null, receipt: null, error: null, replacedBy: null } as const
