import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generateResponseKey, generateSigningKey } from '@svc/core'
import { freePort } from '@svc/testing/free-ports'
import { table } from './measure.ts'
import { paperFolder } from './reload/folder.ts'
import { askSteadily, partsOf } from './reload/steady.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const FLAGS = ['--max-semi-space-size=8', '--conditions=@svc/source']
/** Requests in all over the steps that may fail none. */
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 50_000)
const CALLERS = { kept: 32, fresh: 16 }

interface Step {
  readonly name: string
  /** Whether a request may fail for it: nobody can answer what a process had taken that is killed. */
  readonly isKill?: boolean
  act(): Promise<void>
}

/** Changes a service under load, in every way that an operator has, and counts what failed. With PostgreSQL and Redis two workers serve, else one. */
export async function benchReload(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const { DATABASE_URL, REDIS_URL } = process.env
  const shared = DATABASE_URL && REDIS_URL ? { workers: 2, database_url: DATABASE_URL, redis_url: REDIS_URL } : {}
  const secrets = {
    signing_key: await generateSigningKey(),
    response_keys: [{ key: await generateResponseKey(), state: 'active' }],
    peppers: ['bench-bench-bench-bench-bench-bench'],
  }
  const papers = await paperFolder(folder)
  const configure = (clerks: Record<string, string>, more: object = {}) => papers.configure(clerks, { ...shared, ...secrets, ...more })
  await papers.install('first')
  await configure({ first: 'p002' })
  const env = { ...process.env, TMPDIR: folder, SVC_PORT: String(await freePort()) }
  const child = spawn(process.execPath, [...FLAGS, main, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const log = followed(child)
  try {
    const url = await log.url()
    const key = (await command(folder, env, 'keys', 'create', '--account', 'acme', '--name', 'bench', '--quiet')).trim()
    const reload = async (isRefused = false) => {
      const output = await command(folder, env, 'reload')
      if (isRefused === /^Reloaded/.test(output)) throw new Error(`the reload said: ${output}`)
    }
    const steps: Step[] = [
      {
        name: 'a protocol enabled',
        act: async () => {
          await papers.install('second')
          await configure({ first: 'p002', second: 'p003' })
          await reload()
        },
      },
      {
        name: 'a validator changed',
        act: async () => {
          await configure({ first: 'p004', second: 'p003' })
          await reload()
        },
      },
      {
        name: 'a broken config',
        act: async () => {
          await writeFile(join(folder, 'svc.config.json'), '{')
          await reload(true)
        },
      },
      {
        name: 'nothing changed',
        act: async () => {
          await configure({ first: 'p004', second: 'p003' })
          await reload()
        },
      },
      ...(shared.workers ? [{ name: 'a worker ended by SIGTERM', act: () => log.end('SIGTERM') }] : []),
      { name: 'a worker killed', isKill: true, act: () => log.end('SIGKILL') },
    ]
    const rows: string[][] = []
    let wrong = 0
    let lost = 0
    let notTaken = 0
    for (const { name, isKill = false, act } of steps) {
      const steady = askSteadily(`${url}/api/v1/first/native/networks`, { 'x-api-key': key }, CALLERS)
      const from = performance.now()
      await act()
      while (steady.asked < REQUESTS / steps.filter((step) => !step.isKill).length && !isKill) await pause(50)
      if (isKill) await pause(5_000)
      const { answered, failed, outwaited } = await steady.stop()
      const failures = Object.entries(failed).map(([what, times]) => `${times} ${what}`)
      const { cut, turnedAway, otherwise } = partsOf(
        failed,
        isKill ? CALLERS.kept + CALLERS.fresh : 0,
        !isKill || shared.workers !== undefined,
      )
      lost += cut
      notTaken += turnedAway
      wrong += otherwise
      rows.push([
        name,
        answered.toLocaleString('en'),
        failures.join(', ') || '0',
        String(outwaited),
        `${((performance.now() - from) / 1000).toFixed(1)} s`,
      ])
    }
    if (wrong > 0) process.exitCode = 1
    const title = `Changes under load: ${CALLERS.kept} kept connections, ${CALLERS.fresh} callers with a new one each time, nothing asked again; ${shared.workers ?? 1} worker(s)`
    return `${table(title, ['step', 'answered', 'failed', 'idle for 1 s', ''], rows)}
${lost} were cut with the worker that was killed, of ${CALLERS.kept + CALLERS.fresh} connections${shared.workers === undefined ? `; ${notTaken} were refused until the only worker had a successor` : ''}
${wrong} failed otherwise (budget: 0)`
  } finally {
    child.kill('SIGTERM')
    await log.ended
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads the log of a service for what it says of its workers. */
function followed(child: ChildProcess) {
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const serving = () => [...text.matchAll(/"pid":(\d+),[^\n]*"Server listening at (http:[^"]+)"/g)]
  return {
    ended,
    async url() {
      while (serving().length === 0) {
        if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
        await pause(50)
      }
      return serving()[0]?.[2] ?? ''
    },
    /** Ends the worker that began last, and waits until another one serves. */
    async end(signal: NodeJS.Signals) {
      const before = serving().length
      process.kill(Number(serving().at(-1)?.[1]), signal)
      while (serving().length === before) await pause(50)
    },
  }
}

/** @returns what it said, on either stream */
async function command(cwd: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [...FLAGS, main, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  await new Promise((done) => child.once('close', done))
  return output
}
