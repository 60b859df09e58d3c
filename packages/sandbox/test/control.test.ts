import { request } from 'node:http'
import { type Fault, type SandboxChain, SandboxError, type Step, sandboxPrices, startControl, startPrices } from '@svc/sandbox'
import t, { type Test } from 'tap'

/** A chain of a family that does not exist, which remembers what it was told. */
class OtherChain implements SandboxChain {
  readonly id = 'other:net-1'
  readonly rpcUrl = 'http://127.0.0.1:1'
  readonly told: unknown[] = []
  async advance(step: Step) {
    this.told.push(step)
    return { epoch: 7 }
  }
  async fund(address: string, amount: string) {
    if (address === 'broken') throw new TypeError('not a sandbox error')
    if (address === 'bad') throw new SandboxError('INVALID_INPUT', 'address is bad')
    this.told.push([address, amount])
    return { address, balance: amount }
  }
  fault(fault: Fault) {
    this.told.push(fault)
  }
  onClose() {}
  async close() {}
}

async function start(t: Test) {
  const chain = new OtherChain()
  const control = await startControl({ port: 0, chains: [chain] })
  t.teardown(() => control.close())
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(control.url + path, { method, body: text, headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown>, headers: response.headers }
  }
  return { chain, control, call }
}

t.test('GET / lists the chains and what may be done with each', async (t) => {
  const { call } = await start(t)
  const { status, body } = await call('GET', '/')
  t.equal(status, 200)
  const [chain] = body.chains as [{ id: string; rpcUrl: string; operations: object }]
  t.match(chain, { id: 'other:net-1', rpcUrl: 'http://127.0.0.1:1' })
  // This chain has no `mine`.
  t.same(
    Object.keys(chain.operations),
    ['advance', 'fund', 'fault'].map((name) => `POST /chains/other/net-1/${name}`),
  )
})

t.test('an operation reaches the chain with what was sent, and answers the state after it', async (t) => {
  const { chain, call } = await start(t)
  t.same((await call('POST', '/chains/other/net-1/advance', { epochs: 2 })).body, { epoch: 7 })
  t.same((await call('POST', '/chains/other/net-1/advance', { seconds: 60 })).body, { epoch: 7 })
  t.same((await call('POST', '/chains/other/net-1/fund', { address: 'a', amount: '1.5' })).body, { address: 'a', balance: '1.5' })
  t.same((await call('POST', '/chains/other/net-1/fault', { kind: 'drop', times: 3 })).body, { fault: { kind: 'drop', times: 3 } })
  t.same(chain.told, [{ epochs: 2 }, { seconds: 60 }, ['a', '1.5'], { kind: 'drop', times: 3 }])
})

t.test('the stand-in for prices answers as the service it stands for, and says what the control port tells it', async (t) => {
  const prices = await startPrices({ port: 0 })
  const control = await startControl({ port: 0, chains: [], prices })
  t.teardown(() => Promise.all([prices.close(), control.close()]))
  const tell = async (name: string, body: object) => {
    const response = await fetch(`${control.url}/prices/${name}`, { method: 'POST', body: JSON.stringify(body) })
    return { status: response.status, ...((await response.json()) as Record<string, unknown>) }
  }
  const ask = async (query: string) => (await fetch(`${prices.url}/simple/price?${query}`)).text()
  t.equal(await ask('ids=monad,nothing,solana&vs_currencies=usd'), '{"monad":{"usd":0.0345},"solana":{"usd":150.123456789}}')
  t.match(await ask('ids=monad&vs_currencies=usd&include_last_updated_at=true'), /^\{"monad":\{"usd":0\.0345,"last_updated_at":\d{10}\}\}$/)
  t.match(await tell('set', { id: 'monad', usd: '-1e99', updated_at: 5 }), { status: 200, usd: { ...sandboxPrices, monad: '-1e99' } })
  t.equal(await ask('ids=monad&vs_currencies=usd&include_last_updated_at=true'), '{"monad":{"usd":-1e99,"last_updated_at":5}}')
  await tell('set', { id: 'monad' })
  t.equal(await ask('ids=monad&vs_currencies=usd'), '{}')
  t.match((await (await fetch(control.url)).json()) as object, {
    prices: { url: prices.url, operations: { 'POST /prices/set': { id: 'monad' } } },
  })
  for (const bad of [{ usd: '1' }, { id: 'a b', usd: '1' }, { id: 'a', usd: 1 }, { id: 'a', usd: 'x' }, { id: 'a', usd: '1', at: 1 }])
    t.equal((await tell('set', bad)).status, 400, JSON.stringify(bad))
  t.equal((await tell('get', {})).status, 404)
  await tell('fault', { kind: 'error', times: 1 })
  t.match(await ask('ids=sui&vs_currencies=usd'), /"error"/)
  await tell('fault', { kind: 'drop', times: 1 })
  await t.rejects(ask('ids=sui&vs_currencies=usd'))
  t.equal(await ask('ids=sui&vs_currencies=usd'), '{"sui":{"usd":3.2}}')
  t.match(await ask('ids=sui&vs_currencies=eur'), /only usd/)
})

