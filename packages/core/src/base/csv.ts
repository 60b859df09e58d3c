/** Writes one line of CSV by RFC 4180; null and undefined become empty cells. @see https://www.rfc-editor.org/rfc/rfc4180 (read 2026-11-22) */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

/**
 * Writes a cell; text that a spreadsheet would take for a formula gets an apostrophe in front, since a caller may have written it.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection (read 2026-11-22)
 */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
