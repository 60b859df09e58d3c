/**
 * The item that is surely at `index`.
 *
 * @throws Error when it is not: a mistake of this package, since what is read is checked before
 */
export function at<T>(list: readonly (T & {})[], index: number): T & {} {
  return list[index] ?? missing('item', list, index)
}

/** The byte that is surely at `index`. @throws Error when it is not */
export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? missing('byte', bytes, index)
}

/**
 * The 32-bit word that is surely at `index`. For the loops of the hashes: with one kind of array, and so short that the engine always puts it in
 * line, it is as quick as the access alone.
 *
 * @throws Error when it is not
 */
export function wordAt(words: Int32Array, index: number): number {
  return words[index] ?? missing('word', words, index)
}

function missing(what: string, list: { readonly length: number }, index: number): never {
  throw new Error(`expected the ${what} ${index} of ${list.length}`)
}
