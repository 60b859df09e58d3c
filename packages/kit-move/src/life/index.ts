import type { Life } from '@svc/contract'
import type { MoveClient } from '../client.ts'
import type { MoveSettings } from '../settings.ts'
import type { MoveWire } from '../wire.ts'
import { moveHash } from './hash.ts'
import { lookMove } from './look.ts'
import type { MoveReceipt } from './receipt.ts'
import { moveBounds, moveValidUntil } from './validity.ts'

/** Functions that follow a transaction of the family after its broadcast. */
export const moveLife: Life<MoveClient, MoveWire, MoveSettings, MoveReceipt> = {
  hash: moveHash,
  bounds: moveBounds,
  validUntil: moveValidUntil,
  look: lookMove,
  // @see https://docs.sui.io (life of a transaction: 0.4 to 0.7 s; read 2026-11-22)
  inclusionMs: () => 500,
}
