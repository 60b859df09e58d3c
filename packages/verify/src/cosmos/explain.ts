import { digitsOf, integerOf } from '../bytes/hex.ts'
import { sha256 } from '../bytes/sha256.ts'
import { bytesOfText } from '../bytes/text.ts'
import { compressed, lowS, recoverKeys } from '../curve/secp256k1.ts'
import { DecodeError } from '../errors.ts'
import type { Explanation, Signer } from '../intent/explained.ts'
import type { Effects } from '../types.ts'
import { aminoBytes, aminoDocument } from './amino.ts'
import { readAuthInfo } from './auth-info.ts'
import type { KnownFacts } from './chain.ts'
import { decodedOf, MAX_BYTES } from './decode.ts'
import { TX_RAW } from './envelope.ts'
import type { CosmosKeys } from './keys.ts'
import { readMessage } from './protobuf.ts'
import { signDocHash, unsignedBytes } from './sign-doc.ts'

/** The chain, and the signer's account number as far as somebody knows it. */
type KnownChain = CosmosKeys & Omit<KnownFacts, 'accountNumber' | keyof CosmosKeys> & { readonly accountNumber: bigint | null }

const SIGNATURE = 64
/** Name of the mode in `terms`; the other one, of the bytes themselves, is not named. */
const AMINO = 'SIGN_MODE_LEGACY_AMINO_JSON'

/**
 * Explains the effects of a Cosmos transaction, unsigned or signed. The signature covers the chain and the account number, which the bytes do not name: without the number,
 * the hash cannot be told, nor the signature checked.
 *
 * @throws DecodeError as `decodeCosmos` does
 */
export function explainCosmos(text: string, messages: Effects['layouts'], chain: KnownChain): Explanation {
  const bytes = bytesOfText(text, MAX_BYTES)
  const transaction = readMessage(bytes, TX_RAW, 'the transaction')
  const { body_bytes: bodyBytes, auth_info_bytes: authInfoBytes, signatures } = transaction
  const [signature, second] = signatures
  if (second !== undefined) throw new DecodeError(`the transaction has ${signatures.length} signatures; one key signs, not several`)
  if (signature !== undefined && signature.length !== SIGNATURE)
    throw new DecodeError(`the signature has ${signature.length} bytes; it must have ${SIGNATURE}`)

  const { terms, ...decoded } = decodedOf(transaction, messages, chain, 'signed')
  const { signer, key, amino } = readAuthInfo(authInfoBytes, chain, 'signed')
  if (amino && chain.algorithm !== 'secp256k1')
    throw new DecodeError(
      'the sign mode is amino JSON, which keys of Ethereum sign as typed data (EIP-712); such signatures are not read here',
    )
  const { accountNumber } = chain
  const hash = accountNumber === null ? null : hashOf(amino, { ...chain, bodyBytes, authInfoBytes, accountNumber })
  return {
    decoded: {
      ...decoded,
      terms: { ...terms, ...(accountNumber === null ? {} : { accountNumber }), ...(amino ? { signMode: AMINO } : {}) },
    },
    form: signature === undefined ? 'unsigned' : 'signed',
    signers: [{ address: signer, signature: judge(signature, hash, key) }],
    unsigned: {
      unsigned_tx_hex: digitsOf(unsignedBytes(bodyBytes, authInfoBytes)),
      tx_auth_info_hex: digitsOf(authInfoBytes),
      ...(hash === null ? {} : { unsigned_tx_hash_hex: digitsOf(hash) }),
    },
    hash: hash && digitsOf(hash),
    txHash: signature === undefined ? null : digitsOf(sha256(bytes)).toUpperCase(),
    notes: [
      'The bytes do not name the chain.',
      ...(hash === null ? ['Without the account number the hash that is signed cannot be told, nor whether a signature is right.'] : []),
    ],
  }
}

/** Works out what is signed, in the mode that the bytes name. */
function hashOf(amino: boolean, covered: Parameters<typeof signDocHash>[0]): Uint8Array {
  return amino ? sha256(aminoBytes(aminoDocument(covered))) : signDocHash(covered)
}

function judge(signature: Uint8Array | undefined, hash: Uint8Array | null, key: Uint8Array): Signer['signature'] {
  if (signature === undefined) return 'missing'
  if (hash === null) return 'unchecked'
  const [r, s] = [integerOf(signature.subarray(0, 32)), integerOf(signature.subarray(32))]
  const low = lowS({ r, s })
  // Chains take the lower s alone.
  if (low === null || low.s !== s) return 'wrong'
  return recoverKeys(hash, low).some((candidate) => candidate !== null && compressed(candidate) === digitsOf(key)) ? 'right' : 'wrong'
}
