// Changes one thing at a time in files of the project, and says which changes no test notices.
//   pnpm mutate <files and folders> [--sample N] [--seed N] [--tests <files and folders>] [--jobs N] [--most N] [--again <output>]
// CONTRIBUTING.md says when; `known.json` beside this file lists changes that change nothing, with the reason.
import { globSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { changesOf } from './changes.mjs'
import { end, runTests } from './process.mjs'
import { reaches, reachOf } from './reach.mjs'

/** Files without a behaviour of their own: what is only exported, the words of errors, what is generated. */
const PLAIN = /(^|\/)(index|codes|[^/]*\.generated)\.ts$/
/** How many tests look at a change at most: the nearest ones, so that what survives does not take minutes. */
const MOST = 16
/** A change may make a test this many times slower, and by so many milliseconds, before it counts as noticed. */
const SLOWER = 5
const PATIENCE_MS = 30_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: String(availableParallelism()) },
    most: { type: 'string', default: String(MOST) },
    again: { type: 'string' },
    known: { type: 'string', default: join(import.meta.dirname, 'known.json') },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    end()
    process.exit(1)
  })

const files = positionals
  .flatMap((name) => (isFolder(name) ? globSync(`${name}/**/*.ts`) : globSync(name)))
  .filter((file) => !PLAIN.test(file))
if (files.length === 0) fail(`name files or folders of sources: ${positionals.join(', ') || 'none was named'}`)
const known = JSON.parse(readFileSync(values.known, 'utf8'))
const texts = new Map(files.toSorted().map((file) => [file, readFileSync(file, 'utf8')]))
const all = [...texts].flatMap(([file, text]) => changesOf(text).map((change) => ({ ...change, file, line: lineOf(text, change.start) })))
for (const { file, line, what } of outdated(known)) console.log(`! known.json names what is not there: ${file} ${what}\n    ${line}`)
const before = values.again === undefined ? null : survivorsIn(readFileSync(values.again, 'utf8'))
const wanted = before === null ? all : all.filter(({ file, line, what }) => before.has(`${file} ${what} ${line.text}`))
const chosen = sampled(wanted, values.sample === undefined ? wanted.length : Number(values.sample), Number(values.seed))

const tests = testsOf([...texts.keys()])
console.log(`${all.length} changes in ${texts.size} files, ${chosen.length} are tried; ${tests.length} test files`)
const measured = (await inParallel(tests, reachOf)).filter(({ test, result, failure }) => {
  if (result !== 'passed')
    console.log(`! ${test} is left out: it ${result === 'late' ? 'did not end' : 'failed'} without a change\n${indented(failure)}`)
  return result === 'passed'
})

/** How many changes of a file a test has noticed: who has seen one sees the next. */
const noticed = new Map()
const results = { killed: 0, late: 0, survived: [], known: [] }
let done = 0
await inParallel(chosen, async (change) => {
  const { result, reason } = await tried(change)
  done++
  if (result === 'killed' || result === 'late') results[result]++
  else if (result === 'known') results.known.push(change)
  else {
    results.survived.push(change)
    console.log(`survived ${change.file}:${change.line.number} ${change.what}${reason}\n    ${change.line.text}`)
  }
  if (done % 20 === 0) console.log(`  ${done} of ${chosen.length}: ${results.survived.length} survived`)
})
end()

const killed = results.killed + results.late
const judged = killed + results.survived.length
const rate = judged === 0 ? 100 : (killed / judged) * 100
const late = results.late > 0 ? ` (${results.late} by taking too long)` : ''
const rest = results.known.length > 0 ? `, ${results.known.length} known to change nothing` : ''
console.log(`${killed} killed${late}, ${results.survived.length} survived${rest} (${rate.toFixed(0)} %)`)
for (const [file, its] of Map.groupBy(results.survived, ({ file }) => file)) console.log(`  ${file}: ${its.length}`)
process.exit(results.survived.length > 0 ? 1 : 0)

