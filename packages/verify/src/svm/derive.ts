import { base58, bytesOfBase58, KEY_LENGTH } from '../bytes/base58.ts'
import { digitsOf } from '../bytes/hex.ts'
import { sha256 } from '../bytes/sha256.ts'
import { D, mod, P, power } from '../curve/field25519.ts'

/** @see https://solana.com/docs/core/pda (read 2026-11-21) */
const MARKER = 'ProgramDerivedAddress'

/** Derived addresses that are remembered: one takes milliseconds, and whoever reads a transaction asks for the same few again and again. */
const MOST_REMEMBERED = 256
/** Addresses by program and seeds, the last asked for last. */
const remembered = new Map<string, string>()

/**
 * Derives a program address: the first address, from bump 255 down, for which no private key can exist, so that only the program signs for it.
 *
 * @throws RangeError when `program` is not an address
 */
export function programAddress(program: string, seeds: readonly Uint8Array[]): string {
  const name = [program, ...seeds.map((seed) => digitsOf(seed))].join(' ')
  const address = remembered.get(name) ?? derived(program, seeds)
  // What is asked for again goes to the end, and what nobody asks for is forgotten first.
  remembered.delete(name)
  remembered.set(name, address)
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST_REMEMBERED) break
    remembered.delete(oldest)
  }
  return address
}

function derived(program: string, seeds: readonly Uint8Array[]): string {
  const parts = seeds.flatMap((seed) => [...seed])
  const end = [...keyOf(program), ...new TextEncoder().encode(MARKER)]
  for (let bump = 255; bump >= 0; bump--) {
    const digest = sha256(Uint8Array.from([...parts, bump, ...end]))
    if (!isPoint(digest)) return base58(digest)
  }
  throw new RangeError(`no address can be derived for ${program}`)
}

/**
 * Derives the address of a wallet, a seed and an owning program: sha256 of the three, concatenated.
 *
 * @throws RangeError when `base` or `owner` is not an address
 * @see https://docs.rs/solana-pubkey/latest/solana_pubkey/struct.Pubkey.html#method.create_with_seed (read 2026-11-21)
 */
export function seededAddress(base: string, seed: string, owner: string): string {
  return base58(sha256(Uint8Array.of(...keyOf(base), ...new TextEncoder().encode(seed), ...keyOf(owner))))
}

/** Returns the 32 bytes of an address. @throws RangeError when the text is none */
export function keyOf(address: string): Uint8Array {
  const bytes = bytesOfBase58(address)
  if (bytes?.length !== KEY_LENGTH) throw new RangeError(`${address} is not an address: base58 of 32 bytes`)
  return bytes
}

/** Tells whether 32 bytes are a compressed point of the curve: whether the point's x can be found. */
function isPoint(bytes: Uint8Array): boolean {
  const y = BigInt(`0x${digitsOf(bytes.toReversed())}`) & (2n ** 255n - 1n)
  const u = mod(y * y - 1n)
  const v = mod(D * y * y + 1n)
  // u / v is a square exactly if u * v is, as v is never 0.
  const product = mod(u * v)
  return product === 0n || power(product, (P - 1n) / 2n) === 1n
}
