import type { Life } from '@svc/contract'
import type { SvmClient } from '../client.ts'
import type { SvmSettings } from '../settings.ts'
import type { SvmWire } from '../wire.ts'
import { bounds, hash, validUntil } from './bounds.ts'
import { look } from './look.ts'
import type { SvmReceipt } from './receipt.ts'

/** Functions that follow a transaction after its broadcast. */
export const svmLife: Life<SvmClient, SvmWire, SvmSettings, SvmReceipt> = {
  ...{ hash, bounds, validUntil, look },
  // Half a second to two: slots of 0.4 s, and the way to the leader. @see https://docs.chainstack.com (Solana blocks and slots, read 2026-11-22)
  inclusionMs: () => 1_000,
}
