/** A part of a migration that is made by itself, so that nobody else waits for long. */
export type Step = ShortStep | IndexStep | DropIndexStep

/** Statements that change no row, on at most one table, in one short transaction. */
export interface ShortStep {
  readonly kind: 'short'
  /** The table that they lock, or what is made. */
  readonly about: string
  readonly names: readonly string[]
  readonly statements: readonly string[]
}

/** An index on a table that may be large: it is built beside the writing. */
export interface IndexStep {
  readonly kind: 'index'
  readonly names: readonly string[]
  readonly index: string
  /** Name under which it is built; another one while an index of the same name is in use. */
  readonly builtAs: string
  readonly statement: string
}

/** An index that nothing takes the place of. */
interface DropIndexStep {
  readonly kind: 'drop-index'
  readonly names: readonly string[]
  readonly index: string
}

interface Numbered {
  /** Place of the statement in its file, from 0: the same in every version, however the steps are cut. */
  readonly name: string
  readonly text: string
}

/**
 * Splits a migration of PostgreSQL into steps: first tables, columns and triggers, then checks of existing rows, then indexes. An index of a table that the same migration
 * creates is created with the table.
 */
export function stepsOf(statements: readonly string[]): readonly Step[] {
  const all = statements.map((text, place): Numbered => ({ name: String(place), text }))
  const tables = new Set(
    all.map(({ text }) => captured(/^\s*CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"/i, text)).filter((name) => name !== null),
  )
  const builds = all.filter(({ text }) => !tables.has(indexedTable(text) ?? '') && indexedTable(text) !== null)
  const drops = all.filter(({ text }) => droppedIndex(text) !== null)
  const others = all.filter((one) => !builds.includes(one) && !drops.includes(one))
  const replaced = new Set<Numbered>()
  const indexes = builds.map(({ name, text }): IndexStep => {
    const index = createdIndex(text)
    const drop = drops.find((one) => droppedIndex(one.text) === index)
    if (drop) replaced.add(drop)
    const builtAs = drop ? `${index}_next` : index
    const statement = text.replace(
      CREATE_INDEX,
      (_, unique: string | undefined) => `CREATE ${unique ?? ''}INDEX CONCURRENTLY IF NOT EXISTS "${builtAs}"`,
    )
    return { kind: 'index', names: drop ? [drop.name, name] : [name], index, builtAs, statement }
  })
  const dropped = drops
    .filter((one) => !replaced.has(one))
    .map(({ name, text }): DropIndexStep => ({ kind: 'drop-index', names: [name], index: droppedIndex(text) ?? '' }))
  return [...shortSteps(others, tables), ...others.flatMap((one) => validation(one)), ...indexes, ...dropped]
}

/** Statements that follow each other and lock the same table share a transaction, so that it is locked once. */
function shortSteps(statements: readonly Numbered[], tables: ReadonlySet<string>): readonly ShortStep[] {
  const steps: ShortStep[] = []
  for (const { name, text } of statements) {
    const table = lockedTable(text)
    const about = table === null ? 'what is new' : tables.has(table) ? 'what is new' : table
    const statement = checkedConstraint(text) ? text.replace(/;?\s*$/, ' NOT VALID') : text
    const last = steps.at(-1)
    if (last?.about === about)
      steps[steps.length - 1] = { ...last, names: [...last.names, name], statements: [...last.statements, statement] }
    else steps.push({ kind: 'short', about, names: [name], statements: [statement] })
  }
  return steps
}

/**
 * Makes the step that validates a constraint. It is added for what is written from now on; that the rows that are there keep it is looked at afterwards, without
 * keeping others from writing.
 */
function validation({ name, text }: Numbered): readonly ShortStep[] {
  const added = checkedConstraint(text)
  if (!added) return []
  const [table, constraint] = added
  const statements = [`ALTER TABLE "${table}" VALIDATE CONSTRAINT "${constraint}"`]
  return [{ kind: 'short', about: table, names: [`${name} validated`], statements }]
}

const CREATE_INDEX = /^\s*CREATE (UNIQUE )?INDEX "(\w+)"/i

function createdIndex(text: string): string {
  return CREATE_INDEX.exec(text)?.[2] ?? ''
}

function indexedTable(text: string): string | null {
  return captured(/^\s*CREATE (?:UNIQUE )?INDEX "\w+" ON "(\w+)"/i, text)
}

function droppedIndex(text: string): string | null {
  return captured(/^\s*DROP INDEX "(\w+)"/i, text)
}

function checkedConstraint(text: string): readonly [table: string, constraint: string] | null {
  const match = /^\s*ALTER TABLE "(\w+)" ADD CONSTRAINT "(\w+)" (?:CHECK|FOREIGN KEY)\b/i.exec(text)
  return match?.[1] && match[2] ? [match[1], match[2]] : null
}

function lockedTable(text: string): string | null {
  return (
    captured(/^\s*(?:ALTER|CREATE|DROP) TABLE (?:IF (?:NOT )?EXISTS )?"(\w+)"/i, text) ??
    indexedTable(text) ??
    captured(/^\s*CREATE TRIGGER \w+ .*?\bON "?(\w+)"?/is, text)
  )
}

function captured(pattern: RegExp, text: string): string | null {
  return pattern.exec(text)?.[1] ?? null
}
