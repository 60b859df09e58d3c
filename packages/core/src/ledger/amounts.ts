import type { Amounts } from '@svc/contract/book'

/** Largest number of one byte. */
const BYTE = 0xff

/**
 * Packs amounts into few bytes: for each that is not 0, the index of its key in two bytes, its length in one, and its big-endian bytes. A line of two amounts with 18
 * decimals takes some 26 bytes.
 *
 * @param keys of the book; it has all of the amounts'
 * @throws RangeError for a key that is not among them, for an amount below 0, and for one of more than 255 bytes
 */
export function packAmounts(amounts: Amounts, keys: readonly string[]): Buffer {
  const parts = Object.entries(amounts)
    .filter(([, amount]) => amount !== 0n)
    .map(([key, amount]) => ({ place: keys.indexOf(key), amount }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ place, amount }) => {
      if (place < 0 || place > 0xffff) throw new RangeError('an amount of no bucket of the book')
      if (amount < 0n) throw new RangeError(`an amount of ${amount}`)
      const digits = amount.toString(16)
      const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
      if (bytes.length > BYTE) throw new RangeError(`an amount of ${bytes.length} bytes`)
      return Buffer.concat([Buffer.from([place >> 8, place & BYTE, bytes.length]), bytes])
    })
  return Buffer.concat(parts)
}

/** Reads what `packAmounts` wrote. @throws RangeError for bytes that it has not written */
export function unpackAmounts(bytes: Uint8Array, keys: readonly string[]): Amounts {
  const amounts: Record<string, bigint> = {}
  const packed = Buffer.from(bytes)
  for (let at = 0; at < packed.length; ) {
    const [high = 0, low = 0, length = 0] = packed.subarray(at, at + 3)
    const key = keys[high * 256 + low]
    const digits = packed.subarray(at + 3, at + 3 + length)
    if (key === undefined || length === 0 || digits.length < length) throw new RangeError('bytes that are no amounts of this book')
    amounts[key] = BigInt(`0x${digits.toString('hex')}`)
    at += 3 + length
  }
  return amounts
}
