import { type CosmosKeys, rulesOf } from './keys.ts'
import { writeVarint } from './protobuf.ts'

/** The four things that a signature in SIGN_MODE_DIRECT covers, and the kind of key that makes it. */
type SignDoc = CosmosKeys & {
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly chainId: string
  readonly accountNumber: bigint
}

/**
 * Computes the hash that is signed: that of the canonical bytes of a `cosmos.tx.v1beta1.SignDoc`, by sha256, or with ethsecp256k1 by keccak256. An account number of 0 adds
 * no bytes.
 *
 * @returns 32 bytes
 */
export function signDocHash({ bodyBytes, authInfoBytes, chainId, accountNumber, algorithm, keyType }: SignDoc): Uint8Array {
  const bytes = [...unsignedBytes(bodyBytes, authInfoBytes), ...delimited(3, new TextEncoder().encode(chainId))]
  if (accountNumber !== 0n) bytes.push(4 << 3, ...writeVarint(accountNumber))
  return rulesOf({ algorithm, keyType }).hash(Uint8Array.from(bytes))
}

/** Writes a `TxRaw` without signatures. */
export function unsignedBytes(bodyBytes: Uint8Array, authInfoBytes: Uint8Array): Uint8Array {
  return Uint8Array.from([...delimited(1, bodyBytes), ...delimited(2, authInfoBytes)])
}

/** Writes a protobuf field of bytes. The content must not be empty, since the canonical form leaves out an empty field. */
export function delimited(number: number, content: ArrayLike<number> & Iterable<number>): readonly number[] {
  return [(number << 3) | 2, ...writeVarint(BigInt(content.length)), ...content]
}
