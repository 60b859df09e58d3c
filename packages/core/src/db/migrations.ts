import { fileURLToPath } from 'node:url'
import { unavailable } from '../codes.ts'
import { migrator } from './drizzle.ts'

/** One generated migration. */
export interface Migration {
  /** When it was generated, milliseconds since 1970; its identity and its place in the order. */
  readonly at: number
  /** SHA-256 of its text. */
  readonly hash: string
  readonly statements: readonly string[]
}

/** The migrations that this version of the service brings, oldest first. */
export function knownMigrations(dialect: 'sqlite' | 'postgres'): readonly Migration[] {
  const folder = fileURLToPath(new URL(`../../migrations/${dialect}`, import.meta.url))
  const files = migrator().readMigrationFiles({ migrationsFolder: folder })
  return files.map(({ folderMillis, hash, sql }) => ({ at: folderMillis, hash, statements: sql }))
}

/**
 * Those still to be applied, oldest first.
 *
 * @param applied `at` of every migration that the database has
 * @throws 503 `DATABASE_NEWER` when the database has one that this version does not bring
 */
export function pendingMigrations(known: readonly Migration[], applied: readonly number[]): readonly Migration[] {
  const unknown = applied.filter((at) => !known.some((migration) => migration.at === at))
  if (unknown.length > 0) {
    const when = new Date(Math.max(...unknown)).toISOString().slice(0, 10)
    throw unavailable(
      'DATABASE_NEWER',
      `The database was changed by a newer version of this service (its layout of ${when} is not known here); ` +
        'start that version, or restore a copy made before the upgrade.',
      60,
    )
  }
  return known.filter((migration) => !applied.includes(migration.at))
}
