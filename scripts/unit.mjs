// Runs the tests: all, or those of the files and folders named, of these those with `t.only` where there is one, or with --test-name-pattern=<pattern> those so named; with
// --left-out those too in which the last run of all left something out; with --busy, or --busy=<seed>, as a slow machine runs them (busy.mjs);
// with --jobs=<number> so many processes at once, with --patience=<seconds> that long without a result. A process spends its first seconds on loading, and on compiling what runs often: so
// the files of packages that load the same share one, one after the other, but for those whose first line begins with `// alone`, for the reason
// that stands there. Two more processes run at once than there are cores, since some wait for most of their time, for leases, pages or blocks, and the
// others now and then; Node by itself runs one fewer than there are cores.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { startBusy } from './busy.mjs'
import { buildDashboard } from './dashboard.mjs'
import { program } from './program.mjs'

const TESTS = ['packages/*/test', 'plugins/*/test', 'plugins/*/intent/test', 'server/test', 'examples/*/test', 'examples/*/intent/test']
/**
 * Packages that share a process, by how their paths begin; the first that fits counts, and a package that is named nowhere has a process of its own. They
 * start in this order: those that wait most of their time early and beside those that compute, and at the end what computes alone, so that no core is idle
 * and none of them is what the others wait for.
 */
const SHARED = [
  ['packages/sandbox-evm/', 'plugins/evm-three/', 'plugins/evm-three-liquid/'],
  ['examples/stake-', 'examples/verify-', 'packages/mcp/'],
  ['server/test/'],
  ['examples/receive-webhooks/'],
  ['packages/kit-evm/', 'plugins/evm-vault/', 'plugins/evm-two/'],
  ['packages/core/test/webhooks/', 'packages/core/test/life/'],
  ['packages/kit-svm/', 'packages/sandbox-svm/', 'plugins/svm-', 'examples/plugin-svm/'],
  ['packages/core/'],
  ['packages/dashboard/'],
  ['packages/kit-move/', 'packages/sandbox-move/', 'plugins/move-', 'examples/plugin-template/'],
  ['packages/intent-hub/', 'packages/kit-cosmos/', 'packages/sandbox-cosmos/', 'plugins/hub-', 'examples/plugin-cosmos/'],
  ['packages/client/', 'packages/contract/', 'packages/sandbox/', 'packages/verify/'],
]
/** What a process has compiled, for those after it and for the commands that they start. */
const COMPILED = resolve('node_modules/.cache/node-compile')
/** Files in which the last run of all tests left something out, as for want of a server or a browser. */
const LEFT_OUT = resolve('node_modules/.cache/svc-left-out.json')
/** Time that a process may write no result, in seconds: a busy machine of two cores is slow, not wrong. */
const PATIENCE = 1200
/** Time after which a process is ended though it writes results, or computes without end, in milliseconds: more than all tests take on two busy cores. */
const END_MS = 7_200_000

/** Files that failed and are run again, alone, at most: beyond these something else than their neighbours is at fault. */
const MOST_AGAIN = 10

/** Looks at whether the processes of a run have ended, at most, and the pause between two in milliseconds. */
const MOST_LOOKS = 250
const LOOK_MS = 40

const given = process.argv.slice(2)
const busy = given.map((word) => /^--busy(?:=(\d+))?$/.exec(word)).find((found) => found !== null)
const pattern = given.map((word) => /^--test-name-pattern=(.+)$/s.exec(word)?.[1]).find((found) => found !== undefined)
const wrongWord = given.find(
  (word) => word.startsWith('-') && !/^--(?:left-out|busy(?:=\d+)?|(?:jobs|patience)=[1-9]\d{0,4}|test-name-pattern=.+)$/s.test(word),
)
if (wrongWord !== undefined)
  fail(
    `${wrongWord} is no option; known here: --left-out, --busy, --busy=<seed>, --jobs=<number>, --patience=<seconds>, --test-name-pattern=<pattern>, and files and folders`,
  )
const named = [...given.filter((word) => !word.startsWith('-')), ...(given.includes('--left-out') ? leftOut() : [])]
const patterns = (named.length === 0 ? TESTS : named).map((name) => (named.length === 0 || isFolder(name) ? `${name}/**/*.test.ts` : name))
const all = [...new Set(patterns.flatMap((pattern) => globSync(pattern).sort()))]
if (all.length === 0) fail(`no test is in ${named.join(', ')}`)
const focused = all.filter((file) => /^\s*(?:await )?t\.only\(/m.test(readFileSync(file, 'utf8')))
// One that was forgotten would keep all others from being run.
if (focused.length > 0 && named.length === 0) fail(`${focused.join(', ')} has a test with t.only: name the file to run that alone`)
const files = focused.length > 0 ? focused : all

// Before any test: one that built it would take it away from another that serves it.
const wrong = buildDashboard()
if (wrong !== null) fail(`the dashboard could not be built:\n${wrong}`)

const folder = mkdtempSync(join(tmpdir(), 'svc-tests-'))
const processes = [...files.filter(isAlone).map((file) => [file]), ...together(files.filter((file) => !isAlone(file)))]
const written = processes.map((each, index) => {
  const path = join(folder, `${String(index).padStart(3, '0')}.test.mjs`)
  writeFileSync(path, program(each, numberOf('patience', PATIENCE) * 1000))
  return [path, each]
})
const manifest = join(folder, 'processes.json')
writeFileSync(manifest, JSON.stringify(Object.fromEntries(written)))

// What tests lay down and start is found by this when they have ended.
const laid = join(folder, 'tmp')
mkdirSync(laid)
// A server that refuses to run as root is started by a test as another user, in a folder of that user's.
for (const each of [folder, laid]) chmodSync(each, 0o711)
const MARK = `SVC_TEST_RUN=${basename(folder)}`

const child = spawn(
  process.execPath,
  [
    '--conditions=@svc/source',
    // Young objects get room at once: without it a process of a few seconds spends a tenth of them on collecting what is still in use.
    '--min-semi-space-size=16',
    '--max-semi-space-size=64',
    '--test',
    `--test-concurrency=${numberOf('jobs', availableParallelism() + 2)}`,
    `--test-timeout=${END_MS}`,
    '--test-reporter=./scripts/report.mjs',
    ...written.map(([path]) => path),
  ],
  {
    stdio: 'inherit',
    env: {
      NODE_COMPILE_CACHE: COMPILED,
      ...process.env,
      SVC_TEST_PROCESSES: manifest,
      SVC_TEST_RUN: basename(folder),
      ...(given.includes('--left-out') ? { SVC_TESTS_LEFT_OUT: '1' } : {}),
      ...(focused.length > 0 ? { TAP_ONLY: '1' } : {}),
      // As a pattern of JavaScript where it is written as one; else the text itself.
      ...(pattern === undefined ? {} : { TAP_GREP: pattern }),
      TMPDIR: laid,
    },
  },
)
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    interrupted = true
    child.kill(signal)
  })
