/** Bitcoin's alphabet. @see https://solana.com/docs/core/accounts (read 2026-11-21) */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base58 of bytes that are no key, for which web3.js has no function. */
export function base58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  if (zeros === -1) return '1'.repeat(bytes.length)
  let text = ''
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)] + text
  return '1'.repeat(zeros) + text
}

/** How many bytes base58 digits stand for. */
export function lengthOfBase58(digits: string): number {
  const zeros = /^1*/.exec(digits)?.[0].length ?? 0
  const value = [...digits].reduce((sum, digit) => sum * 58n + BigInt(ALPHABET.indexOf(digit)), 0n)
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2))
}