t.test('a body that does not fit is a 400 with a sentence, and the chain is told nothing', async (t) => {
  const { chain, call } = await start(t)
  const wrong: [string, unknown, RegExp][] = [
    ['advance', undefined, /either \{ "epochs": 1 \} or/],
    ['advance', { epochs: 1, seconds: 1 }, /either/],
    ['advance', { epochs: 0 }, /epochs is 0: it must be an integer from 1 to 1000/],
    ['advance', { epochs: 1.5 }, /epochs is 1.5/],
    ['advance', { epochs: '1' }, /epochs is "1"/],
    ['advance', { epochs: 1001 }, /epochs is 1001/],
    ['advance', { seconds: -1 }, /seconds is -1/],
    ['advance', { epoch: 1 }, /advance knows no member "epoch": it takes epochs, seconds/],
    ['advance', '{', /the body is not JSON/],
    ['advance', '[1]', /the body is \[1\]: advance takes an object/],
    ['advance', '{"__proto__":{"epochs":1}}', /knows no member "__proto__"/],
    ['fund', { amount: '1' }, /address is undefined/],
    ['fund', { address: 'a', amount: 1.5 }, /amount is 1.5: it must be text/],
    ['fund', { address: 'bad', amount: '1' }, /address is bad/],
    ['fault', { kind: 'explode' }, /kind is "explode": it must be one of delay, drop, error, none/],
    ['fault', { kind: 'delay', ms: 1e9 }, /ms is 1000000000/],
    ['mine', { blocks: 1 }, /other:net-1 makes its blocks by itself/],
  ]
  for (const [operation, body, sentence] of wrong) {
    const answer = await call('POST', `/chains/other/net-1/${operation}`, body)
    t.equal(answer.status, 400, `${operation} ${JSON.stringify(body)}`)
    t.same(Object.keys(answer.body), ['error'])
    t.match(answer.body.error, sentence)
  }
  t.same(chain.told, [])
})

t.test('an unknown chain or operation is a 404 that lists the known ones', async (t) => {
  const { call } = await start(t)
  t.match(await call('POST', '/chains/evm/1/advance', { epochs: 1 }), {
    status: 404,
    body: { error: 'no chain evm:1 here; there are: other:net-1' },
  })
  t.match(await call('POST', '/chains/other/net-1/explode', {}), {
    status: 404,
    body: { error: 'no operation explode; there are: advance, fund, fault, mine' },
  })
  t.equal((await call('POST', '/chains/other/net-1/constructor', {})).status, 404)
  t.match(await call('GET', '/elsewhere'), { status: 404, body: { error: /nothing at \/elsewhere/ } })
})

t.test('another method is a 405 that names the right one', async (t) => {
  const { call } = await start(t)
  const got = await call('GET', '/chains/other/net-1/advance')
  t.match([got.status, got.headers.get('allow'), got.body.error], [405, 'POST', /use POST/])
  t.equal((await call('POST', '/', {})).headers.get('allow'), 'GET')
})

t.test('a body above the limit is a 413', async (t) => {
  const { call } = await start(t)
  t.equal((await call('POST', '/chains/other/net-1/fund', { address: 'a'.repeat(20_000), amount: '1' })).status, 413)
})

t.test('a failure of the chain itself is a 500 with its message', async (t) => {
  const { call } = await start(t)
  const answer = await call('POST', '/chains/other/net-1/fund', { address: 'broken', amount: '1' })
  t.match(answer, { status: 500, body: { error: 'the sandbox failed: not a sandbox error' } })
})

t.test('only this machine, under its own name, may control it', async (t) => {
  const { control, call } = await start(t)
  const statusOf = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(control.url, { headers }, (response) => resolve(response.resume().statusCode))
      sent.once('error', reject).end()
    })
  t.equal(await statusOf({ host: 'rebound.example:80' }), 403)
  t.equal(await statusOf({ host: '127.0.0.1.example' }), 403)
  t.equal(await statusOf({ host: 'localhost' }), 200)
  t.equal(await statusOf({ host: '[::1]:80' }), 200)
  t.equal(await statusOf({ origin: 'https://page.example' }), 403)
  t.equal(await statusOf({ origin: 'null' }), 403)
  t.equal((await call('GET', '/', undefined, { origin: 'http://localhost:3000' })).status, 200)
})

t.test('a control port that is taken is one clear sentence', async (t) => {
  const { control } = await start(t)
  const port = Number(new URL(control.url).port)
  await t.rejects(startControl({ port, chains: [] }), {
    code: 'PORT_BUSY',
    message: `port ${port}, wanted for the control port, is in use: end the program that listens there, or choose another port`,
  })
  await t.rejects(startControl({ port: 70_000, chains: [] }), { code: 'INVALID_INPUT' })
})