const seed = Number(busy?.[1] ?? Date.now() % 100_000)
const endBusy = busy && startBusy(child.pid, seed)
child.once('exit', (code, signal) => {
  if (endBusy) {
    const times = Object.entries(endBusy()).toSorted(([, a], [, b]) => b - a)
    console.log(`--busy=${seed}: stopped ${times.map(([name, count]) => `${name} ${count} times`).join(', ') || 'nothing'}`)
  }
  if (given.length === 0 && existsSync(join(folder, 'skipped.json'))) cpSync(join(folder, 'skipped.json'), LEFT_OUT)
  // Whoever interrupts a run has cut tests off before they could clear away: that is done for them, and is no failure of theirs.
  const left = clearAway()
  const cut = signal !== null || interrupted
  if (!cut) for (const sentence of left) console.log(`✖ left behind: ${sentence}`)
  if (!cut && code !== 0) runAgain()
  rmSync(folder, { recursive: true, force: true })
  process.exit(cut || left.length > 0 ? 1 : (code ?? 1))
})

/** Takes away what lies in the run's folder for temporary files, and ends its processes that go on. @returns a sentence for each */
function clearAway() {
  // Some notice by the end of their parent that there is nothing left to do.
  if (!interrupted) wait()
  const processes = running()
  for (const { pid } of processes) kill(pid)
  wait()
  // The folder of the services' sockets is there for the next service, and holds those of services that tests have killed.
  const names = readdirSync(laid).filter((name) => name !== `svc-${process.getuid?.() ?? 'user'}`)
  rmSync(laid, { recursive: true, force: true, maxRetries: 5 })
  return [
    ...processes.map(({ pid, words }) => `process ${pid}, ${words}`),
    ...names.map((name) => `${name} in the folder for temporary files`),
  ]
}

/** Waits until no process of the run is left, or for so many looks. */
function wait() {
  for (let look = 0; look < MOST_LOOKS && running().length > 0; look++)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
}

/** Processes that were started with this run's mark in their environment, where the system tells. */
function running() {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(MARK)) return []
        const words = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').trim().slice(0, 200)
        // One that has ended, and that nobody has asked for its exit status, has no words.
        return words === '' ? [] : [{ pid: Number(name), words }]
      } catch {
        // It has ended meanwhile, or is somebody else's.
        return []
      }
    })
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Runs the files that failed once more, each alone, and says which of them pass: these depend on their neighbours or on the machine. The run has failed all the same. */
function runAgain() {
  const list = join(folder, 'failed.json')
  if (process.env.SVC_TEST_AGAIN || !existsSync(list)) return
  const failed = JSON.parse(readFileSync(list, 'utf8'))
  console.log(`The machine: ${availableParallelism()} cores, a load of ${loadavg()[0].toFixed(1)} in the last minute.`)
  if (failed.length > MOST_AGAIN) console.log(`${failed.length} files failed; the first ${MOST_AGAIN} are run again, each alone.`)
  for (const file of failed.slice(0, MOST_AGAIN)) {
    const { status } = spawnSync(
      process.execPath,
      [import.meta.filename, ...given.filter((word) => word.startsWith('--patience=')), file],
      {
        stdio: 'ignore',
        env: { ...process.env, SVC_TEST_AGAIN: '1' },
      },
    )
    console.log(
      status === 0 ? `${file} passes alone: it depends on its neighbours or on how busy the machine is` : `${file} fails alone too`,
    )
  }
}

function leftOut() {
  if (!existsSync(LEFT_OUT)) fail('no run of all tests has ended here, so nothing is known that it left out: `pnpm unit` is one')
  return JSON.parse(readFileSync(LEFT_OUT, 'utf8'))
}

/** The files of each process, in their order. */
function together(files) {
  const first = (file) => SHARED.findIndex((paths) => paths.some((path) => file.startsWith(path)))
  const shared = SHARED.map((_, index) => files.filter((file) => first(file) === index))
  const others = Map.groupBy(files, (file) => (shared.flat().includes(file) ? null : file.slice(0, file.indexOf('/test/'))))
  others.delete(null)
  return [...shared, ...others.values()].filter((each) => each.length > 0)
}

/** @returns the number of an option of the command line, or the other one without it */
function numberOf(name, otherwise) {
  const word = given.findLast((each) => each.startsWith(`--${name}=`))
  return word === undefined ? otherwise : Number(word.slice(name.length + 3))
}

function isAlone(file) {
  return readFileSync(file, 'utf8').startsWith('// alone')
}

function isFolder(name) {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
