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

/** Decimal text that is written as a JSON number, digit by digit. */
export class Decimal {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** JSON text of a flat body. */
export function writeBody(body: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(body).filter(([, value]) => value !== undefined)
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value instanceof Decimal ? value.text : JSON.stringify(value)}`).join(',')}}`
}
