import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')
const CASES = 'server/test/support/cases'

/** Runs the project's own test command over files that are no tests of the project. */
function unit(...names: readonly string[]) {
  const { SVC_TEST_PROCESSES: _, NODE_OPTIONS: __, NODE_TEST_CONTEXT: ___, ...env } = process.env
  const args = [join(ROOT, 'scripts/unit.mjs'), ...names.map((name) => `${CASES}/${name}.ts`)]
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' })
  return { status, stdout }
}

t.test('the test command', async (t) => {
  await t.test('tells a file of which every test is skipped, with the reason, and does not count it as failed', async (t) => {
    const { status, stdout } = unit('sound', 'skipped')
    t.equal(status, 0, stdout)
    t.match(stdout, `skipped 1: this machine lacks something (${CASES}/skipped.ts: what this machine cannot do)`)
    t.match(stdout, /2 files, 1 passed, 0 failed, 1 skipped/)
  })

  await t.test('fails for a file without a test, also beside one that is skipped', async (t) => {
    const { status, stdout } = unit('empty', 'skipped', 'sound')
    t.equal(status, 1)
    t.match(stdout, `${CASES}/empty.ts: made no assertion`)
    t.notMatch(stdout, `${CASES}/skipped.ts: made no assertion`)
  })

  await t.test('fails for a test that asserts nothing, though its file does', async (t) => {
    const { status, stdout } = unit('asserting-nothing')
    t.equal(status, 1)
    t.match(stdout, /a test that asserts nothing\n +It made no assertion, or was skipped without a reason: it cannot fail\./)
    t.match(stdout, /1 passed, 1 failed, 0 skipped/)
  })
})
