import type { GrpcTypes } from '@mysten/sui/grpc'
import { invalid } from '../errors.ts'
import { signedBy } from '../tx/signatures.ts'
import { isAddress } from './identifiers.ts'
import type { Handler, Handlers } from './method.ts'

const verifySignature: Handler<GrpcTypes.VerifySignatureRequest> = async (_, { message, signature, address }) => {
  if (message?.name !== 'TransactionData') throw invalid('the sandbox verifies signatures of TransactionData only')
  const bytes = signature?.bcs?.value
  if (message.value === undefined || bytes === undefined) throw invalid('missing message or signature')
  if (await signedBy(message.value, bytes, isAddress('address', address))) return { isValid: true }
  return { isValid: false, reason: 'the signature does not verify for the address; the sandbox knows no zkLogin' }
}

/** Methods of SignatureVerificationService. */
export const signatureHandlers: Handlers = { VerifySignature: verifySignature }
