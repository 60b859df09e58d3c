import { sha256 } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import { type EncodeObject, type GeneratedType, makeAuthInfoBytes, makeSignBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { membersOf } from '@svc/contract'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgCancelUnbondingDelegation, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainKeys } from './chain.ts'
import { badRequest } from './codes.ts'
import { digestOf, keyTypeOf } from './keys.ts'
import { keyIn } from './public-key.ts'

/** A type of message that a protocol crafts beside those of native delegation: its codec, of cosmjs-types or another generator's. */
export interface CosmosMessageType {
  readonly codec: GeneratedType & Codec<unknown> & { readonly typeUrl: string }
  /** Member of the message that names who signs, and is the only one who does. */
  readonly signer: string
}

/** Types of messages that a plugin's transactions may have, and the registry that writes them. */
export interface MessageTypes {
  readonly all: readonly CosmosMessageType[]
  readonly registry: Registry
}

/** The messages of native delegation, which every chain of the family has. */
const STAKING: readonly CosmosMessageType[] = [MsgDelegate, MsgUndelegate, MsgCancelUnbondingDelegation, MsgWithdrawDelegatorReward].map(
  (codec) => ({ codec, signer: 'delegatorAddress' }),
)

/** Makes the table of message types: those of native delegation, and further ones. */
export function messageTypes(more: readonly CosmosMessageType[]): MessageTypes {
  const all = [...STAKING, ...more]
  return { all, registry: new Registry(all.map(({ codec }) => [codec.typeUrl, codec])) }
}

/** Encodes a TxBody. */
export function bodyOf({ registry }: MessageTypes, messages: readonly EncodeObject[], memo: string): Uint8Array {
  return registry.encodeTxBody({ messages, memo })
}

/** Parts of an AuthInfo. */
interface Authorization {
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array
  readonly sequence: bigint
  readonly gasLimit: bigint
  /** null: no fee at all. */
  readonly fee: { readonly denom: string; readonly amount: bigint } | null
}

/** Encodes an AuthInfo with one signer in SIGN_MODE_DIRECT who pays the fee. */
export function authInfoOf(keys: ChainKeys, { publicKey, sequence, gasLimit, fee }: Authorization): Uint8Array {
  // Either kind of key is a message with the key in its field 1.
  const pubkey = { typeUrl: keyTypeOf(keys), value: PubKey.encode({ key: publicKey }).finish() }
  const coins = fee === null ? [] : [{ denom: fee.denom, amount: fee.amount.toString() }]
  return makeAuthInfoBytes([{ pubkey, sequence }], coins, Number(gasLimit), undefined, undefined)
}

/** Encodes a TxRaw. */
export function rawOf(bodyBytes: Uint8Array, authInfoBytes: Uint8Array, signatures: readonly Uint8Array[]): Uint8Array {
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [...signatures] }).finish()
}

/** Computes the hash of the SignDoc, which is signed: SHA-256, or keccak-256 with ethsecp256k1. */
export function signHash(
  keys: ChainKeys,
  bodyBytes: Uint8Array,
  authInfoBytes: Uint8Array,
  chainId: string,
  accountNumber: bigint,
): Uint8Array {
  return digestOf(keys, makeSignBytes(makeSignDoc(bodyBytes, authInfoBytes, chainId, accountNumber)))
}

/** Computes the hash by which the chain knows a signed transaction: SHA-256 of its bytes, in upper-case hex. */
export function transactionHash(raw: Uint8Array): string {
  return toHex(sha256(raw)).toUpperCase()
}

/**
 * Reads the bytes of a TxBody, which are given as they are or inside a TxRaw. The two cannot be mistaken for each other: read as a body, the first field of a TxRaw has no
 * type that begins with a slash.
 *
 * @param authInfo what a TxRaw must hold if it holds any
 * @throws 400 TRANSACTION_INVALID
 */
export function readBody(bytes: Uint8Array, authInfo: Uint8Array): Uint8Array {
  if (isBody(bytes)) return bytes
  const raw = canonical(TxRaw, bytes)
  if (raw === null || !isBody(raw.bodyBytes))
    throw badRequest('TRANSACTION_INVALID', 'tx_body_hex is neither an unsigned transaction as crafted nor the body of one.')
  if (raw.signatures.length > 0) throw badRequest('TRANSACTION_INVALID', 'tx_body_hex is signed already; pass the unsigned transaction.')
  if (raw.authInfoBytes.length > 0 && !equal(raw.authInfoBytes, authInfo))
    throw badRequest('TRANSACTION_INVALID', 'tx_auth_info_hex is not the one within tx_body_hex; pass both as crafted.')
  return raw.bodyBytes
}

/**
 * Returns the delegator of a body's only message. Validator, amount and memo are not checked: they are the signer's own choice.
 *
 * @throws 400 TRANSACTION_INVALID unless the body is one of the messages that are crafted, in the chain's own token, without timeout and options
 */
