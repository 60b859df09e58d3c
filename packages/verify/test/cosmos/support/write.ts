import { createHash } from 'node:crypto'
import type { CosmosChain, CosmosCraft } from '../../../src/cosmos/index.ts'

/** One field of a protobuf message: an integer, or content that is text, bytes or a message of its own. */
export type FieldValue = bigint | string | Uint8Array

/** A transaction in the words of the service; what should not be in it goes into the lists of extra fields. */
export interface Transaction {
  readonly messages: readonly Uint8Array[]
  readonly memo: string
  /** Written after the messages and the memo. */
  readonly bodyExtra: readonly Uint8Array[]
  readonly signers: readonly Uint8Array[]
  readonly coins: readonly (readonly [denom: string, amount: string])[]
  readonly gasLimit: bigint
  readonly feeExtra: readonly Uint8Array[]
  readonly authExtra: readonly Uint8Array[]
}

export const KEY = '/cosmos.crypto.secp256k1.PubKey'

/** A field in canonical form; a default value leaves no bytes. */
export function field(number: number, value: FieldValue): Uint8Array {
  if (typeof value === 'bigint') return value === 0n ? new Uint8Array() : join(varint(BigInt(number) << 3n), varint(value))
  const content = typeof value === 'string' ? new TextEncoder().encode(value) : value
  return content.length === 0 ? content : join(varint((BigInt(number) << 3n) | 2n), varint(BigInt(content.length)), content)
}

export function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  do {
    const low = Number(rest % 128n)
    rest /= 128n
    bytes.push(rest > 0n ? low + 128 : low)
  } while (rest > 0n)
  return Uint8Array.from(bytes)
}

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}

export function any(type: string, value: Uint8Array): Uint8Array {
  return join(field(1, type), field(2, value))
}

export function coin(denom: string, amount: string): Uint8Array {
  return join(field(1, denom), field(2, amount))
}

/** MsgDelegate, MsgUndelegate, MsgWithdrawDelegatorReward and MsgCancelUnbondingDelegation differ in how many of the fields they have. */
export function staking(type: string, delegator: string, validator: string, amount?: Uint8Array, height?: bigint): Uint8Array {
  return any(type, join(field(1, delegator), field(2, validator), field(3, amount ?? new Uint8Array()), field(4, height ?? 0n)))
}

export function signer(key: Uint8Array, sequence: bigint, { type = KEY, mode = 1n } = {}): Uint8Array {
  return join(field(1, any(type, field(1, key))), field(2, field(1, field(1, mode))), field(3, sequence))
}

export function writeBody({ messages, memo, bodyExtra }: Transaction): Uint8Array {
  return join(...messages.map((message) => field(1, message)), field(2, memo), ...bodyExtra)
}

export function writeAuthInfo({ signers, coins, gasLimit, feeExtra, authExtra }: Transaction): Uint8Array {
  const fee = join(...coins.map(([denom, amount]) => field(1, coin(denom, amount))), field(2, gasLimit), ...feeExtra)
  return join(...signers.map((info) => field(1, info)), field(2, fee), ...authExtra)
}

export function writeTransaction(body: Uint8Array, authInfo: Uint8Array, ...signatures: readonly Uint8Array[]): Uint8Array {
  return join(field(1, body), field(2, authInfo), ...signatures.map((signature) => field(3, signature)))
}

/** A craft response whose three parts agree, as a service with bad intentions could write it. */
export function agreeing(body: Uint8Array, authInfo: Uint8Array, chain: CosmosChain): CosmosCraft {
  return {
    unsigned_tx_hex: Buffer.from(writeTransaction(body, authInfo)).toString('hex'),
    tx_auth_info_hex: Buffer.from(authInfo).toString('hex'),
    unsigned_tx_hash_hex: hashOf(body, authInfo, chain),
  }
}

/** sha256 of the SignDoc, with another implementation of it than the package's. */
export function hashOf(body: Uint8Array, authInfo: Uint8Array, { chainId, accountNumber }: CosmosChain): string {
  const document = join(field(1, body), field(2, authInfo), field(3, chainId), field(4, accountNumber))
  return createHash('sha256').update(document).digest('hex')
}
