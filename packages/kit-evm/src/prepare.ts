import type { KitContext } from '@svc/contract'
import { Signature, type Transaction, toBeHex } from 'ethers'
import type { Static } from 'typebox'
import type { EvmClient } from './client.ts'
import { badRequest } from './codes.ts'
import { readUnsigned } from './names.ts'
import { senderOf } from './sent.ts'
import { readHex } from './transaction.ts'
import type { evmWire } from './wire.ts'

/** Order of secp256k1. @see https://www.secg.org/sec2-v2.pdf section 2.4.1 (read 2026-11-21) */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * Unsigned transaction and signature to signed transaction. Asks the chain nothing.
 *
 * @throws 400 TRANSACTION_INVALID, CHAIN_ID_MISMATCH, SIGNATURE_INVALID
 */
export async function prepareEvm(
  { network }: KitContext<EvmClient>,
  body: Static<(typeof evmWire)['prepare']>,
): Promise<Static<(typeof evmWire)['signed']>> {
  const chainId = BigInt(network.chainId)
  const unsigned = readUnsigned(body, network)
  const parity = readParity(body.v, chainId)
  const r = readScalar(body.r, 'r')
  const s = readScalar(body.s, 's')
  const high = s > ORDER / 2n
  unsigned.signature = Signature.from({
    r: toBeHex(r, 32),
    s: toBeHex(high ? ORDER - s : s, 32),
    yParity: high ? (parity === 0 ? 1 : 0) : parity,
  })
  const signed_tx_hex = unsigned.serialized
  refuseUnrecoverable(unsigned, signed_tx_hex)
  return { signed_tx_hex }
}

function readScalar(text: string, name: string): bigint {
  const hex = readHex(text, name)
  const scalar = BigInt(hex)
  if (scalar === 0n || scalar >= ORDER)
    throw badRequest(
      'SIGNATURE_INVALID',
      `${name} is not part of a secp256k1 signature: it must be above zero and below the order of the curve.`,
    )
  return scalar
}

/** 0 and 1, 27 and 28 (Bitcoin's offset), or 35 + 2 × chain id and one more. @see https://eips.ethereum.org/EIPS/eip-155 (read 2026-11-21) */
function readParity(v: number, chainId: bigint): 0 | 1 {
  const value = BigInt(v)
  const first = 35n + 2n * chainId
  if (value === 0n || value === 27n || value === first) return 0
  if (value === 1n || value === 28n || value === first + 1n) return 1
  throw badRequest('SIGNATURE_INVALID', `v ${v} does not belong to chain ${chainId}: it is 0 or 1, 27 or 28, or ${first} or ${first + 1n}.`)
}

function refuseUnrecoverable(signed: Transaction, hex: string): void {
  if (senderOf(signed, hex) !== null) return
  throw badRequest(
    'SIGNATURE_INVALID',
    'No address can be recovered from r, s and v for this transaction; sign unsigned_tx_hash_hex as crafted.',
  )
}
