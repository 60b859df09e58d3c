import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { table } from './measure.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** Port of the service alone. A port that is free here may be taken by somebody else at once, so this is a fixed one, seldom used. */
const PORT = 47_311

/** As the command `svc` and `npm start` have it: a young generation that grows to 48 MB costs memory and wins nothing here. */
const FLAGS = ['--max-semi-space-size=8', '--conditions=@svc/source']

/** From the command to an answer, and memory at rest: with the sandbox's chains, and of the service alone on chains that run. */
export async function benchStart(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  try {
    const rows: string[][] = []
    const add = (name: string, { seconds, megabytes }: Started) =>
      rows.push([name, `${seconds.toFixed(2)} s`, `${megabytes.toFixed(0)} MB`])
    for (const name of ['with the sandbox, first (makes keys and database)', 'with the sandbox, second', 'with the sandbox, third'])
      add(name, await stopped(await start(['start'], { SVC_PORT: '0', SVC_DATA: folder }, () => sandboxUrl(folder))))

    const chains = await start(['start'], { SVC_PORT: '0', SVC_DATA: folder }, () => sandboxUrl(folder))
    try {
      const own = await mkdtemp(join(folder, 'alone-'))
      const config = join(own, 'svc.config.json')
      await writeFile(config, await readFile(join(folder, 'sandbox.config.json')))
      const url = async () => `http://127.0.0.1:${PORT}`
      for (const name of ['alone, first (makes keys and database)', 'alone, second', 'alone, third'])
        add(name, await stopped(await start(['start', '--config', config, '--port', String(PORT)], {}, url)))
    } finally {
      await stopped(chains)
    }
    return `${table('Start of the service with all installed plugins', ['start', 'to healthy', 'at rest'], rows)}\nbudget: 3 s and 300 MB`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Started {
  readonly seconds: number
  readonly megabytes: number
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
}

async function start(args: readonly string[], more: NodeJS.ProcessEnv, url: () => Promise<string>): Promise<Started> {
  const from = performance.now()
  const { DATABASE_URL: _d, REDIS_URL: _r, ...env } = process.env
  const child = spawn(process.execPath, [...FLAGS, main, ...args], { env: { ...env, ...more }, stdio: 'ignore' })
  const ended = new Promise((done) => child.once('exit', done))
  while (!(await healthy(url))) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    await new Promise((done) => setTimeout(done, 20))
  }
  const seconds = (performance.now() - from) / 1000
  await new Promise((done) => setTimeout(done, 2000))
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  return { seconds, megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024, child, ended }
}

async function stopped(started: Started): Promise<Started> {
  started.child.kill('SIGTERM')
  await started.ended
  return started
}

async function sandboxUrl(folder: string): Promise<string> {
  return (JSON.parse(await readFile(join(folder, 'sandbox.json'), 'utf8')) as { baseUrl: string }).baseUrl
}

async function healthy(url: () => Promise<string>): Promise<boolean> {
  try {
    return (await fetch(`${await url()}/api/v1/health`)).ok
  } catch {
    return false
  }
}
