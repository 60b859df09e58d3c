import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const CORE = join(import.meta.dirname, '../..')

for (const [name, dialect] of [
  ['sqlite', 'sqlite'],
  ['postgres', 'postgresql'],
] as const)
  t.test(`the migrations of ${name} make the tables that the schema declares, and the last snapshot alone is kept`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-layout-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    const out = join(folder, name)
    cpSync(join(CORE, 'migrations', name), out, { recursive: true })
    const files = readdirSync(join(out, 'meta')).filter((file) => file.endsWith('_snapshot.json'))
    const migrations = readdirSync(out).filter((file) => file.endsWith('.sql'))
    t.same(files, [`${migrations.toSorted().at(-1)?.slice(0, 4)}_snapshot.json`], 'of it the next migration is worked out')
    // The tool takes paths from where it runs.
    const arguments_ = ['generate', `--dialect=${dialect}`, `--schema=./layout/${name}.ts`, `--out=${relative(CORE, out)}`]
    const { stdout } = await promisify(execFile)(join(CORE, 'node_modules/.bin/drizzle-kit'), arguments_, {
      cwd: CORE,
      env: { ...process.env, TMPDIR: folder },
    })
    t.match(stdout, /No schema changes/)
    t.same(
      readdirSync(out).filter((file) => file.endsWith('.sql')),
      migrations,
    )
  })
