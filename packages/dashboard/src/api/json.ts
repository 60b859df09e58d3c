/**
 * Reads JSON without losing a digit: a number that a float does not write the same way, such as 100000000000000000001 or 0.10, is given as its text. Browsers without
 * source text access give what `JSON.parse` gives.
 *
 * @see https://github.com/tc39/proposal-json-parse-with-source (read 2026-11-22)
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value, ...context: readonly unknown[]) => {
    if (typeof value !== 'number') return value
    const { source } = (context[0] ?? {}) as { readonly source?: string }
    return source === undefined || source === String(value) ? value : source
  })
}
