import { Secp256k1, type Secp256k1Signature } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import { isServiceError, type KitContext } from '@svc/contract'
import { AuthInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { readAccount } from './account.ts'
import { aminoHash } from './amino.ts'
import type { ChainAccounts } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { type Account, accountOfKey, compressPublicKey, keyIn } from './public-key.ts'
import { readSignature } from './signature.ts'
import { AMINO_JSON, DIRECT, readSigned, signHash } from './transaction.ts'

/** Fit of a signed transaction's signature to its bytes; `unknown` where the account number that it covers could not be read, or what was signed is not known. */
type Fit = 'fits' | 'wrong' | 'unknown'

/** A transaction of one signer, as far as its signature is about it. */
interface Signed extends Account {
  readonly signature: Secp256k1Signature
  /** Hash of what was signed, for an account number; null where the form of a message is not known. */
  hashFor(accountNumber: bigint): Uint8Array | null
}

/**
 * Verifies the signature in a signed transaction of one signer, as the chain does: with a low s, in SIGN_MODE_DIRECT or in amino JSON, and against the account number on
 * the chain. That number may be known from a craft of this process; it is read again where the signature does not match it.
 *
 * @returns `wrong` too for a transaction of several signers or of another kind of key
 */
export async function signatureFit(chain: ChainAccounts, ctx: KitContext<CosmosClient>, tx: Uint8Array): Promise<Fit> {
  try {
    const signed = signedBy(chain, ctx.network.chainId, tx)
    if (signed === null) return 'wrong'
    const { address, publicKey, signature, hashFor } = signed
    const fits = (number: bigint): Fit => {
      const hash = hashFor(number)
      if (hash === null) return 'unknown'
      return verifies(signature, hash, publicKey) ? 'fits' : 'wrong'
    }
    const remembered = ctx.client.accountNumbers.get(address)
    if (remembered !== undefined && fits(remembered) !== 'wrong') return fits(remembered)
    return fits((await readAccount(ctx.client, address)).number)
  } catch (error) {
    return isServiceError(error) && error.statusCode >= 500 ? 'unknown' : 'wrong'
  }
}

/** @throws 400 for bytes that are no signed transaction */
function signedBy(chain: ChainAccounts, chainId: string, tx: Uint8Array): Signed | null {
  const { bodyBytes, authInfoBytes, signatures } = readSigned(tx)
  const authInfo = AuthInfo.decode(authInfoBytes)
  const [signer, ...signers] = authInfo.signerInfos
  const [bytes, ...others] = signatures
  const key = keyIn(chain, signer?.publicKey)
  const mode = signer?.modeInfo?.single?.mode
  if (signer === undefined || bytes === undefined || key === null || signers.length + others.length > 0) return null
  const account = accountOfKey(chain, compressPublicKey(key))
  // Somebody else who pays has to sign too.
  if (authInfo.fee?.payer && authInfo.fee.payer !== account.address) return null
  const signature = readSignature(bytes)
  // What had to be brought into the form that nodes take is refused as it is.
  if (toHex(signature.toFixedLength()) !== toHex(bytes)) return null
  if (mode === DIRECT) return { ...account, signature, hashFor: (number) => signHash(chain, bodyBytes, authInfoBytes, chainId, number) }
  if (mode !== AMINO_JSON) return null
  // With keys of Ethereum an amino document is signed as typed data too (EIP-712), which is not known here.
  if (chain.algorithm !== 'secp256k1') return { ...account, signature, hashFor: () => null }
  return { ...account, signature, hashFor: (accountNumber) => aminoHash(bodyBytes, authInfo, { chainId, accountNumber }) }
}

/** Tells whether a signature of a hash was made by a key. */
export function verifies(signature: Secp256k1Signature, hash: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return Secp256k1.verifySignature(signature, hash, publicKey)
  } catch {
    return false
  }
}
