// Which test executes what: each test file runs once by itself, with the coverage that V8 tells, and what it executed is kept for as long as the test
// stays the same. Of a source that changed since it is still known that a test reaches it, and no longer where.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTests } from './process.mjs'

const CACHE = resolve('node_modules/.cache/mutate/reach')
/** What a test may take by itself, in milliseconds, on a machine that does other things as well. */
const TIMEOUT_MS = 240_000
/** Executed as a part of a function; or when the module was loaded, by whoever loads it. */
const [CALLED, LOADED] = [2, 1]

/**
 * Measures a test, or takes what was measured.
 *
 * @returns its duration in milliseconds, whether it passed by itself, and of each source `{ hash, ranges: [start, end, how] }`
 */
export async function reachOf(test) {
  const text = readFileSync(test)
  const path = join(CACHE, `${digest(`${test}\n${text}`)}.json`)
  const kept = read(path)
  if (kept) return kept
  const folder = mkdtempSync(join(tmpdir(), 'svc-reach-'))
  const { result, ms, failure } = await runTests([test], { NODE_V8_COVERAGE: folder }, TIMEOUT_MS)
  const sources = {}
  for (const name of readdirSync(folder)) add(sources, JSON.parse(readFileSync(join(folder, name), 'utf8')).result)
  rmSync(folder, { recursive: true, force: true })
  const reach = { test, ms: Math.round(ms), result, failure: result === 'passed' ? '' : failure, sources: ranged(sources) }
  // What fails now may pass the next time.
  if (result === 'passed') {
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(path, JSON.stringify(reach))
  }
  return reach
}

/** Whether a test executes a place of a source: `CALLED` when it calls the function around it, or for what stands outside of functions, calls any of that file. */
export function reaches({ sources }, file, text, offset) {
  const source = sources[file]
  if (!source) return false
  const called = source.ranges.some(([, , how]) => how === CALLED)
  if (source.hash !== digest(text)) return called
  const [, , how] = source.ranges.find(([start, end]) => start <= offset && offset < end) ?? []
  return how === CALLED || (how === LOADED && (called || source.isPlain))
}

function add(sources, scripts) {
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file:')) continue
    const file = relative('.', fileURLToPath(url))
    if (!/(^|\/)src\/.*\.ts$/.test(file) || /(^|\/)node_modules\//.test(file)) continue
    const { length } = readFileSync(file, 'utf8')
    const its = sources[file] ?? { how: new Uint8Array(length), isPlain: true }
    sources[file] = its
    const marks = new Uint8Array(length)
    const ranges = functions.flatMap((each, index) =>
      each.ranges.map(({ startOffset: start, endOffset: end, count }) => ({
        start,
        end,
        how: count === 0 ? 0 : index === 0 ? LOADED : CALLED,
      })),
    )
    for (const { start, end, how } of ranges.toSorted((one, other) => one.start - other.start || other.end - one.end))
      marks.fill(how, start, end)
    for (let at = 0; at < length; at++) if (marks[at] > its.how[at]) its.how[at] = marks[at]
    if (functions.length > 1) its.isPlain = false
  }
}

function ranged(sources) {
  return Object.fromEntries(
    Object.entries(sources).map(([file, { how, isPlain }]) => {
      const ranges = []
      for (let at = 0; at < how.length; at++) {
        const last = ranges.at(-1)
        if (last && last[1] === at && last[2] === how[at]) last[1]++
        else if (how[at] > 0) ranges.push([at, at + 1, how[at]])
      }
      return [file, { hash: digest(readFileSync(file, 'utf8')), isPlain, ranges }]
    }),
  )
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}
