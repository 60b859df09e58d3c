import { createServer } from 'node:http'
import { freePorts } from '@svc/testing/free-ports'
import t, { type Test } from 'tap'
import { openGate, wavesOf } from '../src/pair/gate.ts'

/** Node that answers each call by its method, and counts requests. */
async function startNode(t: Test) {
  const [port = 0] = await freePorts(1)
  const bodies: unknown[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    bodies.push(body)
    const answer = ({ id, method }: { readonly id: number; readonly method: string }) => ({ jsonrpc: '2.0', id, result: method })
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, bodies }
}

async function ask(url: string, body: unknown): Promise<unknown> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return answer.json()
}

const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: [] })
const error = { code: -32_601, message: 'Method not found' }

t.test('a gate passes on what it does not answer itself, each answer in the place of its call', async (t) => {
  const node = await startNode(t)
  const gate = await openGate({ to: node.url, instead: ({ method }) => (method === 'b' ? { error } : null) })
  t.teardown(() => gate.close())
  t.same(await ask(gate.url, [call(1, 'a'), call(2, 'b'), call(3, 'c')]), [
    { jsonrpc: '2.0', id: 1, result: 'a' },
    { jsonrpc: '2.0', id: 2, error },
    { jsonrpc: '2.0', id: 3, result: 'c' },
  ])
  t.same(node.bodies, [[call(1, 'a'), call(3, 'c')]], 'the node is asked the rest alone')
  t.same(await ask(gate.url, call(4, 'b')), { jsonrpc: '2.0', id: 4, error })
  t.equal(node.bodies.length, 1, 'and nothing where nothing is left')
  t.same(await ask(gate.url, call(5, 'a')), { jsonrpc: '2.0', id: 5, result: 'a' })
  t.same(
    gate.visits.map(({ methods }) => methods),
    [['a', 'b', 'c'], ['b'], ['a']],
  )
})

t.test('a gate opens another way for the requests that come from then on, and cuts what no node answers', async (t) => {
  const [one, other] = [await startNode(t), await startNode(t)]
  const gate = await openGate({ to: one.url })
  t.teardown(() => gate.close())
  await ask(gate.url, call(1, 'a'))
  gate.open({ to: other.url })
  await ask(gate.url, call(2, 'a'))
  t.same([one.bodies.length, other.bodies.length], [1, 1])
  const [nobody = 0] = await freePorts(1)
  gate.open({ to: `http://127.0.0.1:${nobody}` })
  await t.rejects(ask(gate.url, call(3, 'a')), /fetch failed/)
})

t.test('waves are the round trips that followed one another', async (t) => {
  const visit = (began: number, ended: number) => ({ began, ended, methods: [], body: '' })
  t.equal(wavesOf([]), 0)
  t.equal(wavesOf([visit(0, 10), visit(1, 9)]), 1, 'together')
  t.equal(wavesOf([visit(0, 10), visit(11, 12), visit(3, 20)]), 2, 'one that goes on meanwhile adds none')
  t.equal(wavesOf([visit(0, 1), visit(1, 2), visit(2, 3)]), 3)
})
