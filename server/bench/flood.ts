// `pnpm bench flood`: what one connection without a key can take of the service, in memory and in the health of others.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { table } from './measure.ts'

const REQUESTS = Number(process.env.BENCH_FLOOD ?? 1000)
const CONNECTIONS = Number(process.env.BENCH_FLOOD_CONNECTIONS ?? 1)
/** Longest time that one attack is watched, and the time after it until the memory is looked at again, in milliseconds. */
const WATCH_MS = 10_000
const AFTER_MS = Number(process.env.BENCH_FLOOD_AFTER_MS ?? 3_000)

const PATHS = [
  '/docs',
  '/docs/static/swagger-ui-bundle.js',
  '/docs/json',
  '/docs/yaml',
  '/openapi.json',
  '/api/v1/public-key',
  '/api/v1/health',
  '/nowhere',
  '/%zz',
  '/api/v1/evm-three/native/networks',
]

interface Target {
  readonly port: number
  readonly pid: number
}

/** Requests pipelined on a connection, whole, for one path after the other, each against a service of its own. */
export async function benchFlood(): Promise<string> {
  const rows: (string | number)[][] = []
  for (const path of process.env.BENCH_FLOOD_PATH?.split(',') ?? PATHS) {
    const { child, target } = await serve()
    // What the service makes once it makes before it is measured.
    await get(target.port, path)
    await pause(300)
    rows.push([path, ...(await flood(target, path))])
    child.kill()
  }
  const head = ['path', 'MB at rest', 'at most', `${AFTER_MS / 1000} s later`, 'answers', 'slowest health']
  return table(`${REQUESTS} GETs without a key, pipelined on ${CONNECTIONS} connection${CONNECTIONS > 1 ? 's' : ''}`, head, rows)
}

async function flood({ port, pid }: Target, path: string): Promise<(string | number)[]> {
  const probe = new Worker(new URL('./probe.ts', import.meta.url), { workerData: port })
  let slowest = 0
  await once(probe, 'message')
  probe.on('message', (milliseconds: number) => {
    slowest = Math.max(slowest, milliseconds)
  })
  const rest = await memory(pid)
  let most = rest
  let over = false
  const watch = (async () => {
    while (!over) {
      most = Math.max(most, await memory(pid))
      await pause(10)
    }
  })()
  const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => pipeline(port, path)))
  await pause(AFTER_MS)
  over = true
  await watch
  await probe.terminate()
  const counts: Record<string, number> = {}
  for (const one of answers) for (const [status, times] of Object.entries(one)) counts[status] = (counts[status] ?? 0) + times
  const parts = Object.entries(counts).map(([status, times]) => `${times} × ${status}`)
  return [megabytes(rest), megabytes(most), megabytes(await memory(pid)), parts.join(', ') || 'none', `${slowest.toFixed(0)} ms`]
}

const STATUS_LINE = Buffer.from('HTTP/1.1 ')

/** @returns how often each status came, until the connection closed or nothing came for five seconds */
async function pipeline(port: number, path: string): Promise<Record<string, number>> {
  const socket = connect(port, '127.0.0.1')
  const counts: Record<string, number> = {}
  // A status line may be cut by the end of a chunk.
  let tail = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    const bytes = Buffer.concat([tail, chunk])
    let from = 0
    for (let at = bytes.indexOf(STATUS_LINE); at >= 0 && at + 12 <= bytes.length; at = bytes.indexOf(STATUS_LINE, at + 1)) {
      const status = bytes.toString('latin1', at + 9, at + 12)
      counts[status] = (counts[status] ?? 0) + 1
      from = at + 12
    }
    tail = bytes.subarray(Math.max(from, bytes.length - 11))
  })
  const closed = new Promise((done) => socket.once('close', done))
  socket.on('error', () => undefined)
  socket.setTimeout(5000, () => socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nHost: svc\r\n\r\n`.repeat(REQUESTS))
  await Promise.race([closed, pause(WATCH_MS)])
  socket.destroy()
  return counts
}

async function get(port: number, path: string): Promise<void> {
  await (await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })).arrayBuffer()
}

/** Resident memory of a process in bytes. */
async function memory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024
}

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

async function serve(): Promise<{ child: ChildProcess; target: Target }> {
  const file = fileURLToPath(new URL('./guarded.ts', import.meta.url))
  const child = fork(file, [], { execArgv: ['--max-semi-space-size=8', '--conditions=@svc/source'] })
  const target = await new Promise<Target>((done, failed) => {
    child.once('message', ({ port }: { port: number }) => done({ port, pid: child.pid! }))
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)))
  })
  return { child, target }
}
