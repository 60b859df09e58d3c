import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { unavailable } from '../base/codes.ts'
import { migrator } from './drizzle.ts'

/** One generated migration. */
export interface Migration {
  /** Time at which the migration was generated, in milliseconds since 1970; it identifies the migration and gives its place in the order. */
  readonly at: number
  /** SHA-256 of its text. */
  readonly hash: string
  /** Name of its file without the ending, such as `0004_told`. */
  readonly tag: string
  readonly statements: readonly string[]
  /**
   * `at` of the migration that a version must bring to work on a database that has this one. Null for an expansion, which only adds: every older version works
   * on it. A number for a contraction.
   */
  readonly needs: number | null
}

/** Layout of a database, as the database describes it. */
export interface Layout {
  /** `at` of every row of `svc_migrations`, the one table that the first versions look at. */
  readonly binding: readonly number[]
  /** The rows of `svc_layout`. */
  readonly noted: readonly NotedMigration[]
}

/** A migration as `svc_layout` has it. */
interface NotedMigration {
  readonly at: number
  readonly needs: number | null
  /** True if the migration was made completely; one that was cut off is continued. */
  readonly complete: boolean
  /** Steps that were made, where the migration is made step by step. */
  readonly steps: readonly string[]
}

/** Lists the migrations that this version of the service contains, oldest first. */
export function knownMigrations(dialect: 'sqlite' | 'postgres'): readonly Migration[] {
  const folder = fileURLToPath(new URL(`../../migrations/${dialect}`, import.meta.url))
  const { entries } = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8')) as {
    entries: readonly { when: number; tag: string }[]
  }
  const files = migrator().readMigrationFiles({ migrationsFolder: folder })
  return files.map(({ folderMillis, hash, sql }) => {
    const tag = entries.find(({ when }) => when === folderMillis)?.tag ?? String(folderMillis)
    const needed = neededBy(sql)
    if (needed === null) return { at: folderMillis, hash, tag, statements: sql, needs: null }
    const needs = entries.find((entry) => entry.tag === needed)?.when
    if (needs === undefined)
      throw new Error(`The migration ${tag} needs ${needed}, which is none of ${entries.map((entry) => entry.tag).join(', ')}.`)
    return { at: folderMillis, hash, tag, statements: sql, needs }
  })
}

/**
 * Lists the migrations that are still to be made or completed, oldest first.
 *
 * @throws 503 `DATABASE_NEWER` when the database has a contraction that this version cannot work on. An expansion of a newer version is none of its business
 */
export function pendingMigrations(migrations: readonly Migration[], { binding, noted: records }: Layout): readonly Migration[] {
  const brings = (at: number) => migrations.some((migration) => migration.at === at)
  const unknown = binding.filter((at) => {
    const needs = records.find((row) => row.at === at)?.needs ?? null
    return !brings(at) && (needs === null || !brings(needs))
  })
  if (unknown.length > 0) {
    const when = new Date(Math.max(...unknown)).toISOString().slice(0, 10)
    throw unavailable(
      'DATABASE_NEWER',
      `The database was changed by a newer version of this service (its layout of ${when} is not known here, and took away what this version needs); ` +
        'start that version or the one before it, or restore a copy made before the upgrade.',
      60,
    )
  }
  return migrations.filter(({ at }) => {
    const row = records.find((one) => one.at === at)
    return row ? !row.complete : !binding.includes(at)
  })
}

/**
 * Tells whether `svc_migrations` records a migration, so that a version that does not know it refuses to start. The first migration is always recorded, since all versions
 * know it.
 */
export function binds({ at, needs }: Migration, migrations: readonly Migration[]): boolean {
  return needs !== null || at === migrations[0]?.at
}

/**
 * Reads from a migration's text that it takes something away: a line `-- contracts, needs 0010_name` names the migration that a version must bring to work
 * without it.
 *
 * @returns the name; null: the migration only adds
 */
function neededBy(statements: readonly string[]): string | null {
  return /^\s*-- contracts, needs (\w+)\s*$/m.exec(statements.join('\n'))?.[1] ?? null
}
