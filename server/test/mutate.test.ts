import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')
const CASES = 'server/test/support/cases/mutate'
const SOURCE = `${CASES}/src/hours.ts`

interface Change {
  readonly start: number
  readonly end: number
  readonly now: string
  readonly what: string
  readonly at: number
}
const { changesOf }: { changesOf(text: string): readonly Change[] } = await import(join(ROOT, 'scripts/mutate/changes.mjs'))

/** Each change of a text, as the whole that it makes. */
const madeOf = (text: string) => changesOf(text).map(({ start, end, now }) => text.slice(0, start) + now + text.slice(end))

t.test(
  'a change that a test notices is killed, and one that none notices survives, with its place; the files stay as they are',
  async (t) => {
    const before = readFileSync(join(ROOT, SOURCE), 'utf8')
    const { SVC_TEST_PROCESSES: _, NODE_OPTIONS: __, NODE_TEST_CONTEXT: ___, ...env } = process.env
    const args = ['scripts/mutate/main.mjs', SOURCE, '--tests', `${CASES}/hours.ts`, '--known', `${CASES}/known.json`]
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [[status], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
    t.equal(status, 1, stderr)
    t.match(stdout, '6 changes in 1 files, 6 are tried; 1 test files')
    t.match(stdout, `survived ${SOURCE}:8 it returns undefined (no test executes it)\n    return !isOpen(hour)`)
    t.match(stdout, `survived ${SOURCE}:8 what is negated is not (no test executes it)`)
    t.notMatch(stdout, `survived ${SOURCE}:3`)
    t.match(stdout, '3 killed, 2 survived, 1 known to change nothing (60 %)')
    t.match(stdout, `! known.json names what is not there: ${SOURCE} 9 is 8\n    return hour >= 9\n`)
    t.match(stdout, `! known.json names what is not there: ${CASES}/src/days.ts it returns undefined`)
    t.notMatch(stdout, `not there: ${SOURCE} 8 is 7`)
    t.equal(readFileSync(join(ROOT, SOURCE), 'utf8'), before)
  },
)

t.test('each guard of a statement is dropped by itself, also where what is put in holds words and brackets', async (t) => {
  const text =
    'const q = sql`update a set n = n + 1, at = case when at <= $' +
    '{x("and")} then 1 end where id = $' +
    '{id} and (b = 1 or c is null) returning id`'
  const made = madeOf(text)
  for (const [was, now] of [
    ['n = n + 1, ', ''],
    [', at = case when at <= $' + '{x("and")} then 1 end', ''],
    ['at <= $' + '{x("and")} then', '(1 = 1) then'],
    ['at <= ', 'at < '],
    ['id = $' + '{id}', '(1 = 1)'],
    ['id = $', 'id <> $'],
    ['and (b = 1 or c is null)', ''],
    ['or c is null', ''],
    ['is null', 'is not null'],
    ['b = 1', 'b <> 1'],
  ] as const)
    t.ok(made.includes(text.replace(was, now)), `${was} is ${now || 'left out'}`)
  t.notOk(made.includes(text.replace('n = n + 1', 'n <> n + 1')), 'an assignment compares nothing')
})

t.test('whether what stands for nothing is executed is known by what it stands for', async (t) => {
  const text = 'export const f = (given) => given ?? 7\n'
  t.match(
    changesOf(text).filter(({ what }) => what === '?? is &&'),
    [{ start: text.indexOf('??'), end: text.indexOf('??') + 2, now: '&&', at: text.indexOf('given ??') }],
  )
})

t.test('a change stands where the text has it, types and all, and none is made of what is thrown, imported or logged', async (t) => {
  const made = madeOf(
    "import { a } from 'a'\nexport const f = (x: number, log: Log): boolean => {\n  if (x < 100) throw new Error('low')\n  log.info({ x }, 'seen')\n  return a.some(Boolean) && x !== 3\n}\n",
  )
  t.ok(made.some((each) => each.includes('if (x <= 100)')))
  t.ok(made.some((each) => each.includes('if (false) throw')))
  t.ok(made.some((each) => each.includes('a.every(Boolean)')))
  t.ok(made.some((each) => each.includes('return (x !== 3)')))
  t.ok(
    made.every((each) => each.includes("from 'a'") && each.includes("throw new Error('low')") && each.includes("log.info({ x }, 'seen')")),
  )
  t.ok(made.every((each) => each.includes('(x: number, log: Log): boolean')))
})
