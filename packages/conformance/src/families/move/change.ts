import type { Forgery } from '../../family.ts'
import type { Hex32 } from './bcs.ts'
import type { MoveTransaction } from './wire.ts'

/** Somebody else's address, object and digest. */
export const THIEF: Hex32 = '66'.repeat(32)
export const STRANGE: Hex32 = '77'.repeat(32)

/** A forgery before it is written into bytes. */
export interface Change extends Omit<Forgery, 'unsigned'> {
  readonly to: MoveTransaction
}
