import type { KitContext } from '@svc/contract'
import type { Transaction } from 'ethers'
import type { Static } from 'typebox'
import type { EvmClient } from './client.ts'
import { badRequest } from './codes.ts'
import { joined } from './joined.ts'
import { senderOf } from './sent.ts'
import type { evmWire } from './wire.ts'

/**
 * Unsigned transaction and signature to signed transaction. Asks the chain nothing.
 *
 * @throws 400 TRANSACTION_INVALID, CHAIN_ID_MISMATCH, SIGNATURE_INVALID
 */
export async function prepareEvm(
  { network }: KitContext<EvmClient>,
  body: Static<(typeof evmWire)['prepare']>,
): Promise<Static<(typeof evmWire)['signed']>> {
  const signed = joined(body, network)
  const signed_tx_hex = signed.serialized
  refuseUnrecoverable(signed, signed_tx_hex)
  return { signed_tx_hex }
}

function refuseUnrecoverable(signed: Transaction, hex: string): void {
  if (senderOf(signed, hex) !== null) return
  throw badRequest(
    'SIGNATURE_INVALID',
    'No address can be recovered from r, s and v for this transaction; sign unsigned_tx_hash_hex as crafted.',
  )
}
