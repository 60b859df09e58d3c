import { type Names, readOnce, type SentTransaction } from '@svc/contract'
import type { Static } from 'typebox'
import type { MoveNetwork, MoveSettings } from './settings.ts'
import { readSigned } from './signed-transaction.ts'
import { readUnsigned, type Unsigned } from './transaction.ts'
import type { MoveWire } from './wire.ts'

/** Names of Sui transactions: both are the digest, which signatures do not change. */
export const moveNames: Names<MoveWire, MoveSettings> = {
  unsigned: (body, network) => readCrafted(body, network).digest,
  signed(body, network) {
    const { digest } = readSent(body, network).unsigned
    return { unsignedHash: digest, txHash: digest }
  },
}

/** Returns the transaction in a body of prepare or broadcast, without signatures: its data names the signers. */
export function moveSent(body: Static<MoveWire['prepare']> | Static<MoveWire['broadcast']>, network: MoveNetwork): SentTransaction {
  return { bytes: (isPrepare(body) ? readCrafted(body, network) : readSent(body, network).unsigned).text }
}

/** Tells whether a body has a transaction and its signatures apart, as those of prepare have, and some of broadcast. */
function isPrepare(body: Static<MoveWire['prepare']> | Static<MoveWire['broadcast']>): body is Static<MoveWire['prepare']> {
  return !('signed_tx_b64' in body)
}

/** A transaction that a body of broadcast sends. */
interface MoveSent {
  readonly unsigned: Unsigned
  readonly signatures: readonly string[]
}

/** Reads the transaction that a body of broadcast sends. @throws 400 BASE64_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH */
export const readSent = readOnce((body: Static<MoveWire['broadcast']>, network: MoveNetwork): MoveSent => {
  const { bytes, signatures } = readSigned(body)
  const name = 'signed_tx_b64' in body ? 'signed_tx_b64.bytes' : 'unsigned_tx_b64'
  return { unsigned: readUnsigned(bytes, name, network), signatures }
})

/** Reads the transaction of a craft response or a body of prepare. @throws 400 BASE64_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH */
export const readCrafted = readOnce(
  ({ unsigned_tx_b64 }: Static<MoveWire['unsigned']>, network: MoveNetwork): Unsigned =>
    readUnsigned(unsigned_tx_b64, 'unsigned_tx_b64', network),
)
