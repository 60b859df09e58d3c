import type { Life } from '@svc/contract'
import type { EvmClient } from '../client.ts'
import type { EvmSettings } from '../settings.ts'
import type { evmWire } from '../wire.ts'
import { boundsOf, readTxHash, validUntilOf } from './bounds.ts'
import { lookEvm } from './look.ts'
import type { EvmReceipt } from './receipt.ts'
import { signedOf } from './signed.ts'

/** Functions that follow an EVM transaction after its broadcast; nothing ends it but its nonce. */
export const evmLife: Life<EvmClient, typeof evmWire, EvmSettings, EvmReceipt> = {
  hash: readTxHash,
  bounds: boundsOf,
  validUntil: validUntilOf,
  look: lookEvm,
  signed: signedOf,
  inclusionMs: ({ inclusion_ms }) => inclusion_ms,
}
