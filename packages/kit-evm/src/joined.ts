import type { NetworkBase } from '@svc/contract'
import { Signature, type Transaction, toBeHex } from 'ethers'
import type { Static } from 'typebox'
import { badRequest } from './codes.ts'
import { readUnsigned } from './names.ts'
import { normalHex } from './transaction.ts'
import type { evmWire } from './wire.ts'

/** Order of secp256k1. @see https://www.secg.org/sec2-v2.pdf section 2.4.1 (read 2026-11-21) */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Joins the transaction and the signature of a body of prepare. The signer is not checked. @throws 400 HEX_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH, SIGNATURE_INVALID */
export function joined(body: Static<(typeof evmWire)['prepare']>, network: NetworkBase): Transaction {
  return withParity(body, network, readParity(body.v, BigInt(network.chainId)))
}

/** Value of y's parity that a signature can have. */
type Parity = 0 | 1

/** Joins transaction and signature as `joined` does, with the given parity of y in place of the body's. @param parity of the signature as it came, whose s may be high */
export function withParity(body: Omit<Static<(typeof evmWire)['prepare']>, 'v'>, network: NetworkBase, parity: Parity): Transaction {
  const transaction = readUnsigned(body, network).clone()
  const r = readScalar(body.r, 'r')
  const s = readScalar(body.s, 's')
  const high = s > ORDER / 2n
  transaction.signature = Signature.from({
    r: toBeHex(r, 32),
    s: toBeHex(high ? ORDER - s : s, 32),
    yParity: high ? (parity === 0 ? 1 : 0) : parity,
  })
  return transaction
}

function readScalar(text: string, name: string): bigint {
  const hex = normalHex(text, name)
  const scalar = BigInt(hex)
  if (scalar === 0n || scalar >= ORDER)
    throw badRequest(
      'SIGNATURE_INVALID',
      `${name} is not part of a secp256k1 signature: it must be above zero and below the order of the curve.`,
    )
  return scalar
}

/**
 * Reads the parity of a signature's `v`: 0 and 1, 27 and 28 (Bitcoin's offset), or 35 + 2 × chain id and one more.
 *
 * @see https://eips.ethereum.org/EIPS/eip-155 (read 2026-11-21)
 */
function readParity(v: number | string, chainId: bigint): Parity {
  const first = 35n + 2n * chainId
  const parities = valuesOf(v).flatMap((value): readonly Parity[] => {
    if (value === 0n || value === 27n || value === first) return [0]
    return value === 1n || value === 28n || value === first + 1n ? [1] : []
  })
  const [parity, other = parity] = parities
  if (parity !== undefined && parity === other) return parity
  throw badRequest(
    'SIGNATURE_INVALID',
    `v ${String(v).slice(0, 40)} does not belong to chain ${chainId}: it is 0 or 1, 27 or 28, or ${first} or ${first + 1n}.`,
  )
}

/** Lists what a text may mean as a number: custodians write "00", "1b" and "0x1c", others the digits of a decimal. A number means itself. */
function valuesOf(v: number | string): readonly bigint[] {
  if (typeof v === 'number') return [BigInt(v)]
  const [, prefix, digits] = /^(0x)?([0-9a-f]{1,16})$/i.exec(v) ?? []
  if (digits === undefined) return []
  const isDecimal = prefix === undefined && /^\d+$/.test(digits)
  return [BigInt(`0x${digits}`), ...(isDecimal ? [BigInt(digits)] : [])]
}
