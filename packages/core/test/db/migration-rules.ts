/** Statements after which a version that was there before may no longer work, with what to write instead. */
const TAKES_AWAY: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bDROP (TABLE|COLUMN|TRIGGER|FUNCTION|VIEW)\b/i, 'take it away one version after the last one that uses it, in a contraction'],
  [/\bRENAME (TO|COLUMN)\b/i, 'add the new name, write both, and take the old one away in a contraction'],
  [/\bALTER COLUMN\b[^;]*\b(TYPE|SET NOT NULL|DROP DEFAULT)\b/i, 'older versions write what it refuses: that is a contraction'],
  [/\bADD (COLUMN )?["`]\w+["`](?![^;]*\bDEFAULT\b)[^;]*\bNOT NULL\b/i, 'give it a default: older versions insert rows without it'],
  [/\bADD CONSTRAINT\b/i, 'older versions write what it refuses: that is a contraction, unless it allows more than the one it replaces'],
]

/** Statements that cannot be made in short steps while the database is in use. */
const TAKES_LONG: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^\s*(UPDATE|DELETE|INSERT)\b/i, 'fill it after the start, in slices, from code that can be gone on with'],
  [/\bADD CONSTRAINT\b[^;]*\b(UNIQUE|PRIMARY KEY|EXCLUDE)\b/i, 'make a unique index, which is built beside the writing'],
  [/\bADD COLUMN\b[^;]*\b(GENERATED|SERIAL|random\(|now\(|clock_timestamp\()/i, 'its table would be written anew: fill it after the start'],
]

/** Says in sentences what older versions, or those who wait, could not bear of a migration. @param contracts whether it may take away */
export function objectionsTo(statements: readonly string[], contracts: boolean): readonly string[] {
  const rules = contracts ? TAKES_LONG : [...TAKES_AWAY, ...TAKES_LONG]
  // A table that the migration makes is used by nobody, whatever is done to it.
  const made = statements.flatMap((text) => /^\s*CREATE TABLE (?:IF NOT EXISTS )?["`](\w+)/i.exec(text)?.[1] ?? [])
  // One that is made again at once, under its name, is replaced.
  const remade = statements.flatMap((text) => /\bCREATE TRIGGER (\w+)/i.exec(text)?.[1] ?? [])
  const replaces = (text: string) => remade.includes(/\bDROP TRIGGER (?:IF EXISTS )?(\w+)/i.exec(text)?.[1] ?? '')
  return statements
    .filter((text) => !replaces(text))
    .filter((text) => !made.some((table) => new RegExp(`^\\s*(ALTER TABLE|INSERT INTO) ["\`]${table}["\`]`, 'i').test(text)))
    .flatMap((text) =>
      rules.filter(([pattern]) => pattern.test(text)).map(([, instead]) => `${text.trim().split('\n')[0]?.slice(0, 120)}: ${instead}`),
    )
}
