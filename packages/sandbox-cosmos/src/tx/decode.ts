import { Secp256k1 } from '@cosmjs/crypto'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { ChainError, sdk } from '../errors.ts'
import type { CosmosGenesis } from '../genesis.ts'
import { type Fields, read, rejectUnknown } from './fields.ts'
import { type Message, readMessage } from './messages.ts'

/** A transaction, read. */
export interface DecodedTx {
  readonly size: number
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly body: TxBody
  readonly authInfo: AuthInfo
  readonly signatures: readonly Uint8Array[]
  readonly messages: readonly Message[]
  /** Who has to sign, in order; the first pays. */
  readonly signers: readonly string[]
}

/**
 * Reads a transaction as strictly as the chain does: canonical outer form, no unknown fields, known messages only.
 *
 * @see ADR-020 and ADR-027 of the Cosmos SDK (read 2026-11-21)
 * @throws ChainError tx parse error, or what the first message is refused for
 */
export function decodeTx(bytes: Uint8Array, genesis: CosmosGenesis): DecodedTx {
  rejectUnordered(bytes)
  const raw = read(() => TxRaw.decode(bytes))
  rejectUnknown(raw.bodyBytes, fields.body, '/cosmos.tx.v1beta1.TxBody')
  rejectUnknown(raw.authInfoBytes, fields.authInfo, '/cosmos.tx.v1beta1.AuthInfo')
  const body = read(() => TxBody.decode(raw.bodyBytes))
  const authInfo = read(() => AuthInfo.decode(raw.authInfoBytes))
  if (body.extensionOptions.length > 0) throw new ChainError(sdk.unknownRequest, 'unknown extension options')
  const messages = body.messages.map((message) => readMessage(message, genesis))
  return {
    size: bytes.length,
    bodyBytes: raw.bodyBytes,
    authInfoBytes: raw.authInfoBytes,
    body,
    authInfo,
    signatures: raw.signatures,
    messages,
    signers: [...new Set(messages.map(({ signer }) => signer))],
  }
}

/**
 * The key that a signer names, or undefined where it names none.
 *
 * @throws ChainError for a key of another kind, and for 33 bytes that are no key
 */
export function signerKey(tx: DecodedTx, index: number): Uint8Array | undefined {
  const any = tx.authInfo.signerInfos[index]?.publicKey
  if (any === undefined) return undefined
  if (any.typeUrl !== '/cosmos.crypto.secp256k1.PubKey')
    throw new ChainError(sdk.invalidPubKey, `unrecognized public key type: ${any.typeUrl}`)
  const { key } = read(() => PubKey.decode(any.value))
  try {
    if (key.length === 33) return Secp256k1.compressPubkey(Secp256k1.uncompressPubkey(key))
  } catch {}
  throw new ChainError(sdk.invalidPubKey, 'public key must be 33 bytes of a point on the curve')
}

/** The outer form: fields 1, 2 and any number of 3 in this order, each of bytes, with lengths as short as they can be. */
function rejectUnordered(bytes: Uint8Array): void {
  const refuse = (why: string) => new ChainError(sdk.txDecode, why)
  let position = 0
  let before = 0
  for (let tag = bytes[position]; tag !== undefined; tag = bytes[position]) {
    const number = tag >>> 3
    if ((tag & 7) !== 2 || number < 1 || number > 3) throw refuse(`errUnknownField "/cosmos.tx.v1beta1.TxRaw": {TagNum: ${number}}`)
    if (number < before) throw refuse(`txRaw must follow ADR-027, got tagNum ${number} after tagNum ${before}`)
    let length = 0
    let digits = 0
    for (let more = true; more; digits++) {
      const digit = bytes[position + 1 + digits]
      if (digit === undefined || digits > 4) throw refuse('unexpected EOF')
      more = digit >= 128
      if (!more && digit === 0 && digits > 0) throw refuse('length prefix of a field of TxRaw is not as short as possible')
      length += (digit & 127) * 128 ** digits
    }
    before = number
    position += 1 + digits + length
  }
  if (position !== bytes.length) throw refuse('unexpected EOF')
}

const signerInfo: Fields = { 1: { 1: true, 2: true }, 2: { 1: { 1: true }, 2: { 1: true, 2: true } }, 3: true }
const fee: Fields = { 1: { 1: true, 2: true }, 2: true, 3: true, 4: true }
const fields: { readonly body: Fields; readonly authInfo: Fields } = {
  body: { 1: { 1: true, 2: true }, 2: true, 3: true, 4: true, 5: { 1: true, 2: true }, 1023: true, 2047: true },
  authInfo: { 1: signerInfo, 2: fee, 3: { 1: { 1: true, 2: true }, 2: true } },
}
