// What receivers of events cost a request that writes one: making an API key, on PostgreSQL, with none and with many of them.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ms, spreadOf, table } from './measure.ts'

/** Receivers of an account, each of which is told of each key. */
const RECEIVERS = [0, 1, 10, 50] as const
/** Requests of a row, and how many are under way at a time. */
const REQUESTS = Number(process.env.REQUESTS ?? 200)
const AT_ONCE = 4
/** One round of requests begins so often, in milliseconds: what 50 receivers are sent stays below what two cores can send, so that waiting is measured and not work. */
const EVERY_MS = Number(process.env.EVERY_MS ?? 250)
/** Most that the median may be of that without receivers. */
const MOST = 1.5
/** How long the last deliveries may take, in milliseconds. */
const PATIENCE_MS = 60_000

interface Row {
  readonly receivers: number
  readonly p50: number
  readonly p99: number
  readonly refused: number
  readonly delivered: number
}

/** `POST /apikeys` with 0, 1, 10 and 50 healthy receivers. Ends with 1 where the median is over its budget, a request is refused, or an event is not delivered. */
export async function benchEvents(): Promise<string> {
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) return 'The embedded database has one writer and no locks of rows; PostgreSQL was left out: DATABASE_URL is not set'
  const rows: Row[] = []
  for (const receivers of RECEIVERS) {
    rows.push(await measure(databaseUrl, receivers))
    console.error(`  ${JSON.stringify(rows.at(-1))}`)
  }
  const [alone] = rows
  const cells = rows.map(({ receivers, p50, p99, refused, delivered }) => {
    const ratio = p50 / (alone?.p50 ?? Number.NaN)
    const isWell = ratio <= MOST && refused === 0 && delivered === receivers * REQUESTS
    if (!isWell) process.exitCode = 1
    return [receivers, ms(p50), ms(p99), ratio.toFixed(2), refused, delivered, isWell ? 'ok' : 'OVER BUDGET']
  })
  return table(
    `POST /apikeys on PostgreSQL, ${AT_ONCE} begun each ${EVERY_MS} ms, ${REQUESTS} in all; budget of the median: ${MOST} of that without receivers`,
    ['receivers', 'p50', 'p99', 'of none', 'refused', 'delivered', 'budget'],
    cells,
  )
}

async function measure(databaseUrl: string, receivers: number): Promise<Row> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const schema = `svc_bench_events_${process.pid}_${receivers}`
  const children: ChildProcess[] = []
  try {
    await client.query(`create schema ${schema}`)
    const url = new URL(databaseUrl)
    url.searchParams.set('options', `-csearch_path=${schema}`)
    const [hooks, service] = await Promise.all([begin('receivers'), begin('service', url.href)])
    children.push(hooks.child, service.child)
    const { address, token } = service.said as { address: string; token: string }
    const call = async (path: string, body: object) => {
      const sent = { method: 'POST', headers: { token, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const reply = await fetch(`${address}/api/v1${path}`, sent)
      await reply.arrayBuffer()
      return reply.status
    }
    for (let count = 0; count < receivers; count++)
      if (
        (await call('/webhooks', {
          url: `http://127.0.0.1:${(hooks.said as { port: number }).port}/${count}`,
          events: ['apikey.changed'],
        })) !== 201
      )
        throw new Error('a receiver could not be made')
    for (let count = 0; count < 10; count++) await call('/apikeys', { name: `warm ${count}` })
    await counted(hooks.child, receivers * 10)
    const took: number[] = []
    let refusals = 0
    const one = async (name: string) => {
      const from = performance.now()
      if ((await call('/apikeys', { name })) !== 201) refusals++
      took.push(performance.now() - from)
    }
    const under: Promise<void>[] = []
    const start = performance.now()
    for (let begun = 0; begun < REQUESTS; begun += AT_ONCE) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, start + (begun / AT_ONCE) * EVERY_MS - performance.now())))
      for (let index = begun; index < Math.min(REQUESTS, begun + AT_ONCE); index++) under.push(one(`key ${index}`))
    }
    await Promise.all(under)
    const all = receivers * (REQUESTS + 10)
    const delivered = (await counted(hooks.child, all)) - receivers * 10
    return { receivers, ...spreadOf(took), refused: refusals, delivered }
  } finally {
    for (const child of children) child.kill()
    await Promise.all(children.map((child) => (child.exitCode === null ? new Promise((done) => child.once('exit', done)) : null)))
    await client.query(`drop schema if exists ${schema} cascade`)
    await client.end()
  }
}

/** Waits until so many messages have come. @returns how many have, also when the time is over */
async function counted(child: ChildProcess, all: number): Promise<number> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const { count } = await new Promise<{ count: number }>((done) => {
      child.once('message', (said) => done(said as { count: number }))
      child.send('count')
    })
    if (count >= all || performance.now() > end) return count
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function begin(kind: 'receivers' | 'service', url = ''): Promise<{ said: unknown; child: ChildProcess }> {
  const file = fileURLToPath(new URL('./events-target.ts', import.meta.url))
  const child = fork(file, [kind, url], { execArgv: ['--conditions=@svc/source'] })
  const message = await new Promise((done, failed) => {
    child.once('message', done)
    child.once('exit', (code) => failed(new Error(`the process of the ${kind} ended with ${code}`)))
  })
  return { said: message, child }
}