export function readDelegator(bytes: Uint8Array, denom: string, types: MessageTypes): string {
  const refuse = (what: string, right: string) => badRequest('TRANSACTION_INVALID', `tx_body_hex ${what}; ${right}.`)
  const { messages, timeoutHeight, extensionOptions, nonCriticalExtensionOptions } = TxBody.decode(bytes)
  const [message, ...others] = messages
  if (!message || others.length > 0) throw refuse(`holds ${messages.length} messages`, 'what is crafted here holds one')
  const read = knownMessage(message, types)
  if (!read)
    throw refuse(
      `holds a message of the type ${message.typeUrl.slice(0, 100)}`,
      `what is assembled here is ${namesOf(types)} in canonical form`,
    )
  if (read.denom !== undefined && read.denom !== denom)
    throw refuse(`is about the token ${read.denom.slice(0, 100)}`, `what is staked here is ${denom}`)
  if (timeoutHeight !== 0n) throw refuse(`is void after block ${timeoutHeight}`, 'what is crafted here has no timeout')
  if (extensionOptions.length + nonCriticalExtensionOptions.length > 0)
    throw refuse('has extension options', 'what is crafted here has none')
  return read.signer
}

/** Tells who signs a message, and the token of its amount where it has one; null for one that is not crafted here, or is written differently. */
function knownMessage({ typeUrl, value }: Any, { all }: MessageTypes): { readonly signer: string; readonly denom?: string } | null {
  const type = all.find(({ codec }) => codec.typeUrl === typeUrl)
  const message = type && canonical(type.codec, value)
  if (!type) return null
  const { [type.signer]: signer, amount } = membersOf(message)
  if (typeof signer !== 'string') return null
  const { denom } = membersOf(amount)
  return typeof denom === 'string' ? { signer, denom } : { signer }
}

function namesOf({ all }: MessageTypes): string {
  return all.map(({ codec: { typeUrl } }) => typeUrl.slice(typeUrl.lastIndexOf('.') + 1)).join(', ')
}

/**
 * Reads the key from an AuthInfo with one signer, who has the chain's kind of key and pays one coin of its denom. The sign mode is SIGN_MODE_DIRECT, as crafted, or amino
 * JSON, where the caller has changed it.
 *
 * @throws 400 TRANSACTION_INVALID
 */
export function readSigner(
  bytes: Uint8Array,
  chain: ChainKeys & { readonly denom: string },
): { readonly key: Uint8Array; readonly amino: AuthInfo | null } {
  const { denom } = chain
  const refuse = (why: string) => badRequest('TRANSACTION_INVALID', `tx_auth_info_hex ${why}; pass it as crafted.`)
  const authInfo = canonical(AuthInfo, bytes)
  if (authInfo === null) throw refuse('is not an AuthInfo in canonical form')
  const { signerInfos, fee, tip } = authInfo
  const [signer, ...others] = signerInfos
  if (!signer || others.length > 0) throw refuse(`has ${signerInfos.length} signers instead of one`)
  const mode = signer.modeInfo?.single?.mode
  const isAmino = mode === AMINO_JSON && chain.algorithm === 'secp256k1'
  if (!(mode === DIRECT || isAmino) || signer.modeInfo?.multi) throw refuse('is not of SIGN_MODE_DIRECT')
  const [coin, ...coins] = fee?.amount ?? []
  if (!fee || fee.gasLimit <= 0n || !coin || coins.length > 0) throw refuse('does not have a gas limit and a fee of one coin')
  if (coin.denom !== denom) throw refuse(`pays its fee in ${coin.denom.slice(0, 100)} instead of ${denom}`)
  if (fee.payer !== '' || fee.granter !== '' || tip) throw refuse('lets somebody else than the signer pay')
  const key = keyIn(chain, signer.publicKey)
  if (key === null) throw refuse(`does not name a compressed key of the type ${keyTypeOf(chain)}`)
  return { key, amino: isAmino ? authInfo : null }
}

/** Reads the parts of a signed transaction from its bytes: body, auth info and signatures. @throws 400 TRANSACTION_INVALID */
export function readSigned(bytes: Uint8Array): Pick<TxRaw, 'bodyBytes' | 'authInfoBytes' | 'signatures'> {
  const raw = canonical(TxRaw, bytes)
  if (raw === null || raw.bodyBytes.length === 0 || raw.authInfoBytes.length === 0)
    throw badRequest('TRANSACTION_INVALID', 'signed_tx_hex is not a transaction in canonical form; pass what prepare returned.')
  if (raw.signatures.length === 0 || raw.signatures.some(({ length }) => length === 0))
    throw badRequest('TRANSACTION_INVALID', 'signed_tx_hex is not signed; pass what prepare returned.')
  return raw
}

/** `SIGN_MODE_DIRECT` and `SIGN_MODE_LEGACY_AMINO_JSON` of `cosmos.tx.signing.v1beta1.SignMode`. */
export const DIRECT = 1
export const AMINO_JSON = 127

/** Reads and writes the bytes of one type of message. */
export interface Codec<T> {
  decode(bytes: Uint8Array): T
  encode(message: T): { finish(): Uint8Array }
}

/** A message whose bytes are the ones it would be written in; nodes refuse others. Null when it cannot be read, or is written differently. */
function canonical<T>(type: Codec<T>, bytes: Uint8Array): T | null {
  try {
    const message = type.decode(bytes)
    return equal(type.encode(message).finish(), bytes) ? message : null
  } catch {
    return null
  }
}

function isBody(bytes: Uint8Array): boolean {
  const body = canonical(TxBody, bytes)
  return body !== null && body.messages.length > 0 && body.messages.every(({ typeUrl }) => typeUrl.startsWith('/'))
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
