import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')
const CASES = 'server/test/support/cases'

/** Runs the project's own test command over files that are no tests of the project. The tests of other files go on in this process meanwhile. */
function unit(...names: readonly string[]): Promise<{ status: number; stdout: string }> {
  return unitWith({}, ...names)
}

async function unitWith(variables: NodeJS.ProcessEnv, ...names: readonly string[]): Promise<{ status: number; stdout: string }> {
  const env = { ...environment(), ...variables }
  const child = spawn(process.execPath, argumentsOf(names), { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [[status], stdout] = await Promise.all([once(child, 'close'), text(child.stdout)])
  return { status, stdout }
}

function argumentsOf(names: readonly string[]): string[] {
  return [join(ROOT, 'scripts/unit.mjs'), ...names.map((name) => (name.startsWith('-') ? name : `${CASES}/${name}.ts`))]
}

function environment() {
  const { SVC_TEST_PROCESSES: _, NODE_OPTIONS: __, NODE_TEST_CONTEXT: ___, SVC_TEST_AGAIN: ____, SVC_SEED: _____, ...env } = process.env
  return env
}

/** Tells whether a process runs: one that has ended, and whose exit status nobody has asked for, has no words. */
function runs(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

t.test('the test command', async (t) => {
  await t.test('tells a file of which every test is skipped, with the reason, and does not count it as failed', async (t) => {
    const { status, stdout } = await unit('sound', 'skipped')
    t.equal(status, 0, stdout)
    t.match(stdout, `skipped 1: this machine lacks something (${CASES}/skipped.ts: what this machine cannot do)`)
    t.match(stdout, /2 files, 1 passed, 0 failed, 1 skipped/)
  })

  await t.test('fails for a file without a test, also beside one that is skipped', async (t) => {
    const { status, stdout } = await unit('empty', 'skipped', 'sound')
    t.equal(status, 1)
    t.match(stdout, `${CASES}/empty.ts: made no assertion`)
    t.notMatch(stdout, `${CASES}/skipped.ts: made no assertion`)
  })

  await t.test('goes on with the next file where one throws outside of its tests', async (t) => {
    const { status, stdout } = await unit('throwing', 'sound')
    t.equal(status, 1)
    t.match(stdout, `✖ ${CASES}/throwing.ts:4: the file, outside of its tests › the file throws\n`)
    t.match(stdout, /2 files, 1 passed, 1 failed, 0 skipped/)
  })

  await t.test('runs the tests of a name, or those with t.only where there is one', async (t) => {
    const named = await unit('--test-name-pattern=what this machine can', 'failing', 'sound')
    t.equal(named.status, 0, named.stdout)
    t.match(named.stdout, /2 files, 1 passed, 0 failed, \d skipped/)
    const nobody = await unit('--test-name-pattern=nothing is named so', 'sound')
    t.match(nobody, { status: 1, stdout: /✖ no test is named so: nothing is named so\n/ })
    const only = await unit('focused', 'sound')
    t.equal(only.status, 0, only.stdout)
    t.match(only.stdout, /1 files, 1 passed, 0 failed, 1 skipped/)
  })

  await t.test('says of a process that ends early in which file, and which files did not run', async (t) => {
    const { status, stdout } = await unit('crashing', 'sound')
    t.equal(status, 1)
    t.match(stdout, `✖ ${CASES}/crashing.ts: its process ended while it ran\n`)
    t.match(stdout, `✖ ${CASES}/sound.ts: did not run: its process ended before\n`)
    t.notMatch(stdout, 'made no assertion')
  })

  await t.test('ends a test that has no result for a while, and names it, and none that has some, however long it takes', async (t) => {
    const stuck = await unit('--patience=2', 'stuck')
    t.equal(stuck.status, 1, stuck.stdout)
    t.match(stuck.stdout, `✖ ${CASES}/stuck.ts: what never comes › timeout!\n`)
    const advancing = await unit('--patience=2', 'advancing')
    t.equal(advancing.status, 0, advancing.stdout)
    t.match(advancing.stdout, /1 files, 10 passed, 0 failed, 0 skipped/)
  })

  await t.test('runs as many processes at once as --jobs says', async (t) => {
    const folder = t.testdir()
    const { status, stdout } = await unitWith({ SVC_TURNS: folder }, '--jobs=1', 'first-of-two', 'second-of-two')
    t.equal(status, 0, stdout)
    t.match(stdout, /2 files, 2 passed, 0 failed/)
    t.equal((await unit('--jobs=0', 'sound')).status, 1, 'none at once is no number of them')
  })

  await t.test('fails for a test that asserts nothing, though its file does', async (t) => {
    const { status, stdout } = await unit('asserting-nothing')
    t.equal(status, 1)
    t.match(stdout, /a test that asserts nothing\n +It made no assertion, or was skipped without a reason: it cannot fail\./)
    t.match(stdout, /1 passed, 1 failed, 0 skipped/)
  })

  await t.test('names file, line and every sentence around what failed, and frames of its own code are left out', async (t) => {
    const { status, stdout } = await unit('failing')
    t.equal(status, 1)
    t.match(stdout, `✖ ${CASES}/failing.ts:5: an outer sentence › an inner one › should be equal\n`)
    t.match(stdout, `✖ ${CASES}/failing.ts:7: an outer sentence › one of its own\n`)
    t.notMatch(stdout, /domain\.mjs|svc-tests-/)
    t.match(stdout, `${CASES}/failing.ts fails alone too\n`)
    t.match(stdout, /\nThe machine: \d+ cores, a load of \d+\.\d in the last minute\.\n/)
  })

  await t.test('tries properties with the same values in each run, and with others where it is told to', async (t) => {
    const chosen = (stdout: string) => /\+(\S.*\d{4}.*)/.exec(stdout)?.[1]
    const [one, again] = [chosen((await unit('chosen')).stdout), chosen((await unit('chosen')).stdout)]
    t.ok(one)
    t.equal(one, again)
    t.not(chosen((await unitWith({ SVC_SEED: '2' }, 'chosen')).stdout), one)
  })

  await t.test('names a file that passes alone, and has failed all the same', async (t) => {
    const { status, stdout } = await unit('leaving', 'neighbour')
    t.equal(status, 1)
    t.match(stdout, `${CASES}/neighbour.ts passes alone: it depends on its neighbours or on how busy the machine is\n`)
  })

  await t.test(
    'stops and continues processes with --busy, and says which seed did',
    { skip: process.platform === 'linux' ? false : 'a stopped process is told by /proc, which this system does not have' },
    async (t) => {
      const { status, stdout } = await unit('--busy=7', 'stopped')
      t.equal(status, 0, stdout)
      t.match(stdout, /\n--busy=7: stopped .*node \d+ times/)
    },
  )

  const noProc =
    process.platform === 'linux' ? false : 'which processes a run has started is told by /proc, which this system does not have'
  await t.test('fails for a process and a folder that a test leaves behind, and takes them away', { skip: noProc }, async (t) => {
    const { status, stdout } = await unit('left-behind')
    t.equal(status, 1, stdout)
    t.match(stdout, /1 passed, 0 failed/)
    const [, pid] = /\n✖ left behind: process (\d+), .*left-behind\n/.exec(stdout) ?? []
    t.notOk(runs(Number(pid)))
    t.match(stdout, /\n✖ left behind: svc-left-\w+ in the folder for temporary files\n/)
  })

  await t.test('leaves nothing running and no folder when it is interrupted', { skip: noProc }, async (t) => {
    const folder = t.testdir()
    const file = join(folder, 'pid')
    const child = spawn(process.execPath, argumentsOf(['left-behind']), {
      cwd: ROOT,
      env: { ...environment(), TMPDIR: folder, SVC_LEFT_PID: file, SVC_LEFT_STAYS: '1' },
      stdio: 'ignore',
    })
    const pid = await eventually(
      'the process of the test',
      () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0),
      (each) => each > 0,
    )
    t.ok(runs(pid))
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    t.equal(code, 1)
    t.notOk(runs(pid))
    t.same(readdirSync(folder), ['pid'])
  })

  await t.test('refuses an option that it does not know', async (t) => {
    const { status } = await unit('--bussy')
    t.equal(status, 1)
  })
})
