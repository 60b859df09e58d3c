import { TransactionDataBuilder } from '@mysten/sui/transactions'
import { normalizeSuiAddress } from '@mysten/sui/utils'
import { readBase64 } from './base64.ts'
import { badRequest } from './codes.ts'
import { identifierOf, type MoveNetwork, nameOf } from './settings.ts'

/** Most bytes of a transaction. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs (max_tx_size_bytes, read 2026-11-21) */
const MAX_BYTES = 128 * 1024

/** Unsigned transaction bytes, and what is needed of them to sign and send. It may be given to others too, so nobody changes it. */
export interface Unsigned {
  /** Its bytes as the body writes them. */
  readonly text: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Hash by which the chain knows the transaction, base58; signatures do not change it. */
  readonly digest: string
  /** Addresses that must sign: the sender, and the payer of the gas where that is another address. Canonical. */
  readonly signers: readonly string[]
  /** Transaction data of the bytes. */
  readonly data: TransactionDataBuilder
}

/**
 * Reads an unsigned transaction from its base64 text, and checks its chain.
 *
 * @param name of the member, for the message
 * @throws 400 BASE64_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH
 */
export function readUnsigned(text: string, name: string, network: MoveNetwork): Unsigned {
  const read = readText(text, name)
  const { $kind, ValidDuring, Validity } = read.data.expiration ?? {}
  const chain = $kind === 'ValidDuring' ? ValidDuring?.chain : Validity?.chain
  if (chain !== undefined && chain !== identifierOf(network))
    throw badRequest(
      'CHAIN_ID_MISMATCH',
      `${name} is for the chain ${nameOf(chain)}, not for ${network.chainId}; craft it there or pass its network.`,
    )
  return read
}

function readText(text: string, name: string): Unsigned {
  const bytes = readBase64(text, name, MAX_BYTES)
  const data = parsed(bytes)
  const { sender } = data ?? {}
  if (!data || !sender)
    throw badRequest('TRANSACTION_INVALID', `${name} is not a programmable transaction in canonical BCS; pass unsigned_tx_b64 as crafted.`)
  const signers = new Set([sender, data.gasData.owner ?? sender].map((address) => normalizeSuiAddress(address)))
  return { text, bytes, digest: TransactionDataBuilder.getDigestFromBytes(bytes), signers: [...signers], data }
}

/** Null when it cannot be read, or would be written differently: the library ignores bytes that follow, nodes do not. */
function parsed(bytes: Uint8Array): TransactionDataBuilder | null {
  try {
    const data = TransactionDataBuilder.fromBytes(bytes)
    return Buffer.compare(data.build(), bytes) === 0 ? data : null
  } catch {
    return null
  }
}
