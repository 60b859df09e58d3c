/** Reads the instant of a field of the kind `datetime-local`, in the reader's zone or in UTC; null when it is empty or incomplete. */
export function instantOf(local: string, utc: boolean): string | null {
  if (local === '') return null
  const instant = new Date(utc ? `${local}Z` : local)
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString()
}

/** Returns the text that such a field shows for an instant. */
export function localOf(instant: string | undefined, utc: boolean): string {
  if (instant === undefined) return ''
  const at = new Date(instant)
  if (utc) return at.toISOString().slice(0, 16)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
