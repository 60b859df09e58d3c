/** A string, or a number: whichever begins first. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Parses JSON and keeps as text every number that a double does not hold: amounts have up to 18 decimals. What is left a number is exactly the
 * number that was written.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text.replace(TOKENS, (token) => (token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`)))
}
