import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { table } from './measure.ts'

/** From the command to an answer, with the sandbox's chains; and memory at rest. */
export async function benchStart(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  try {
    const rows: string[][] = []
    for (const name of ['first start (makes keys and database)', 'second start', 'third start']) {
      const { seconds, megabytes } = await startOnce(folder)
      rows.push([name, `${seconds.toFixed(2)} s`, `${megabytes.toFixed(0)} MB`])
    }
    return table('Start with the sandbox, all installed plugins', ['start', 'to healthy', 'service at rest'], rows)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startOnce(folder: string): Promise<{ seconds: number; megabytes: number }> {
  const from = performance.now()
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const { DATABASE_URL: _d, REDIS_URL: _r, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=@svc/source', main, 'start'], {
    env: { ...env, SVC_PORT: '0', SVC_DATA: folder },
    stdio: 'ignore',
  })
  const ended = new Promise((done) => child.once('exit', done))
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
      if (await healthy(folder, child.pid!)) break
      await new Promise((done) => setTimeout(done, 20))
    }
    const seconds = (performance.now() - from) / 1000
    await new Promise((done) => setTimeout(done, 2000))
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    return { seconds, megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024 }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

async function healthy(folder: string, pid: number): Promise<boolean> {
  try {
    const file = JSON.parse(await readFile(join(folder, 'sandbox.json'), 'utf8')) as { baseUrl: string; pid?: number }
    if (file.pid !== undefined && file.pid !== pid) return false
    return (await fetch(`${file.baseUrl}/api/v1/health`)).ok
  } catch {
    return false
  }
}
