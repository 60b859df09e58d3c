import { toHex } from '@cosmjs/encoding'
import { type KitContext, signatureBytes } from '@svc/contract'
import type { Static } from 'typebox'
import { readAccount } from './account.ts'
import { aminoHash } from './amino.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { badRequest } from './codes.ts'
import { readTransactionHex } from './hex.ts'
import { readUnsignedTx } from './names.ts'
import { accountOfKey, compressPublicKey } from './public-key.ts'
import { readSignatures } from './signature.ts'
import { verifies } from './signature-fit.ts'
import { type MessageTypes, rawOf, readDelegator, readSigner, signHash } from './transaction.ts'
import type { CosmosWire } from './wire.ts'

/**
 * Joins an unsigned transaction and its signature. The caller's bytes go into the signed transaction unchanged; where a hardware wallet signs, the caller has set the sign
 * mode to 127 (amino JSON) before. It checks that the transaction is one message that the plugin crafts, by its signer, in the chain's token, with a fee; and it checks the
 * signature, which needs the account number: that is read unless a craft of this process has seen it.
 *
 * @throws 400 HEX_INVALID, TRANSACTION_INVALID, PUBLIC_KEY_INVALID, SIGNATURE_INVALID, ACCOUNT_UNKNOWN; 502, 503, 504
 */
export async function prepareCosmos(
  chain: CosmosChain,
  types: MessageTypes,
  ctx: KitContext<CosmosClient>,
  input: Static<CosmosWire['prepare']>,
): Promise<Static<CosmosWire['signed']>> {
  const { denom } = chain
  const { txBody: body, authInfo } = readUnsignedTx(input)
  const { key, amino } = readSigner(authInfo, chain)
  const { publicKey, address } = accountOfKey(chain, compressPublicKey(key))
  const delegator = readDelegator(body, denom, types)
  if (delegator !== address) {
    throw badRequest(
      'TRANSACTION_INVALID',
      `tx_body_hex acts for ${delegator.slice(0, 100)}, tx_auth_info_hex is signed by ${address}; both must be of one transaction.`,
    )
  }
  const signatures = readSignatures(signatureOf(input.signature_hex))
  const { chainId } = ctx.network
  const fitting = (accountNumber: bigint) => {
    const hash =
      amino === null ? signHash(chain, body, authInfo, chainId, accountNumber) : aminoHash(body, amino, { chainId, accountNumber })
    if (hash === null)
      throw badRequest(
        'TRANSACTION_INVALID',
        'tx_body_hex holds a message that is not signed in amino JSON here; sign it in SIGN_MODE_DIRECT.',
      )
    return signatures.find((signature) => verifies(signature, hash, publicKey))
  }

  const remembered = ctx.client.accountNumbers.get(address)
  // What is remembered may come from a chain that was since begun anew, as test chains are; so a refusal rests on what the chain says now.
  let signature = remembered === undefined ? undefined : fitting(remembered)
  if (signature === undefined) {
    const { number } = await readAccount(ctx.client, address)
    if (number !== remembered) signature = fitting(number)
    if (signature === undefined) {
      throw badRequest(
        'SIGNATURE_INVALID',
        `signature_hex does not fit this transaction, the key of ${address}, account number ${number} and chain ${chainId}; ${amino === null ? 'sign unsigned_tx_hash_hex as crafted, without hashing it again' : 'in amino JSON the document is signed whose fee, gas and sequence are those of tx_auth_info_hex'}.`,
      )
    }
  }
  return { signed_tx_hex: toHex(rawOf(body, authInfo, [signature.toFixedLength()])) }
}

/** Lengths of a signature that is written as base64: 64 bytes, 65, or DER of some 70. */
const [LEAST_BYTES, MOST_BYTES] = [60, 72]

/** Reads the bytes of a signature in each way in which signers write them. @throws 400 HEX_INVALID */
function signatureOf(text: string): Uint8Array {
  const bytes = signatureBytes(text)
  return bytes !== null && bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES ? bytes : readTransactionHex(text, 'signature_hex')
}
