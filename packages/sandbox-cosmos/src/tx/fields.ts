import { reasonOf } from '@svc/sandbox'
import { BinaryReader } from 'cosmjs-types/binary'
import { ChainError, sdk } from '../errors.ts'

/** Numbers of the fields that a record has; nested where one leads to another record. */
export interface Fields {
  readonly [number: number]: Fields | true
}

/** A coin: denom and amount. */
export const coinFields: Fields = { 1: true, 2: true }

/**
 * Refuses a record with an unknown field, at any depth: the chain would not know what it signs.
 *
 * @see ADR-020 of the Cosmos SDK (read 2026-11-21)
 * @throws ChainError tx parse error
 */
export function rejectUnknown(bytes: Uint8Array, fields: Fields, name: string): void {
  const reader = new BinaryReader(bytes)
  while (reader.pos < bytes.length) {
    const { number, kind, inside } = read(() => {
      const tag = reader.uint32()
      if ((tag & 7) === 2) return { number: tag >>> 3, kind: 2, inside: reader.bytes() }
      reader.skipType(tag & 7)
      return { number: tag >>> 3, kind: tag & 7, inside: undefined }
    })
    const next = fields[number]
    if (next === undefined)
      throw new ChainError(sdk.txDecode, `errUnknownField "${name}": {TagNum: ${number}, WireType:"${kinds[kind] ?? 'unknown'}"}`)
    if (next !== true && inside !== undefined) rejectUnknown(inside, next, name)
  }
}

/** Names of wire types as the chain writes them. */
const kinds: Readonly<Record<number, string>> = { 0: 'varint', 1: 'fixed64', 2: 'bytes', 5: 'fixed32' }

/** Runs a reader of bytes, and turns its errors into tx parse errors. @throws ChainError */
export function read<T>(decode: () => T): T {
  try {
    return decode()
  } catch (cause) {
    throw new ChainError(sdk.txDecode, reasonOf(cause))
  }
}

/** Reads a message, and refuses fields other than the given ones. @throws ChainError tx parse error */
export function decodeFields<T>(codec: { typeUrl: string; decode(value: Uint8Array): T }, value: Uint8Array, fields: Fields): T {
  rejectUnknown(value, fields, codec.typeUrl)
  return read(() => codec.decode(value))
}
