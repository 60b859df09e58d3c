/** A string, or a number: whichever begins first. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** A string, with the colon behind it where it is a name, or where an object begins or ends. */
const NAMES = /("(?:[^"\\]|\\.)*")\s*(:)?|[{}]/g

/**
 * Parses JSON, and keeps as text every number that a double cannot hold, since amounts have up to 18 decimals; every other number is exactly as written. Refuses a member
 * that stands twice in one object, in any spelling: some readers take the first of two, and others the last, so that the checked value might not be the signed one.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(
    text.replace(TOKENS, (token) => (token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`)),
  )
  requireSingleMembers(text)
  return value
}

/**
 * Refuses JSON in which a member stands twice in one object, in any spelling.
 *
 * @param text JSON that was parsed already: of any other it says nothing
 * @throws SyntaxError
 */
export function requireSingleMembers(text: string): void {
  const open: Set<unknown>[] = []
  for (const [token, name, colon] of text.matchAll(NAMES)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (name !== undefined && colon) {
      const names = open.at(-1)
      const read: unknown = JSON.parse(name)
      if (names?.has(read)) throw new SyntaxError(`the member ${name.slice(0, 64)} stands twice in one object`)
      names?.add(read)
    }
  }
}
