import { Secp256k1 } from '@cosmjs/crypto'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { ChainError, sdk } from '../errors.ts'
import type { CosmosGenesis, GenesisKeys } from '../genesis.ts'
import { type Fields, read, rejectUnknown } from './fields.ts'
import type { Message } from './message.ts'
import { readMessage } from './messages.ts'

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
  try {
    return decode(bytes, genesis)
  } catch (error) {
    // SDK 0.53 wraps the error once more than 0.51 does.
    if (error instanceof ChainError && error.code === sdk.txDecode.code && !genesis.node.celestiaCore)
      throw new ChainError(sdk.txDecode, error.message)
    throw error
  }
}

function decode(bytes: Uint8Array, genesis: CosmosGenesis): DecodedTx {
  rejectUnordered(bytes)
  const raw = read(() => TxRaw.decode(bytes))
  rejectUnknown(raw.bodyBytes, fields.body, '*tx.TxBody')
  rejectUnknown(raw.authInfoBytes, fields.authInfo, '*tx.AuthInfo')
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
    // Who pays for somebody else signs too, behind the others.
    signers: [...new Set([...messages.map(({ signer }) => signer), ...(authInfo.fee?.payer ? [authInfo.fee.payer] : [])])],
  }
}

/** Returns the type URL of the chain's public keys. */
export function keyTypeOf({ keyType = '/cosmos.crypto.secp256k1.PubKey' }: GenesisKeys): string {
  return keyType
}

/** Returns the key that a signer names, or undefined where it names none. @throws ChainError for a key of another kind, and for 33 bytes that are no key */
export function signerKey(genesis: GenesisKeys, tx: DecodedTx, index: number): Uint8Array | undefined {
  const any = tx.authInfo.signerInfos[index]?.publicKey
  if (any === undefined) return undefined
  if (any.typeUrl !== keyTypeOf(genesis)) throw new ChainError(sdk.invalidPubKey, `unrecognized public key type: ${any.typeUrl}`)
  const { key } = read(() => PubKey.decode(any.value))
  try {
    if (key.length === 33) return Secp256k1.compressPubkey(Secp256k1.uncompressPubkey(key))
  } catch {}
  throw new ChainError(sdk.invalidPubKey, 'public key must be 33 bytes of a point on the curve')
}

/**
 * Reads the outer form: fields 1, 2 and any number of 3 in this order, each of bytes, with lengths as short as they can be.
 *
 * @see cosmos-sdk x/auth/tx/decoder.go, rejectNonADR027TxRaw (0.53, read 2026-11-23)
 */
function rejectUnordered(bytes: Uint8Array): void {
  const refuse = (why: string) => new ChainError(sdk.txDecode, why)
  let unknown: string | undefined
  let position = 0
  let before = 0
  while (position < bytes.length) {
    const tag = varint(bytes, position)
    if (tag === undefined) throw refuse('invalid length; unexpected EOF')
    const [number, kind] = [Math.floor(tag.value / 8), tag.value % 8]
    if (number === 0) throw refuse('invalid length; proto: invalid field number')
    if (kind !== 2) throw refuse(`expected 2 wire type, got ${kind}`)
    if (number < before) throw refuse(`txRaw must follow ADR-027, got tagNum ${number} after tagNum ${before}`)
    const length = varint(bytes, tag.end)
    if (length === undefined || length.end + length.value > bytes.length) throw refuse('invalid length; unexpected EOF')
    const digits = length.end - tag.end
    if (digits > 1 && length.value < 128 ** (digits - 1)) {
      throw refuse(`length prefix of tagNum ${number} is not as short as possible, read ${digits}, only need ${shortest(length.value)}`)
    }
    if (number > 3) unknown ??= `errUnknownField "*tx.TxRaw": {TagNum: ${number}, WireType:"bytes"}`
    before = number
    position = length.end + length.value
  }
  if (unknown !== undefined) throw refuse(unknown)
}

/** A number of at most five digits of seven bits, and where it ends; undefined where the bytes end first. */
function varint(bytes: Uint8Array, start: number): { value: number; end: number } | undefined {
  let value = 0
  for (let digit = 0; digit < 5; digit++) {
    const byte = bytes[start + digit]
    if (byte === undefined) return undefined
    value += (byte & 127) * 128 ** digit
    if (byte < 128) return { value, end: start + digit + 1 }
  }
  return undefined
}

function shortest(value: number): number {
  return Math.max(1, Math.ceil(Math.log2(value + 1) / 7))
}

const signerInfo: Fields = { 1: { 1: true, 2: true }, 2: { 1: { 1: true }, 2: { 1: true, 2: true } }, 3: true }
const fee: Fields = { 1: { 1: true, 2: true }, 2: true, 3: true, 4: true }
const fields: { readonly body: Fields; readonly authInfo: Fields } = {
  body: { 1: { 1: true, 2: true }, 2: true, 3: true, 4: true, 5: { 1: true, 2: true }, 1023: true, 2047: true },
  authInfo: { 1: signerInfo, 2: fee, 3: { 1: { 1: true, 2: true }, 2: true } },
}
