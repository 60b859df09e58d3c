// A server of its own process, as it is deployed: sockets, a database in a folder, its log written. `bare` answers the same bytes by Fastify alone.
import { createCredential, createMetrics, createServer, freshSigner, loadPlugin, openStore, type Peppers, parseConfig } from '@svc/core'
import Fastify from 'fastify'
import { placesOf } from '../../src/home.ts'
import type { Place } from '../subjects.ts'
import { unsigned } from '../unsigned.ts'
import { startProfile, stopProfile } from './profile.ts'

/** What a target is told when it starts. */
export interface Told {
  readonly kind: 'bare' | 'unsigned' | 'signed'
  /** Folder of its database. */
  readonly folder: string
  /** By package. */
  readonly places: Readonly<Record<string, Place>>
  /** Method and path, and the text that is answered, of `bare`. */
  readonly answers: readonly (readonly ['GET' | 'POST', string, string])[]
}

/** What has been used so far, in microseconds: of the whole process, and of the thread that runs JavaScript. */
export interface Used {
  readonly process: number
  readonly main: number
}

/** Bytes that the process holds. */
export interface Memory {
  readonly resident: number
  /** V8's heap, and what of it is used. */
  readonly heap: number
  readonly used: number
  /** Buffers and the like, outside of the heap. */
  readonly external: number
}

const order = JSON.parse(process.argv[2] ?? '{}') as Told
const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

process.on('message', async (message) => {
  if (message === 'used') process.send?.(used())
  if (message === 'memory') process.send?.(memory())
  if (message === 'counting') process.send?.(counting())
  if (message === 'profile') process.send?.(await startProfile())
  if (message === 'profiled') process.send?.(await stopProfile())
})
process.send?.(order.kind === 'bare' ? await bare() : await service())

function used(): Used {
  const all = process.cpuUsage()
  // Node 24 and later tell the thread's own.
  const main = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.() ?? all
  return { process: all.user + all.system, main: main.user + main.system }
}

function memory(): Memory {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  return { resident: rss, heap: heapTotal, used: heapUsed, external }
}

/** Crafts that are counted to tell what one costs. */
const COUNTED = 50_000

/**
 * Measures the telemetry of one craft on the main thread, in microseconds: its answer and its call to an endpoint, counted. Without an SDK of OpenTelemetry that is all:
 * there is no tracing then, and no hook of it (packages/core/test/tracing.test.ts).
 */
function counting(): number {
  const metrics = createMetrics()
  const count = () => {
    for (let craft = 0; craft < COUNTED; craft++) {
      metrics.upstream('evm-three 143 rpc', 1, 'ok', craft / COUNTED)
      metrics.http('POST', '/api/v1/evm-three/native/action/delegate', 200, craft / COUNTED)
    }
  }
  // The first time is for the compiler.
  count()
  const before = used().main
  count()
  return (used().main - before) / COUNTED
}

async function bare() {
  const app = Fastify()
  for (const [method, url, text] of order.answers)
    app.route({ method, url, handler: async (_request, reply) => reply.type('application/json; charset=utf-8').send(text) })
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), apiKey: '' }
}

async function service() {
  const names = Object.keys(order.places)
  const plugins = []
  // One after the other: two chain libraries loaded at once can trip over each other's modules.
  for (const name of names) plugins.push({ name, version: '0', plugin: (await loadPlugin(name, placesOf())).plugin })
  const config = parseConfig(
    {
      plugins: Object.fromEntries(
        Object.entries(order.places).map(([name, { chainId, network }]) => [name, { networks: { [chainId]: network } }]),
      ),
      accounts: { bench: { name: 'Bench' } },
      // On a machine that does much else, a late answer is to cost time and no row.
      upstream: { timeout_ms: 300_000, deadline_ms: 600_000 },
      limits: { key_per_minute: 1_000_000_000, address_per_minute: 1_000_000_000 },
    },
    {},
  )
  const store = await openStore({ dataDir: order.folder, log: quiet })
  const peppers: Peppers = ['bench-bench-bench-bench-bench-bench']
  const app = await createServer({ config, plugins, store, signer: order.kind === 'signed' ? await freshSigner() : unsigned, peppers })
  const { value } = await createCredential(store, peppers, new Date(), { kind: 'key', account: 'bench', name: 'bench' })
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), apiKey: value }
}
