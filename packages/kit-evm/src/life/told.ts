import type { Sighting } from '@svc/contract'
import type { EvmReceipt } from './receipt.ts'

export type Told = Sighting<EvmReceipt>
/** What does not depend on where the transaction is. */
export type Surroundings = Pick<Told, 'validUntil' | 'lookedAt' | 'keep'>
/** What is told of the transaction itself. */
export type State = Omit<Told, keyof Surroundings>

/** Of one that is in no block. */
export const NOWHERE = { finality: 'none', block: null, fee: null, receipt: null, error: null, replacedBy: null } as const
