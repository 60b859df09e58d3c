// Runs test files in a process of their own and says whether they passed: with a change, or with the coverage of what they execute.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { program } from '../program.mjs'

/** What processes with a change have compiled: apart, since a change is compiled once and never again. */
const COMPILED = resolve('node_modules/.cache/mutate/compiled')
const folder = mkdtempSync(join(tmpdir(), 'svc-mutants-'))
const running = new Set()
let count = 0

/** Ends what runs, and takes away what was written. */
export function end() {
  for (const pid of running) kill(pid)
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Runs test files one after the other, until the first assertion that fails.
 *
 * @param env what is added to the environment
 * @param timeoutMs what it may take, in milliseconds
 * @returns `passed`, `failed` or `late`, in how many milliseconds, and the first failure as it was told
 */
export function runTests(files, env, timeoutMs) {
  const path = join(folder, `${count++}.test.mjs`)
  writeFileSync(path, program(files, timeoutMs))
  const began = performance.now()
  const { NODE_OPTIONS, SVC_TEST_PROCESSES: _, NODE_TEST_CONTEXT: __, ...rest } = process.env
  const options = [NODE_OPTIONS, env.SVC_MUTANT && `--import=${import.meta.resolve('./load.mjs')}`].filter(Boolean).join(' ')
  // As the leader of a group: what it has started ends with it.
  const child = spawn(process.execPath, ['--conditions=@svc/source', '--max-semi-space-size=32', path], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...rest, ...(env.NODE_V8_COVERAGE ? {} : { NODE_COMPILE_CACHE: COMPILED }), TAP_BAIL: '1', NODE_OPTIONS: options, ...env },
  })
  running.add(child.pid)
  let told = ''
  let isLate = false
  child.stdout.setEncoding('utf8').on('data', (text) => {
    told = (told + text).slice(-200_000)
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    told = (told + text).slice(-200_000)
  })
  const timer = setTimeout(() => {
    isLate = true
    kill(child.pid)
  }, timeoutMs)
  return new Promise((done) => {
    child.once('exit', (code) => {
      clearTimeout(timer)
      kill(child.pid)
      running.delete(child.pid)
      const result = isLate ? 'late' : code === 0 && !/^Bail out!/m.test(told) ? 'passed' : 'failed'
      done({ result, ms: performance.now() - began, failure: failureIn(told) })
    })
  })
}

function failureIn(told) {
  const at = told.search(/^\s*not ok /m)
  return (at === -1 ? told.slice(-2_000) : told.slice(at, at + 2_000)).trim()
}

function kill(group) {
  try {
    process.kill(-group, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
