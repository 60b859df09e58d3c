import type { NetworkBase, SentTransaction } from '@svc/contract'
import type { Transaction } from 'ethers'
import type { Static } from 'typebox'
import { joined } from './joined.ts'
import { readCrafted, readSigned } from './names.ts'
import type { evmWire } from './wire.ts'

/** Senders that are remembered: what is prepared here is mostly broadcast here, and finding a sender takes 2 ms. */
const REMEMBERED = 1_000
const senders = new Map<string, string>()

/**
 * Returns the transaction in a body of prepare or broadcast. Its sender is recovered from the signature, since its unsigned bytes do not name it.
 *
 * @throws 400 for a signature that is none, once the sender is asked for
 */
export function evmSent(
  body: Static<(typeof evmWire)['prepare']> | Static<(typeof evmWire)['broadcast']>,
  network: NetworkBase,
): SentTransaction {
  if ('serialized_tx_hex' in body) {
    const signer = () => {
      const signed = joined(body, network)
      return senderOf(signed, signed.serialized)
    }
    return { bytes: readCrafted(body, network).serialized, signer }
  }
  const { hex, transaction } = readSigned(body, network)
  return { bytes: transaction.unsignedSerialized, signer: () => senderOf(transaction, hex) }
}

/** Recovers the signer of a transaction; null when no key can have signed it. @param hex the signed bytes */
export function senderOf(signed: Transaction, hex: string): string | null {
  const earlier = senders.get(hex)
  if (earlier !== undefined) return earlier
  const sender = recovered(signed)
  if (sender === null) return null
  senders.set(hex, sender)
  const [oldest] = senders.keys()
  if (senders.size > REMEMBERED && oldest !== undefined) senders.delete(oldest)
  return sender
}

/** Recovers the signer; null where no public key fits, which the library says in its own ways. */
function recovered(signed: Transaction): string | null {
  try {
    return signed.from
  } catch {
    return null
  }
}
