import { bcs } from '@mysten/sui/bcs'
import { parseSerializedSignature } from '@mysten/sui/cryptography'
import { isValidTransactionSignature, publicKeyFromRawBytes } from '@mysten/sui/verify'
import { verdictOf } from './answer.ts'
import { readBase64 } from './base64.ts'
import type { MoveClient } from './client.ts'
import { badRequest } from './codes.ts'
import type { Unsigned } from './transaction.ts'

/** Longest serialized signature that is looked at: of a multisig with ten zkLogin signatures, amply. */
const MAX_BYTES = 16 * 1024
/** Flags that signatures begin with. @see https://docs.sui.io/concepts/cryptography/transaction-auth/signatures (read 2026-11-21) */
const SCHEMES: Readonly<Record<number, { readonly name: string; readonly bytes?: number }>> = {
  0: { name: 'Ed25519', bytes: 97 },
  1: { name: 'Secp256k1', bytes: 98 },
  2: { name: 'Secp256r1', bytes: 98 },
  3: { name: 'MultiSig' },
  5: { name: 'zkLogin' },
  6: { name: 'Passkey' },
}
const MULTISIG = 3
const ZKLOGIN = 5
const PASSKEY = 6

/**
 * Checks that there is exactly one valid signature for each signer, in any order. All but zkLogin are verified here; a zkLogin proof can only be verified with the keys of
 * its issuer, so the node is asked.
 *
 * @returns the signatures as they came
 * @throws 400 SIGNATURE_INVALID, BASE64_INVALID, SIGNATURE_UNSUPPORTED; 502, 503, 504 for zkLogin
 */
export async function requireSignatures(
  client: MoveClient,
  { bytes, signers }: Unsigned,
  signatures: readonly string[],
): Promise<readonly string[]> {
  if (signatures.length !== signers.length)
    throw badRequest(
      'SIGNATURE_INVALID',
      `signatures has ${signatures.length} items; the transaction needs ${signers.length === 1 ? 'one, that' : 'one each'} of ${signers.join(' and ')}.`,
    )
  const missing = new Set(signers)
  for (const [index, signature] of signatures.entries()) {
    const name = `signatures[${index}]`
    const scheme = requireForm(signature, name)
    const signer = await signerOf(client, bytes, signature, missing)
    if (signer === null)
      throw badRequest(
        'SIGNATURE_INVALID',
        `${name} is not ${scheme === 'Ed25519' ? 'an' : 'a'} ${scheme} signature of this transaction by ${[...missing].join(' or ')}; sign the BLAKE2b-256 hash of the bytes 00 00 00 and the transaction.`,
      )
    missing.delete(signer)
  }
  return signatures
}

async function signerOf(client: MoveClient, bytes: Uint8Array, signature: string, candidates: Iterable<string>): Promise<string | null> {
  for (const address of candidates) if (await fits(client, bytes, signature, address)) return address
  return null
}

/** Tells whether a signature is the address's over these bytes. The address is always compared: a key and a signature of zeros fit every message. */
async function fits(client: MoveClient, bytes: Uint8Array, signature: string, address: string): Promise<boolean> {
  try {
    if (flagOf(signature) !== ZKLOGIN) return await isValidTransactionSignature(bytes, signature, { address })
    const parsed = parseSerializedSignature(signature)
    if (parsed.signatureScheme !== 'ZkLogin' || !publicKeyFromRawBytes('ZkLogin', parsed.publicKey).verifyAddress(address)) return false
  } catch {
    return false
  }
  return client.exchange(async ({ sui }) => {
    try {
      return await isValidTransactionSignature(bytes, signature, { address, client: sui })
    } catch (error) {
      if (verdictOf(error) !== null) return false
      throw error
    }
  })
}

/**
 * Refuses forms that the library passes over and nodes refuse: bytes that follow, and forms of another length.
 *
 * @returns name of the scheme
 */
function requireForm(signature: string, name: string): string {
  const bytes = readBase64(signature, name, MAX_BYTES)
  const [flag] = bytes
  const scheme = flag === undefined ? undefined : SCHEMES[flag]
  if (!scheme)
    throw badRequest(
      'SIGNATURE_INVALID',
      `${name} begins with ${flag}, which is the flag of no scheme; pass the serialized form: flag, signature and public key, not the bare signature.`,
    )
  if (scheme.bytes !== undefined && scheme.bytes !== bytes.length)
    throw badRequest(
      'SIGNATURE_INVALID',
      `${name} has ${bytes.length} bytes; a serialized ${scheme.name} signature has ${scheme.bytes}: flag, signature and public key.`,
    )
  const rewrite = flag === undefined ? undefined : REWRITE[flag]
  if (rewrite !== undefined && !isCanonical(rewrite, bytes.subarray(1)))
    throw badRequest('SIGNATURE_INVALID', `${name} is not a ${scheme.name} signature in canonical BCS.`)
  if (flag === MULTISIG && bcs.MultiSig.parse(bytes.subarray(1)).sigs.some(({ $kind }) => $kind === 'ZkLogin'))
    throw badRequest(
      'SIGNATURE_UNSUPPORTED',
      `${name} is a MultiSig with a zkLogin signature in it, which cannot be verified here; send it to a node directly.`,
    )
  return scheme.name
}

/** Reads bytes and writes them again, by the flag of what they are of. */
const REWRITE: Readonly<Record<number, (bytes: Uint8Array) => Uint8Array>> = {
  [MULTISIG]: (bytes) => bcs.MultiSig.serialize(bcs.MultiSig.parse(bytes)).toBytes(),
  [PASSKEY]: (bytes) => bcs.PasskeyAuthenticator.serialize(bcs.PasskeyAuthenticator.parse(bytes)).toBytes(),
}

function isCanonical(rewrite: (bytes: Uint8Array) => Uint8Array, bytes: Uint8Array): boolean {
  try {
    return Buffer.compare(rewrite(bytes), bytes) === 0
  } catch {
    return false
  }
}

function flagOf(signature: string): number | undefined {
  return Buffer.from(signature.slice(0, 4), 'base64')[0]
}
