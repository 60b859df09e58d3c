import { DecodeError } from '../errors.ts'
import type { Bcs } from './bcs.ts'

/**
 * The chain refuses types that are nested deeper: `max_type_argument_depth`,
 * https://github.com/MystenLabs/sui/blob/main/crates/sui-protocol-config/src/lib.rs (read 2026-11-21).
 */
const MAX_DEPTH = 16

/** Types without members, by their numbers; 6 is a vector and 7 a struct. */
const PLAIN: ReadonlyMap<number, string> = new Map([
  [0, 'bool'],
  [1, 'u8'],
  [2, 'u64'],
  [3, 'u128'],
  [4, 'address'],
  [5, 'signer'],
  [8, 'u16'],
  [9, 'u32'],
  [10, 'u256'],
])
const VECTOR = 6
const STRUCT = 7

/**
 * Reads a type as text, without spaces, with all digits of its addresses: `0x0000…0002::coin::Coin<0x0000…0002::sui::SUI>`.
 *
 * @throws DecodeError when it is of no known kind, or nested deeper than the chain takes
 * @see https://github.com/MystenLabs/sui-rust-sdk/blob/master/crates/sui-sdk-types/src/type_tag/mod.rs (read 2026-11-21)
 */
export function readType(from: Bcs, what: string, depth = 1): string {
  if (depth > MAX_DEPTH) throw new DecodeError(`${what} is nested more than ${MAX_DEPTH} levels deep; it may be as many at most`)
  const kind = from.size(`the kind of ${what}`)
  if (kind === VECTOR) return `vector<${readType(from, what, depth + 1)}>`
  if (kind === STRUCT) {
    const path = `${from.address(what)}::${from.identifier(`the module of ${what}`)}::${from.identifier(`the name of ${what}`)}`
    return path + typesText(from.list(() => readType(from, what, depth + 1), `types within ${what}`))
  }
  const plain = PLAIN.get(kind)
  if (plain === undefined) throw new DecodeError(`${what} is of kind ${kind}; it must be a type of a kind from 0 to 10`)
  return plain
}

/** Writes types between angle brackets; an empty text when there are none. */
export function typesText(types: readonly string[]): string {
  return types.length === 0 ? '' : `<${types.join(',')}>`
}
