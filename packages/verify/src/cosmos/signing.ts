import { bytesOf, digitsOf } from '../bytes/hex.ts'
import { sha256 } from '../bytes/sha256.ts'
import { compressed, write } from '../curve/secp256k1.ts'
import { readSignature } from '../curve/signature.ts'
import type { Signing } from '../intent/signing.ts'
import type { CosmosCraft } from './decode.ts'
import { UNSIGNED_TX } from './envelope.ts'
import { type CosmosKeys, rulesOf } from './keys.ts'
import { readMessage, writeVarint } from './protobuf.ts'
import { unsignedBytes } from './sign-doc.ts'

/** SIGN_MODE_DIRECT: the hash of the sign document, which the reader has worked out from bytes, chain and account number and found to be that of the answer. */
export const signingWith = (keys: CosmosKeys): Signing => ({
  request: (answer, { pubkey }) => ({
    algorithm: 'secp256k1',
    digest: rulesOf({ algorithm: keys.algorithm, keyType: keys.keyType }).digest,
    signer: String(pubkey),
    payload: bytesOf(`0x${(answer as CosmosCraft).unsigned_tx_hash_hex}`) ?? new Uint8Array(),
  }),
  async prepare(answer, { signer, payload }, given) {
    const target = signer.replace(/^0x/, '').toLowerCase()
    const isSigner = (key: Uint8Array) => target === compressed(key) || target === `04${digitsOf(key)}`
    const { r, s } = readSignature(given, payload, isSigner, signer)
    const signature = new Uint8Array(64)
    write(signature, 0, r)
    write(signature, 32, s)
    const { unsigned_tx_hex, tx_auth_info_hex } = answer as CosmosCraft
    // Field 3 of TxRaw, 64 bytes: https://github.com/cosmos/cosmos-sdk/blob/main/proto/cosmos/tx/v1beta1/tx.proto (read 2026-11-21).
    const signed = `${unsigned_tx_hex}1a40${digitsOf(signature)}`
    return {
      body: { tx_body_hex: unsigned_tx_hex, tx_auth_info_hex, signature_hex: digitsOf(signature) },
      expected: { signed_tx_hex: signed },
      // With either kind of key.
      txHash: digitsOf(sha256(bytesOf(`0x${signed}`) ?? new Uint8Array())).toUpperCase(),
    }
  },
})

/** Writes a `TxRaw` of what a signer has signed. @returns hex */
export function writeSigned(
  { bodyBytes, authInfoBytes }: { readonly bodyBytes: Uint8Array; readonly authInfoBytes: Uint8Array },
  signature: Uint8Array,
): string {
  return `${digitsOf(unsignedBytes(bodyBytes, authInfoBytes))}1a${digitsOf(Uint8Array.from(writeVarint(BigInt(signature.length))))}${digitsOf(signature)}`
}

/** Body and auth info of a craft, for signers that write the sign document themselves. @throws DecodeError when it is no craft */
export function signPartsOf(answer: unknown): { readonly bodyBytes: Uint8Array; readonly authInfoBytes: Uint8Array } {
  const bytes = bytesOf(`0x${(answer as CosmosCraft).unsigned_tx_hex}`) ?? new Uint8Array()
  const { body_bytes: bodyBytes, auth_info_bytes: authInfoBytes } = readMessage(bytes, UNSIGNED_TX, 'unsigned_tx_hex')
  return { bodyBytes, authInfoBytes }
}
