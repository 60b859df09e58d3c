import { type Names, type NetworkBase, readOnce } from '@svc/contract'
import { keccak256, type Transaction } from 'ethers'
import type { Static } from 'typebox'
import { badRequest } from './codes.ts'
import { hashOf, nonceOf } from './legacy.ts'
import { normalHex, readTransaction } from './transaction.ts'
import type { evmWire } from './wire.ts'

/** Names of EVM transactions. `unsignedHash` is `unsigned_tx_hash_hex`, the hash that is signed: a signed transaction still yields it. */
export const evmNames: Names<typeof evmWire> = {
  unsigned: (body, network) => hashOf(readCrafted(body, network).serialized),
  signed(body, network) {
    const { transaction, txHash } = readSigned(body, network)
    return { unsignedHash: transaction.unsignedHash, txHash }
  },
}

/** A craft response or a body of prepare. */
interface UnsignedBody {
  readonly serialized_tx_hex: string
}

/** The bytes that are signed, with the network's chain id in them, and the nonce that they have. */
interface Crafted {
  readonly serialized: string
  readonly nonce: bigint
}

/** Reads the unsigned transaction of a craft's answer or of a body of prepare. @throws 400 HEX_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH */
export const readCrafted = readOnce((body: UnsignedBody, network: NetworkBase): Crafted => {
  if (!('r' in body)) {
    const serialized = normalHex(body.serialized_tx_hex, 'serialized_tx_hex')
    const nonce = nonceOf(serialized, BigInt(network.chainId))
    if (nonce !== null) return { serialized, nonce }
  }
  // A signature is joined to what the library reads; and of what this service has not crafted the library says what it is, or what is wrong with it.
  const { unsignedSerialized, nonce } = readUnsigned(body, network)
  return { serialized: unsignedSerialized, nonce: BigInt(nonce) }
})

/**
 * Reads the unsigned transaction of a body of prepare, with the network's chain id in it. A caller that changes it takes a copy.
 *
 * @throws 400 HEX_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH
 */
export const readUnsigned = readOnce((body: UnsignedBody, network: NetworkBase): Transaction => {
  const chainId = BigInt(network.chainId)
  const serialized = normalHex(body.serialized_tx_hex, 'serialized_tx_hex')
  const unsigned = readTransaction(serialized, 'serialized_tx_hex')
  if (unsigned.type !== 0)
    throw badRequest(
      'TRANSACTION_INVALID',
      `serialized_tx_hex is a transaction of type ${unsigned.type}; this service crafts type 0 (legacy).`,
    )
  if (unsigned.signature)
    throw badRequest('TRANSACTION_INVALID', 'serialized_tx_hex is signed already; pass the unsigned transaction as crafted.')
  if (unsigned.unsignedSerialized !== serialized)
    throw badRequest(
      'TRANSACTION_INVALID',
      'serialized_tx_hex is not in canonical form, so its hash is not the one that was signed; pass it as crafted.',
    )
  // The six-field form names no chain: the network's is written in, and the signature must have been made for it.
  if (unsigned.chainId === 0n) unsigned.chainId = chainId
  if (unsigned.chainId !== chainId)
    throw badRequest('CHAIN_ID_MISMATCH', `serialized_tx_hex is for chain ${unsigned.chainId}; this request goes to chain ${chainId}.`)
  return unsigned
})

/** A signed transaction, and what is sent of it. */
interface Signed {
  readonly hex: string
  readonly transaction: Transaction
  readonly txHash: string
}

/** Reads the signed transaction of a body of broadcast. @throws 400 HEX_INVALID, TRANSACTION_INVALID, CHAIN_ID_MISMATCH */
export const readSigned = readOnce((body: Static<(typeof evmWire)['broadcast']>, network: NetworkBase): Signed => {
  const hex = normalHex(body.signed_tx_hex, 'signed_tx_hex')
  const transaction = readTransaction(hex, 'signed_tx_hex')
  if (!transaction.signature) throw badRequest('TRANSACTION_INVALID', 'signed_tx_hex is not signed; pass what prepare returned.')
  const chainId = BigInt(network.chainId)
  if (transaction.chainId !== chainId) {
    const whose = transaction.chainId === 0n ? 'names no chain (it predates EIP-155)' : `is for chain ${transaction.chainId}`
    throw badRequest('CHAIN_ID_MISMATCH', `signed_tx_hex ${whose}; this request goes to chain ${chainId}. It was not sent.`)
  }
  return { hex, transaction, txHash: keccak256(hex) }
})
