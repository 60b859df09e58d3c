export { parseExact } from '@svc/verify/intent'

/** Decimal text that is written as a JSON number, digit by digit. */
export class Decimal {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Writes a flat body as JSON. */
export function writeBody(body: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(body).filter(([, value]) => value !== undefined)
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value instanceof Decimal ? value.text : JSON.stringify(value)}`).join(',')}}`
}
