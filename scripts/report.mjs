// What `npm test` prints: a line for each package when its last file has run, the reason of each skip, each failure in full, and a summary.
// Node's own reporter prints each of the tens of thousands of assertions. Which files a process runs says unit.mjs, in SVC_TEST_PROCESSES.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const processes = JSON.parse(readFileSync(process.env.SVC_TEST_PROCESSES, 'utf8'))
const began = performance.now()
/** True where only some tests are asked for, by name or by `t.only`: what is left out then is not missed. */
const isChosen = Boolean(process.env.TAP_GREP || process.env.TAP_ONLY)
/** Files that are named for the time they took. */
const SLOWEST = 12

export default async function* report(source) {
  const packages = new Map()
  for (const file of Object.values(processes).flat()) {
    const its = packages.get(packageOf(file)) ?? { name: packageOf(file), files: [], left: 0, passed: 0, failed: 0, skipped: 0, ms: 0 }
    its.files.push(file)
    its.left++
    packages.set(its.name, its)
  }
  const skips = new Map()
  /** Milliseconds by file. */
  const spent = new Map()
  const failures = []

  // The results of a process come one after another, then the comment with which it ends, and last, where it failed as a whole, that it did.
  const owners = new Map(
    Object.entries(processes).flatMap(([path, files]) => [[path, path], ...files.map((file) => [join(process.cwd(), file), path])]),
  )
  let events = []
  let running
  const ended = new Set()
  function* told(hasEnded = false) {
    const files = processes[running]
    // A process may fail after its end, as a whole.
    const isFirst = !ended.has(running)
    ended.add(running)
    const expected = isFirst ? files : []
    for (const failure of resultsOf(events, files, expected, hasEnded, { packages, skips, spent })) {
      failures.push(failure)
      yield `${failure}\n`
    }
    for (const file of expected) {
      const its = packages.get(packageOf(file))
      its.left--
      if (its.left === 0) yield lineOf(its)
    }
    events = []
    running = undefined
  }

  for await (const event of source) {
    const { type, data } = event
    // What a file writes besides its results, such as a warning of Node or a crash.
    if (type === 'test:stderr' && !/ExperimentalWarning|--trace-warnings/.test(data.message)) yield data.message
    const isResult =
      type === 'test:start' || type === 'test:pass' || type === 'test:fail' || skippedIn(event) !== null || begunIn(event) !== null
    if (isResult || (type === 'test:diagnostic' && data.message === 'ends')) {
      // Assertions of the conformance kit carry its own file: they belong to the process that is being told.
      const whose = owners.get(data.file) ?? (Object.hasOwn(processes, data.name) ? data.name : undefined) ?? running
      if (running !== undefined && whose !== running) yield* told()
      running = whose
    }
    if (isResult) events.push(event)
    else if (type === 'test:diagnostic' && data.message === 'ends') yield* told(true)
  }
  if (running !== undefined) yield* told()

  const all = [...packages.values()]
  const sum = (member) => all.reduce((total, each) => total + each[member], 0)
  for (const its of all.filter(({ left }) => left > 0)) {
    failures.push(`✖ ${its.name}: ${its.left} files did not run`)
    yield `${failures.at(-1)}\n`
  }
  if (isChosen && sum('passed') + failures.length === 0) {
    failures.push(`✖ no test is named so: ${process.env.TAP_GREP ?? 'only'}`)
    yield `${failures.at(-1)}\n`
  }
  for (const [reason, names] of skips) yield `skipped ${names.length}: ${reason} (${names[0]}${names.length > 1 ? ' and others' : ''})\n`
  const slow = [...spent].toSorted(([, one], [, other]) => other - one).slice(0, SLOWEST)
  if (spent.size > SLOWEST) yield `slowest: ${slow.map(([file, ms]) => `${file} ${(ms / 1000).toFixed(0)} s`).join(', ')}\n`
  const files = all.reduce((total, each) => total + each.files.length, 0)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  yield `${files} files, ${sum('passed')} passed, ${failures.length} failed, ${sum('skipped')} skipped, in ${seconds} s\n`
  for (const failure of failures.slice(0, 20)) yield `${failure.split('\n')[0]}\n`
  if (failures.length > 0) process.exitCode = 1
  // For whoever runs them where nothing is lacking, and for whoever runs them again, alone.
  const folder = dirname(process.env.SVC_TEST_PROCESSES)
  const left = new Set([...skips.values()].flat().map((name) => name.slice(0, name.indexOf(': '))))
  writeFileSync(join(folder, 'skipped.json'), JSON.stringify([...left]))
  const failed = Object.values(processes)
    .flat()
    .filter((file) => failures.some((failure) => failure.startsWith(`✖ ${file}:`)))
  writeFileSync(join(folder, 'failed.json'), JSON.stringify(failed))
}

