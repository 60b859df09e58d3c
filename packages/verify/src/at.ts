/** Returns the item at `index`, which the caller knows to exist. @throws Error when it is not: a mistake of this package, since what is read is checked before */
export function at<T>(list: readonly (T & {})[], index: number): T & {} {
  return list[index] ?? missing('item', list, index)
}

/** Returns the byte at `index`, which the caller knows to exist. @throws Error when it is not */
export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? missing('byte', bytes, index)
}

/**
 * Returns the 32-bit word at `index`, which the caller knows to exist. Used in the loops of the hashes: for one kind of array, and so short that the engine always inlines
 * it, it is as quick as the access alone.
 *
 * @throws Error when it is not
 */
export function wordAt(words: Int32Array, index: number): number {
  return words[index] ?? missing('word', words, index)
}

function missing(what: string, list: { readonly length: number }, index: number): never {
  throw new Error(`expected the ${what} ${index} of ${list.length}`)
}
