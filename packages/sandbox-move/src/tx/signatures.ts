import { toBase64 } from '@mysten/sui/utils'
import { isValidTransactionSignature } from '@mysten/sui/verify'
import { invalid } from '../errors.ts'
import type { TransactionData } from './data.ts'

/** First byte of a zkLogin signature. */
const zkLoginFlag = 5

/** Checks that all required signers have signed: the sender, and the owner of the gas when that is another. @throws GrpcError `INVALID_ARGUMENT` */
export async function checkSignatures(bytes: Uint8Array, data: TransactionData, signatures: readonly Uint8Array[]): Promise<void> {
  const signers = [...new Set([data.sender, data.gasData.owner])]
  if (signatures.length !== signers.length) {
    throw invalid(`Invalid user signature: Expect ${signers.length} signer signatures but got ${signatures.length}`)
  }
  for (const signature of signatures) {
    if (signature[0] === zkLoginFlag) throw invalid('Invalid user signature: the sandbox does not verify zkLogin')
  }
  for (const signer of signers) {
    const outcomes = await Promise.all(signatures.map((signature) => signedBy(bytes, signature, signer)))
    if (!outcomes.includes(true)) throw invalid(`Invalid user signature: Required Signature from ${signer} is absent or does not verify`)
  }
}

/** Tells whether an address has signed; false for bytes that are no signature. */
export async function signedBy(bytes: Uint8Array, signature: Uint8Array, address: string): Promise<boolean> {
  // The library would ask a public network for the keys behind it.
  if (signature[0] === zkLoginFlag) return false
  try {
    return await isValidTransactionSignature(bytes, toBase64(signature), { address })
  } catch {
    return false
  }
}