/** Counts what a process reported for its package. @param hasEnded whether it came to its end @returns its failures, a file that should have made an assertion and did not among them */
function resultsOf(events, files, expected, hasEnded, { packages, skips, spent }) {
  const failures = []
  const seen = new Set()
  // Assertions of the conformance kit carry its own file: they belong to the test that runs it.
  let current = files[0]
  const skipped = events.flatMap((event) => skippedIn(event) ?? [])
  const begun = new Set()
  // Names of the tests within which something is told, the outermost first.
  const around = []
  for (const event of events.filter((each) => skippedIn(each) === null)) {
    const { type, data } = event
    const begins = begunIn(event)
    if (begins !== null) {
      current = begins
      begun.add(begins)
      continue
    }
    const isSkipped = data.skip !== undefined && data.skip !== false
    // The result of a test that is skipped names no file, and comes before the comment that does.
    const found = isSkipped && !data.file ? skipped.findIndex(({ name }) => name === data.name) : -1
    const [named] = found === -1 ? [] : skipped.splice(found, 1)
    const file = named?.file ?? (data.file ? relative(process.cwd(), data.file) : '')
    if (files.includes(file)) current = file
    around.length = Math.min(around.length, data.nesting)
    const sentence = [...around, data.name].join(' › ')
    if (type === 'test:start') {
      around.push(data.name)
      continue
    }
    const its = packages.get(packageOf(current))
    if (data.nesting === 0) its.ms += data.details?.duration_ms ?? 0
    if (data.nesting === 0) spent.set(current, (spent.get(current) ?? 0) + (data.details?.duration_ms ?? 0))
    // What fails as a whole, such as a file that throws, is told with the process that ran it.
    const ofProcess = Object.hasOwn(processes, data.name)
    if (!ofProcess) seen.add(current)
    // A suite is made of its assertions; a file that fails as a whole has none.
    const whole = data.details?.type === 'suite'
    const reason = typeof data.skip === 'string' ? data.skip : ''
    if (isSkipped && reason === '') {
      // Of a test without an assertion tap says that it was skipped, and no more.
      its.failed++
      failures.push(`✖ ${current}: ${sentence}\n    It made no assertion, or was skipped without a reason: it cannot fail.`)
    } else if (isSkipped) {
      its.skipped++
      skips.set(reason, [...(skips.get(reason) ?? []), `${current}: ${data.name}`])
    } else if (type === 'test:pass') its.passed += whole || ofProcess ? 0 : 1
    else {
      const text = explained(data.details?.error)
      // A suite that fails for its assertions, which were printed, says nothing more.
      if (whole && /^\s*\d+ subtests? failed$/.test(text)) continue
      its.failed++
      failures.push(
        `✖ ${ofProcess ? `the process of ${processes[data.name].join(', ')}` : `${placeIn(text, current)}: ${sentence}`}\n${text}`,
      )
    }
  }
  for (const file of expected.filter((each) => !seen.has(each) && !(isChosen && hasEnded))) {
    packages.get(packageOf(file)).failed++
    const reason = hasEnded
      ? 'made no assertion'
      : begun.has(file)
        ? 'its process ended while it ran'
        : 'did not run: its process ended before'
    failures.push(`✖ ${file}: ${reason}`)
  }
  return failures
}

/** @returns the file with the line at which it failed, where the error tells one in this file */
function placeIn(text, file) {
  const at = text.indexOf(`${join(process.cwd(), file)}:`)
  return at === -1 ? file : `${file}:${/:(\d+)/.exec(text.slice(at))[1]}`
}

/** @returns file and name of a test that is skipped, where the event is the comment that says so; else null */
function skippedIn({ type, data }) {
  return type === 'test:diagnostic' && data.message.startsWith('skipped {') ? JSON.parse(data.message.slice('skipped '.length)) : null
}

/** @returns the file that begins, where the event is the comment that says so; else null */
function begunIn({ type, data }) {
  return type === 'test:diagnostic' && data.message.startsWith('begins "') ? JSON.parse(data.message.slice('begins '.length)) : null
}

function packageOf(file) {
  return /^(?:(?:packages|plugins|examples)\/[^/]+|[^/]+)/.exec(file)?.[0] ?? file
}

function lineOf({ name, files, passed, failed, skipped, ms }) {
  const more = [failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean).join(', ')
  return `${name}: ${files.length} ${files.length === 1 ? 'file' : 'files'}, ${passed} passed${more && `, ${more}`} (${(ms / 1000).toFixed(1)} s)\n`
}

function explained(error) {
  const cause = error?.cause ?? error
  const text = typeof cause === 'string' ? cause : (cause?.stack ?? cause?.message ?? String(cause))
  const more =
    cause && typeof cause === 'object'
      ? ['diff', 'found', 'wanted', 'at'].flatMap((name) => (cause[name] === undefined ? [] : [`${name}: ${shown(cause[name])}`]))
      : []
  return stripVTControlCharacters([text, ...more].join('\n'))
    .split('\n')
    .filter((line) => !/^ +at .*(?:scripts\/domain\.mjs|\/svc-tests-)/.test(line))
    .slice(0, 40)
    .map((line) => `    ${line.trimEnd()}`)
    .join('\n')
}

function shown(value) {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
