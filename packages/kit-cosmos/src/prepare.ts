import { Secp256k1, type Secp256k1Signature } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import { isServiceError, type KitContext } from '@svc/contract'
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

/** How the signature within a signed transaction stands to its bytes; `unknown` where the account number could not be read, which it covers. */
export type Fit = 'fits' | 'wrong' | 'unknown'

/**
 * Verifies the signature within a signed transaction of one signer, as the chain does: with a low s, and against the account number that the chain tells. A
 * craft of this process may have seen that number; it is asked for where the signature does not fit it.
 *
 * @returns `wrong` too for a transaction of another form, which was not crafted here
 */
export async function signatureFit({ prefix, denom }: CosmosChain, ctx: KitContext<CosmosClient>, tx: Uint8Array): Promise<Fit> {
  try {
    const { bodyBytes, authInfoBytes, signatures } = readSigned(tx)
    const [only, ...others] = signatures
    if (only === undefined || others.length > 0) return 'wrong'
    const { publicKey, address } = accountOfKey(prefix, compressPublicKey(readSigner(authInfoBytes, denom)))
    const signature = readSignature(only)
    // What had to be brought into the form that nodes take is refused as it is.
    if (toHex(signature.toFixedLength()) !== toHex(only)) return 'wrong'
    const fits = (number: bigint) => verifies(signature, signHash(bodyBytes, authInfoBytes, ctx.network.chainId, number), publicKey)
    const remembered = ctx.client.accountNumbers.get(address)
    if (remembered !== undefined && fits(remembered)) return 'fits'
    return fits((await readAccount(ctx.client, address)).number) ? 'fits' : 'wrong'
  } catch (error) {
    return isServiceError(error) && error.statusCode >= 500 ? 'unknown' : 'wrong'
  }
}

function verifies(signature: Secp256k1Signature, hash: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return Secp256k1.verifySignature(signature, hash, publicKey)
  } catch {
    return false
  }
}
