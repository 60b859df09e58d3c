import { PublicKey } from '@svc/solana'
import { Type } from 'typebox'
import { badRequest } from './codes.ts'

/** Bytes of an address, and how many base58 digits they take. */
const LENGTH = 32
const FEWEST_DIGITS = 32
const MOST_DIGITS = 44

/** An address on the wire: base58 of exactly 32 bytes. */
export const SvmAddress = Type.Unsafe<string>({
  type: 'string',
  description: 'Address: base58 of 32 bytes.',
  examples: ['AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9'],
  'x-address': true,
})

/** Most addresses whose check is remembered: the result depends on the text alone, and most callers have crafted before. */
const REMEMBERED = 1000
/** Texts that are addresses, and addresses that somebody can hold a key of, which takes a tenth of a millisecond to tell; the oldest first. */
const addresses = new Set<string>()
const holders = new Set<string>()

function kept(known: Set<string>, text: string): string {
  const [oldest] = known.size >= REMEMBERED ? known : []
  if (oldest !== undefined) known.delete(oldest)
  known.add(text)
  return text
}

/** Checks an address, which has only one spelling, and returns it. @throws 400 ADDRESS_INVALID */
export function svmAddress(text: string): string {
  if (addresses.has(text)) return text
  const flaw = flawOf(text)
  if (flaw === null) return kept(addresses, text)
  throw badRequest('ADDRESS_INVALID', `"${text.slice(0, 100)}" is not an address of this chain: ${flaw}. An address is base58 of 32 bytes.`)
}

function flawOf(text: string): string | null {
  const wrong = /[^1-9A-HJ-NP-Za-km-z]/.exec(text)
  if (wrong) return `"${wrong[0]}" is no base58 digit`
  if (text.length < FEWEST_DIGITS || text.length > MOST_DIGITS) return `it has ${text.length} digits`
  try {
    new PublicKey(text)
    return null
  } catch {
    return `it does not stand for ${LENGTH} bytes`
  }
}

/** Refuses an address that a program derived, since nobody can hold a key of it. @throws 400 WALLET_CANNOT_SIGN */
export function requireKeyHolder(address: string): void {
  if (holders.has(address)) return
  if (PublicKey.isOnCurve(address)) {
    kept(holders, address)
    return
  }
  throw badRequest(
    'WALLET_CANNOT_SIGN',
    `${address} was derived by a program, so that nobody has a key that signs for it; give the address of a wallet.`,
  )
}
