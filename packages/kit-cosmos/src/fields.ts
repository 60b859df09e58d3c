import { BinaryReader } from 'cosmjs-types/binary'

/**
 * Reads every occurrence of a protobuf field of bytes, text or message, for the few messages without published types.
 *
 * @throws for bytes that are no message
 * @see https://protobuf.dev/programming-guides/encoding (read 2026-11-21)
 */
export function contentsOf(message: Uint8Array, number: number): readonly Uint8Array[] {
  const reader = new BinaryReader(message)
  const fields: Uint8Array[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag === ((number << 3) | 2)) fields.push(reader.bytes())
    else reader.skipType(tag & 7)
  }
  return fields
}

/** Reads the only content of a protobuf field, by the path of its numbers. @throws RangeError where there is none, or more; a node that says that is asked no further */
export function contentOf(message: Uint8Array, ...path: readonly number[]): Uint8Array {
  return path.reduce((inside, number) => {
    const [only, ...others] = contentsOf(inside, number)
    if (only === undefined || others.length > 0) throw new RangeError(`field ${path.join('.')} is not in the answer once`)
    return only
  }, message)
}

/** Reads a protobuf field of ASCII text, as fixed-point numbers and identifiers are written. @throws as `contentOf` does */
export function asciiAt(message: Uint8Array, ...path: readonly number[]): string {
  return Buffer.from(contentOf(message, ...path)).toString('latin1')
}
