import { getAddress } from 'ethers'

/** Addresses whose checksum is remembered: it is a hash, of 10 µs, and a service sees the same few again and again. */
const REMEMBERED = 4096
const checksums = new Map<string, string>()

/** Writes an address with its EIP-55 checksum. @param lower 0x and 40 hexadecimal digits, in lower case */
export function checksumOf(lower: string): string {
  const match = checksums.get(lower)
  if (match !== undefined) return match
  const checksum = getAddress(lower)
  if (checksums.size >= REMEMBERED) for (const oldest of [...checksums.keys()].slice(0, REMEMBERED / 2)) checksums.delete(oldest)
  checksums.set(lower, checksum)
  return checksum
}
