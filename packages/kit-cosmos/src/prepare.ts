import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import type { KitContext } from '@svc/contract'
import type { Static } from 'typebox'
import { readAccount } from './account.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { badRequest } from './codes.ts'
import { readHex } from './hex.ts'
import { readTxBody } from './names.ts'
import { accountOfKey, compressPublicKey } from './public-key.ts'
import { readSignature } from './signature.ts'
import { type MessageTypes, rawOf, readDelegator, readSigned, readSigner, signHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/**
 * Unsigned transaction and signature to signed transaction. The caller's bytes go into it as they came. What is looked at: that it is one
 * message that the plugin crafts, by whoever signs, in the chain's token, with a fee in it; and the signature, which needs the account number: it is asked
 * for unless a craft of this process has seen it.
 *
 * @throws 400 HEX_INVALID, TRANSACTION_INVALID, PUBLIC_KEY_INVALID, SIGNATURE_INVALID, ACCOUNT_UNKNOWN; 502, 503, 504
 */
export async function prepareCosmos(
  { prefix, denom }: CosmosChain,
  types: MessageTypes,
  ctx: KitContext<CosmosClient>,
  given: Static<CosmosWire['prepare']>,
): Promise<Static<CosmosWire['signed']>> {
  const authInfo = readHex(given.tx_auth_info_hex, 'tx_auth_info_hex')
  const body = readTxBody(given, authInfo)
  const { publicKey, address } = accountOfKey(prefix, compressPublicKey(readSigner(authInfo, denom)))
  const delegator = readDelegator(body, denom, types)
  if (delegator !== address) {
    throw badRequest(
      'TRANSACTION_INVALID',
      `tx_body_hex acts for ${delegator.slice(0, 100)}, tx_auth_info_hex is signed by ${address}; both must be of one transaction.`,
    )
  }
  const signature = readSignature(readHex(given.signature_hex, 'signature_hex'))
  const { chainId } = ctx.network
  const fits = (accountNumber: bigint) => verifies(signature, signHash(body, authInfo, chainId, accountNumber), publicKey)

  const remembered = ctx.client.accountNumbers.get(address)
  // What is remembered may come from a chain that was since begun anew, as test chains are; so a refusal rests on what the chain says now.
  if (remembered === undefined || !fits(remembered)) {
    const { number } = await readAccount(ctx.client, address)
    if (number === remembered || !fits(number)) {
      throw badRequest(
        'SIGNATURE_INVALID',
        `signature_hex does not fit this transaction, the key of ${address}, account number ${number} and chain ${chainId}; sign unsigned_tx_hash_hex as crafted, without hashing it again.`,
      )
    }
  }
  return { signed_tx_hex: toHex(rawOf(body, authInfo, [signature.toFixedLength()])) }
}

/**
 * Verifies the signature within a signed transaction of one signer against the account number that the chain tells. A craft of this process may have seen
 * that number; it is asked for where the signature does not fit it.
 *
 * @returns false too for a transaction of another form, and where the number could not be read
 */
export async function isSignedBy({ prefix, denom }: CosmosChain, ctx: KitContext<CosmosClient>, tx: Uint8Array): Promise<boolean> {
  try {
    const { bodyBytes, authInfoBytes, signatures } = readSigned(tx)
    const [only, ...others] = signatures
    if (only === undefined || others.length > 0) return false
    const { publicKey, address } = accountOfKey(prefix, compressPublicKey(readSigner(authInfoBytes, denom)))
    const signature = Secp256k1Signature.fromFixedLength(only)
    const fits = (number: bigint) => verifies(signature, signHash(bodyBytes, authInfoBytes, ctx.network.chainId, number), publicKey)
    const remembered = ctx.client.accountNumbers.get(address)
    return (remembered !== undefined && fits(remembered)) || fits((await readAccount(ctx.client, address)).number)
  } catch {
    return false
  }
}

function verifies(signature: Secp256k1Signature, hash: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return Secp256k1.verifySignature(signature, hash, publicKey)
  } catch {
    return false
  }
}
