import t from 'tap'
import { knownMigrations, type Migration, pendingMigrations } from '../../src/db/migrations.ts'
import { stepsOf } from '../../src/db/postgres-steps.ts'
import { objectionsTo } from './migration-rules.ts'

/** Migrations that break a rule and no older version, as was tried with the versions of their time. */
const TRIED: Readonly<Record<string, string>> = {
  '0003_operators': 'allows a third kind of credential; every kind that older versions write is allowed as before',
}

for (const dialect of ['sqlite', 'postgres'] as const)
  await t.test(`every migration of ${dialect} lets the version before go on, or says from which on it does`, async (t) => {
    const known = knownMigrations(dialect)
    t.ok(known.length >= 9)
    for (const { tag, statements, needs } of known) {
      const objections = objectionsTo(statements, needs !== null)
      if (TRIED[tag]) t.not(objections.length, 0, `${tag} is on the list of exceptions for a reason`)
      else t.same(objections, [], tag)
    }
  })

await t.test('what a rule is there for is seen', async (t) => {
  for (const statement of [
    'DROP TABLE "svc_leases"',
    'ALTER TABLE "svc_audit" DROP COLUMN "key"',
    'ALTER TABLE `svc_audit` RENAME COLUMN `key` TO `by`',
    'ALTER TABLE "svc_audit" ALTER COLUMN "key" SET NOT NULL',
    'ALTER TABLE "svc_audit" ADD COLUMN "kind" text NOT NULL',
    'ALTER TABLE `svc_audit` ADD `kind` text NOT NULL',
    `ALTER TABLE "svc_audit" ADD CONSTRAINT "c" CHECK ("key" <> '')`,
    'UPDATE svc_audit SET protocol = action',
    'ALTER TABLE "svc_audit" ADD COLUMN "at" timestamptz DEFAULT now()',
  ])
    t.equal(objectionsTo([statement], false).length, 1, statement)
  t.equal(objectionsTo(['DROP TABLE "svc_leases"'], true).length, 0, 'a contraction may')
  t.equal(objectionsTo(['UPDATE svc_audit SET protocol = action'], true).length, 1, 'and may not take long either')
})

await t.test('the first layout is that of commit a4b98a9, to the letter', async (t) => {
  // Of that commit: `git show a4b98a9:packages/core/migrations/<dialect>/0000_start.sql | sha256sum`, and its `meta/_journal.json`.
  t.match(knownMigrations('postgres')[0], { at: 1795264680555, hash: '290893505a18f0e2564e858dac6cba93bcea7da13ae9c24c1c309fd67743c792' })
  t.match(knownMigrations('sqlite')[0], { at: 1795264679987, hash: 'c1ed8b107eab79fa27e123abe59949b38d45068a11058103705146478fbbccb5' })
})

await t.test('a contraction is worked on by whoever brings what it needs, and refused by all others', async (t) => {
  const known = [1, 2, 3].map((at): Migration => ({ at, hash: '', tag: '', statements: [], needs: null }))
  const noted = (at: number, needs: number | null) => ({ at, needs, complete: true, steps: [] })
  const done = [noted(2, null), noted(3, null)]
  const pending = (layout: Parameters<typeof pendingMigrations>[1]) => pendingMigrations(known, layout).map(({ at }) => at)
  t.same(pending({ binding: [1], noted: done }), [])
  t.same(pending({ binding: [1, 2], noted: [noted(3, null)] }), [], 'one that an earlier version wrote down as binding')
  t.same(pending({ binding: [1], noted: [...done, noted(4, null)] }), [], 'an expansion of a newer version')
  t.same(pending({ binding: [1, 5], noted: [...done, noted(5, 3)] }), [])
  t.same(pending({ binding: [1], noted: [{ ...noted(2, null), complete: false }] }), [2, 3], 'one that was cut off')
  const refused = { code: 'DATABASE_NEWER' }
  t.throws(() => pending({ binding: [1, 5], noted: [...done, noted(5, 4)] }), refused)
  t.throws(() => pending({ binding: [1, 5], noted: done }), refused, 'of before there were notes')
  t.throws(() => pending({ binding: [1, 5], noted: [...done, noted(5, null)] }), refused)
  t.throws(() => pending({ binding: [1, 5, 6], noted: [...done, noted(5, 3), noted(6, 5)] }), refused)
})

await t.test('a migration of PostgreSQL is cut into steps that are short or keep nobody from writing', async (t) => {
  const steps = stepsOf([
    'CREATE TABLE "fresh" (a text)',
    'DROP INDEX "old_one"',
    'DROP INDEX "gone"',
    'ALTER TABLE "big" ADD COLUMN "a" text',
    'ALTER TABLE "big" ADD COLUMN "b" text',
    'ALTER TABLE "other" DROP CONSTRAINT "c"',
    `ALTER TABLE "other" ADD CONSTRAINT "c" CHECK (a in ('x'));`,
    'CREATE INDEX "old_one" ON "big" USING btree ("a")',
    'CREATE UNIQUE INDEX "new_one" ON "big" ("b")',
    'CREATE INDEX "fresh_a" ON "fresh" ("a")',
    'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ begin return null; end $$',
    'CREATE TRIGGER t AFTER INSERT ON big FOR EACH STATEMENT EXECUTE FUNCTION f()',
  ])
  t.same(steps, [
    { kind: 'short', about: 'what is new', names: ['0'], statements: ['CREATE TABLE "fresh" (a text)'] },
    {
      kind: 'short',
      about: 'big',
      names: ['3', '4'],
      statements: ['ALTER TABLE "big" ADD COLUMN "a" text', 'ALTER TABLE "big" ADD COLUMN "b" text'],
    },
    {
      kind: 'short',
      about: 'other',
      names: ['5', '6'],
      statements: ['ALTER TABLE "other" DROP CONSTRAINT "c"', `ALTER TABLE "other" ADD CONSTRAINT "c" CHECK (a in ('x')) NOT VALID`],
    },
    {
      kind: 'short',
      about: 'what is new',
      names: ['9', '10'],
      statements: [
        'CREATE INDEX "fresh_a" ON "fresh" ("a")',
        'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ begin return null; end $$',
      ],
    },
    {
      kind: 'short',
      about: 'big',
      names: ['11'],
      statements: ['CREATE TRIGGER t AFTER INSERT ON big FOR EACH STATEMENT EXECUTE FUNCTION f()'],
    },
    { kind: 'short', about: 'other', names: ['6 validated'], statements: ['ALTER TABLE "other" VALIDATE CONSTRAINT "c"'] },
    {
      kind: 'index',
      names: ['1', '7'],
      index: 'old_one',
      builtAs: 'old_one_next',
      statement: 'CREATE INDEX CONCURRENTLY IF NOT EXISTS "old_one_next" ON "big" USING btree ("a")',
    },
    {
      kind: 'index',
      names: ['8'],
      index: 'new_one',
      builtAs: 'new_one',
      statement: 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "new_one" ON "big" ("b")',
    },
    { kind: 'drop-index', names: ['2'], index: 'gone' },
  ])
})

await t.test('each statement of each migration is in one step, whatever the steps are', async (t) => {
  for (const { tag, statements } of knownMigrations('postgres')) {
    const names = stepsOf(statements).flatMap((step) => step.names)
    const plain = names.filter((name) => !name.endsWith('validated'))
    t.same(
      plain.map(Number).sort((a, b) => a - b),
      statements.map((_, place) => place),
      tag,
    )
  }
})
