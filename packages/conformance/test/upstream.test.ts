import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createUpstream, numberRequests, usageOf } from '../src/upstream.ts'

async function serve(t: Test): Promise<string> {
  const server = createServer((_request, response) => response.end('{"result":1}'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('waves are the longest chain of calls of which each waited for the one before', async (t) => {
  const usage = (...calls: [number, number][]) => usageOf(calls.map(([began, ended]) => ({ began, ended }))).waves
  t.equal(usage(), 0)
  t.equal(usage([0, 10]), 1)
  t.equal(usage([0, 10], [1, 9], [2, 12]), 1, 'calls that overlap are one wave')
  t.equal(usage([0, 10], [10, 20], [20, 30]), 3, 'calls that follow one another are not')
  t.equal(usage([0, 10], [5, 15], [11, 20]), 2, 'a call that overlaps with two does not join them')
  t.equal(usage([0, 100], [0, 10], [11, 20], [21, 30]), 3, 'a long call hides no chain next to it')
  t.equal(usage([11, 20], [0, 10]), 2, 'the order in which they are told does not matter')
})

t.test('calls that do not wait for one another are one wave, also when one starts late', async (t) => {
  const url = await serve(t)
  const upstream = createUpstream()
  const { usage } = await upstream.measure(async () => {
    const first = upstream.fetch(url)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await Promise.all([first, upstream.fetch(url)])
  })
  t.same(usage, { calls: 2, waves: 1 })
})

t.test('a call that needs the answer of another is a second wave, and what was before does not count', async (t) => {
  const url = await serve(t)
  const upstream = createUpstream()
  await upstream.fetch(url)
  const { usage, result } = await upstream.measure(async () => {
    await (await upstream.fetch(url)).text()
    return (await upstream.fetch(url)).text()
  })
  t.same(usage, { calls: 2, waves: 2 })
  t.equal(result, '{"result":1}')
})

t.test('an interference stands in for the network, sees what was sent, and may let it pass', async (t) => {
  const url = await serve(t)
  const upstream = createUpstream()
  upstream.interfere(async ({ body }, pass) => (body === 'pass' ? pass() : new Response(`not ${body}`)))
  const post = async (body: string) => (await upstream.fetch(url, { method: 'POST', body })).text()
  t.equal(await post('this'), 'not this')
  t.equal(await post('pass'), '{"result":1}')
  upstream.interfere(() => Promise.reject(new TypeError('fetch failed')))
  await t.rejects(post('this'), { message: 'fetch failed' })
  upstream.interfere(null)
  t.equal(await post('this'), '{"result":1}')
  await upstream.idle()
  t.same(
    upstream.calls.map(({ body, ended }) => [body, Number.isFinite(ended)]),
    ['this', 'pass', 'this', 'this'].map((body) => [body, true]),
  )
})

t.test('what a service asks by itself meanwhile is not counted, what its requests ask is', async (t) => {
  const chain = await serve(t)
  const upstream = createUpstream()
  let byItself = 0
  let timer: NodeJS.Timeout | undefined
  const asks = new Promise<void>((done) => {
    timer = setInterval(() => {
      byItself++
      upstream.fetch(chain).catch(() => undefined)
      done()
    }, 1)
  })
  const service = createServer((_request, response) => {
    upstream
      .fetch(chain)
      .then(() => upstream.fetch(chain))
      .then(() => response.end())
  })
  numberRequests(service)
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    clearInterval(timer)
    service.closeAllConnections()
    service.close()
  })
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  await asks
  const before = byItself
  const { usage } = await upstream.measure(async () => {
    await fetch(url)
    await upstream.fetch(chain)
  })
  t.ok(byItself > before)
  t.same(usage, { calls: 3, waves: 3 })
})