/** Runs the tests that execute a change, the nearest ones first, until one of them fails. */
async function tried(change) {
  const { file, start, end: until, now, line, what, at } = change
  if (known.some((each) => each.file === file && each.line === line.text && each.what === what)) return { result: 'known' }
  const reaching = measured
    .filter((each) => reaches(each, file, texts.get(file), at))
    .toSorted((one, other) => nearness(other, file) - nearness(one, file) || one.ms - other.ms)
    .slice(0, Number(values.most))
  if (reaching.length === 0) return { result: 'survived', reason: ' (no test executes it)' }
  const SVC_MUTANT = JSON.stringify({ url: pathToFileURL(resolve(file)).href, start, end: until, now })
  // The nearest test by itself, which is usually enough; the others share processes, as they do when all tests run.
  for (const its of [reaching.slice(0, 1), ...shared(reaching.slice(1))]) {
    const ms = its.reduce((sum, each) => sum + each.ms, 0)
    const { result, failure } = await runTests(
      its.map(({ test }) => test),
      { SVC_MUTANT },
      ms * SLOWER + PATIENCE_MS,
    )
    if (result === 'passed') continue
    const whose = its.find(({ test }) => failure.includes(test)) ?? its[0]
    noticed.set(`${file} ${whose.test}`, (noticed.get(`${file} ${whose.test}`) ?? 0) + 1)
    return { result: result === 'late' ? 'late' : 'killed' }
  }
  return { result: 'survived', reason: '' }
}

/** Higher for a test that has noticed changes of this file, that is named like it, or that stands in a folder of the same name. */
function nearness({ test }, file) {
  const words = (path) =>
    path
      .replace(/^.*\/(src|test)\//, '')
      .replace(/(\.test)?\.ts$/, '')
      .split(/[/-]/)
  const common = words(file).filter((word) => words(test).includes(word)).length
  return Math.min(5, noticed.get(`${file} ${test}`) ?? 0) + common
}

/** The tests that may share a process: those of one folder, but for those that stand alone. */
function shared(reaching) {
  const groups = Map.groupBy(reaching, ({ test }) =>
    readFileSync(test, 'utf8').startsWith('// alone') ? test : test.slice(0, test.lastIndexOf('/')),
  )
  return [...groups.values()]
}

/** The entries of known changes that no change of any source is: its file or its line has become another. */
function outdated(entries) {
  return [...Map.groupBy(entries, ({ file }) => file)].flatMap(([file, its]) => {
    const text = texts.get(file) ?? readable(file)
    const there = text === null ? [] : changesOf(text).map(({ what, start }) => `${what} ${lineOf(text, start).text}`)
    return its.filter(({ what, line }) => !there.includes(`${what} ${line}`))
  })
}

function readable(file) {
  return isFile(file) ? readFileSync(file, 'utf8') : null
}

/** All tests of the packages of these files, or those that were named. */
function testsOf(sources) {
  const folders =
    values.tests.length > 0 ? values.tests : [...new Set(sources.map((file) => `${file.slice(0, file.indexOf('/src/'))}/test`))]
  return [...new Set(folders.flatMap((name) => (isFolder(name) ? globSync(`${name}/**/*.test.ts`) : globSync(name))))].sort()
}

async function inParallel(items, work) {
  const found = []
  const left = items.entries()
  const one = async () => {
    for (const [index, item] of left) found[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, one))
  return found
}

/** The changes that an earlier run has printed as surviving, each by its file, what it is and the text of its line. */
function survivorsIn(output) {
  return new Set(
    [...output.matchAll(/^survived (\S+):\d+ (.*)\n {4}(.*)$/gm)].map(
      ([, file, what, text]) => `${file} ${what.replace(/ \(no test executes it\)$/, '')} ${text}`,
    ),
  )
}

/** The same ones for the same seed (mulberry32, a generator in the public domain). */
function sampled(items, count, seed) {
  let state = seed
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return items
    .map((item) => [random(), item])
    .toSorted(([one], [other]) => one - other)
    .slice(0, count)
    .map(([, item]) => item)
}

function lineOf(text, offset) {
  const number = text.slice(0, offset).split('\n').length
  return { number, text: text.split('\n')[number - 1].trim() }
}

function isFolder(name) {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isFile(name) {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false
}

function indented(text) {
  return text
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n')
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
