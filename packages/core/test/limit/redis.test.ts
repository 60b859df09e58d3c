import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import t from 'tap'
import { limit } from '../../src/limit/plugin.ts'
import { connectLimits, createSharedBudget } from '../../src/limit/redis.ts'
import { createLocalBudget } from '../../src/limit/store.ts'

const url = process.env.REDIS_URL
const skip = url === undefined && 'REDIS_URL names no Redis to test with, for example redis://127.0.0.1:6379'

/** A door in front of Redis that can be shut. */
async function door(target: URL) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 6379), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream).pipe(client)
  })
  const open = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await open(0)
  const { port } = server.address() as AddressInfo
  const shut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return { url: `redis://127.0.0.1:${port}`, open: () => open(port), shut }
}

async function ready(address: string): Promise<Redis> {
  const redis = connectLimits(address)
  await new Promise<void>((resolve) => redis.once('ready', resolve))
  return redis
}

const quiet = { warn: () => undefined, info: () => undefined }

async function instance(redis: Redis, caller: string): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(limit, { redis, principal: () => caller, max: { key: 200, address: 60, console: 600 } })
  app.addHook('onRequest', app.countRequest)
  app.get('/', async () => 'ok')
  return app
}

async function passed(apps: readonly FastifyInstance[], calls: number): Promise<number> {
  const responses = await Promise.all(Array.from({ length: calls }, (_, call) => apps[call % apps.length]!.inject('/')))
  return responses.filter(({ statusCode }) => statusCode === 200).length
}

t.test('two instances on one Redis share one budget', { skip }, async (t) => {
  const caller = randomUUID()
  const redis = await Promise.all([ready(url!), ready(url!)])
  const apps = await Promise.all(redis.map((client) => instance(client, caller)))
  t.equal(await passed(apps, 240), 200)
  const refused = await apps[0]!.inject('/')
  t.equal(refused.statusCode, 429)
  const seconds = Number(refused.headers['retry-after'])
  t.ok(seconds > 0 && seconds <= 60, `${seconds} s until the next place`)
  t.equal(await redis[0].llen(`svc:limit:k:${caller}`), 200, 'refused calls were not recorded')
  t.ok((await redis[0].pttl(`svc:limit:k:${caller}`)) > 0, 'and what was recorded expires')
  await Promise.all(apps.map((app) => app.close()))
  for (const client of redis) client.disconnect()
})

t.test('the window in Redis slides: a place is free when the oldest call is a minute old', { skip }, async (t) => {
  const caller = randomUUID()
  const redis = await ready(url!)
  const take = () => createSharedBudget({ redis, log: quiet, local: createLocalBudget() }).take(`k:${caller}`, 3)
  const [seconds, micros] = (await redis.time()) as unknown as [string, string]
  const now = Number(seconds) * 1_000_000 + Number(micros)
  // Calls of 60, 30 and 20 seconds ago, as the script writes them.
  for (const age of [60, 30, 20]) await redis.lpush(`svc:limit:k:${caller}`, now - age * 1_000_000)
  const accepted = await take()
  t.equal(accepted.current, 3, 'the oldest has left')
  t.ok(accepted.ttl > 0 && accepted.ttl <= 30_000, `${accepted.ttl} ms until the second oldest leaves`)
  t.match(await take(), { current: 4 })
  await redis.del(`svc:limit:k:${caller}`)
  redis.disconnect()
})

t.test('when Redis goes away the limits hold on each instance, and the outage is logged once', { skip }, async (t) => {
  const caller = randomUUID()
  const proxy = await door(new URL(url!))
  const redis = await ready(proxy.url)
  const lines: string[] = []
  const log = { warn: (...line: unknown[]) => lines.push(String(line[1])), info: (line: unknown) => lines.push(String(line)) }
  let time = 0
  const budget = createSharedBudget({ redis, local: createLocalBudget(() => time), log })
  const accepted = async (calls: number) => {
    const hits = await Promise.all(Array.from({ length: calls }, () => budget.take(`k:${caller}`, 200)))
    return hits.filter(({ current }) => current <= 200).length
  }
  t.equal(await accepted(150), 150)
  await proxy.shut()
  t.equal(await accepted(100), 50, 'what was used before the outage stays used')
  t.equal(await accepted(20), 0)
  t.same(lines, ['Redis does not answer: each instance limits on its own'])

  await proxy.open()
  await new Promise<void>((resolve) => redis.once('ready', resolve))
  time = 2000
  t.equal(await accepted(20), 0, 'what was used in the outage stays used after it')
  t.equal((await budget.take(`k:${caller} B`, 200)).current, 1)
  t.same(lines.slice(1), ['rate limits are shared through Redis again'])
  t.equal(await redis.llen(`svc:limit:k:${caller} B`), 1)
  redis.disconnect()
  await proxy.shut()
})

t.test('without a Redis to talk to, calls are limited all the same', async (t) => {
  const proxy = await door(new URL('redis://127.0.0.1:1'))
  await proxy.shut()
  const redis = connectLimits(proxy.url)
  const app = await instance(redis, 'A')
  t.equal(await passed([app], 210), 200)
  await app.close()
  redis.disconnect()
})

t.test('a Redis that takes commands and never answers delays one call, then is left alone for a second', async (t) => {
  const redis = connectLimits('redis://127.0.0.1:1')
  redis.disconnect()
  let asked = 0
  // A connection that hangs, as behind a firewall that drops packets.
  redis.defineCommand = () => undefined
  redis.svcTake = () => {
    asked++
    return new Promise(() => undefined)
  }
  let time = 0
  const budget = createSharedBudget({ redis, local: createLocalBudget(() => time), log: quiet })
  t.equal((await budget.take('k:A', 4)).current, 1)
  t.equal((await budget.take('k:A', 4)).current, 2)
  t.equal((await budget.take('k:A', 4)).current, 3)
  t.equal(asked, 1)
  time = 1000
  const both = await Promise.all([budget.take('k:A', 5), budget.take('k:A', 5)])
  t.same(both.map(({ current }) => current).toSorted(), [4, 5])
  t.equal(asked, 2, 'one of two calls asks again')
})

t.test(
  'a stall of this process is no outage of Redis: answers that arrived meanwhile count, and the limit is exact',
  { skip },
  async (t) => {
    const caller = randomUUID()
    const told: unknown[] = []
    const log = { warn: (...what: unknown[]) => void told.push(what), info: () => undefined }
    const redis = await Promise.all([ready(url!), ready(url!)])
    const budgets = redis.map((client) => createSharedBudget({ redis: client, log, local: createLocalBudget() }))
    // Before the stall the questions are on their way, so that Redis answers while nobody here listens.
    const hits = Array.from({ length: 240 }, (_, call) => budgets[call % 2]!.take(`k:${caller}`, 200))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    const taken = (await Promise.all(hits)).filter(({ current }) => current <= 200)
    t.equal(taken.length, 200)
    t.same(told, [], 'no outage is told')
    await redis[0].del(`svc:limit:k:${caller}`)
    for (const client of redis) client.disconnect()
  },
)
