import { bytesOf, digitsOf } from '../bytes/hex.ts'
import { sha256 } from '../bytes/sha256.ts'
import { compressed, write } from '../curve/secp256k1.ts'
import { readSignature } from '../curve/signature.ts'
import { DecodeError, shown } from '../errors.ts'
import type { Signing } from '../intent/signing.ts'
import { type AminoDocument, aminoDocument } from './amino.ts'
import type { CosmosCraft } from './decode.ts'
import { AUTH_INFO, SIGNER_INFO, UNSIGNED_TX } from './envelope.ts'
import { type CosmosKeys, rulesOf } from './keys.ts'
import { readMessage, writeVarint } from './protobuf.ts'
import { delimited, unsignedBytes } from './sign-doc.ts'

/**
 * Makes the signing rules of SIGN_MODE_DIRECT: the hash of the sign document is signed. The reader has computed that hash from bytes, chain and account number, and found
 * it equal to the answer's.
 */
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

/** Writes a `TxRaw` from its parts and the signature. @returns hex */
export function writeSigned(
  { bodyBytes, authInfoBytes }: { readonly bodyBytes: Uint8Array; readonly authInfoBytes: Uint8Array },
  signature: Uint8Array,
): string {
  return `${digitsOf(unsignedBytes(bodyBytes, authInfoBytes))}1a${digitsOf(Uint8Array.from(writeVarint(BigInt(signature.length))))}${digitsOf(signature)}`
}

/** Extracts body and auth info of a craft, for signers that write the sign document themselves. @throws DecodeError when it is no craft */
export function signPartsOf(answer: unknown): { readonly bodyBytes: Uint8Array; readonly authInfoBytes: Uint8Array } {
  const bytes = bytesOf(`0x${(answer as CosmosCraft).unsigned_tx_hex}`) ?? new Uint8Array()
  const { body_bytes: bodyBytes, auth_info_bytes: authInfoBytes } = readMessage(bytes, UNSIGNED_TX, 'unsigned_tx_hex')
  return { bodyBytes, authInfoBytes }
}

/** Writes the amino JSON document of a craft, which hardware wallets sign in place of its bytes. @throws DecodeError where it has none */
export function aminoDocumentOf(answer: unknown, facts: { readonly chainId: string; readonly accountNumber: bigint }): AminoDocument {
  return aminoDocument({ ...signPartsOf(answer), ...facts })
}

/** `SIGN_MODE_LEGACY_AMINO_JSON`, 127, in a `ModeInfo` of one key. @see https://github.com/cosmos/cosmos-sdk/blob/main/proto/cosmos/tx/signing/v1beta1/signing.proto (read 2026-11-21) */
const AMINO_MODE = delimited(1, Uint8Array.from([1 << 3, 127]))

/**
 * Writes a `TxRaw` of a craft whose amino document was signed. Fee and gas limit are those of the signed document, since a wallet may have put its own into it.
 *
 * @returns hex
 * @throws DecodeError for a gas limit that is none
 */
export function writeAminoSigned(answer: unknown, { fee }: Pick<AminoDocument, 'fee'>, signature: Uint8Array): string {
  if (!/^[1-9]\d{0,18}$/.test(fee.gas)) throw new DecodeError(`fee.gas is ${shown(fee.gas)}; it must be a number of units of gas`)
  const { bodyBytes, authInfoBytes } = signPartsOf(answer)
  const [first = new Uint8Array()] = readMessage(authInfoBytes, AUTH_INFO, 'auth_info').signer_infos
  const { public_key: key, sequence } = readMessage(first, SIGNER_INFO, 'auth_info.signer_infos[0]')
  const signer = [...delimited(1, key), ...delimited(2, AMINO_MODE), ...(sequence === 0n ? [] : [3 << 3, ...writeVarint(sequence)])]
  const coins = fee.amount.flatMap(({ denom, amount }) => delimited(1, [...delimited(1, utf8(denom)), ...delimited(2, utf8(amount))]))
  const authInfo = [...delimited(1, signer), ...delimited(2, [...coins, 2 << 3, ...writeVarint(BigInt(fee.gas))])]
  return writeSigned({ bodyBytes, authInfoBytes: Uint8Array.from(authInfo) }, signature)
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
