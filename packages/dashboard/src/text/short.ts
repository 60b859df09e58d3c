/** Characters of the start and of the end that are shown. */
const ENDS = 6

/**
 * Address with a prefix that all of its chain have, such as `cosmos1`.
 *
 * @see https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki (bech32; read 2026-11-29)
 */
const PREFIXED = /^[a-z]{3,20}1(?=[02-9ac-hj-np-z]{30,}$)/

/**
 * Shortens an address, hash or id to so many characters of its start and end: `0x3c59…c2a403`. One that is hardly longer stays whole. Of an address with a prefix, three characters
 * of its own are shown behind it.
 */
export function short(text: string, start = ENDS, end = ENDS): string {
  const prefix = start === ENDS ? PREFIXED.exec(text)?.[0] : undefined
  if (prefix !== undefined) return `${text.slice(0, prefix.length + 3)}…${text.slice(-4)}`
  return text.length <= start + end + 3 ? text : `${text.slice(0, start)}…${text.slice(-end)}`
}
