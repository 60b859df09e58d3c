/** Shortens an address, hash or id to so many characters of its start and end: `0x3c59…c2a403`. One that is hardly longer stays whole. */
export function short(text: string, start = 6, end = 6): string {
  return text.length <= start + end + 3 ? text : `${text.slice(0, start)}…${text.slice(-end)}`
}
