import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const SCRIPT = fileURLToPath(new URL('../../scripts/upstream.mjs', import.meta.url))
const QUESTION = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'

t.test('a recording proxy passes requests on, keeps them, and keeps the address of the endpoint to itself', async (t) => {
  const asked: string[] = []
  const node = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(request.url?.includes('missing') ? 404 : 200, { 'content-type': 'application/json' })
    response.end(request.method === 'POST' ? '{"result":"0x1"}' : '{"amount":12345678901234567890}')
  })
  await new Promise<void>((done) => node.listen(0, '127.0.0.1', done))
  t.teardown(() => node.close())
  const folder = t.testdir()
  const endpoint = `http://127.0.0.1:${(node.address() as AddressInfo).port}/v1?key=secret`
  const proxy = spawn(process.execPath, [SCRIPT, endpoint, folder, '0'])
  t.teardown(() => proxy.kill())
  const url = await new Promise<string>((done, fail) => {
    let said = ''
    proxy.stdout.setEncoding('utf8').on('data', (part: string) => {
      said += part
      const [, url] = /(http:\S+)\n/.exec(said) ?? []
      if (url !== undefined) done(url)
    })
    proxy.once('exit', () => fail(new Error('It ended.')))
  })

  t.same(await (await fetch(url, { method: 'POST', body: QUESTION })).json(), { result: '0x1' })
  const missing = await fetch(`${url}/missing?height=3`)
  t.equal(missing.status, 404)
  t.equal(await missing.text(), '{"amount":12345678901234567890}')
  t.same(asked, ['/v1?key=secret', '/v1/missing?key=secret&height=3'])

  const files = readdirSync(folder).sort()
  t.same(files, ['00001-eth_chainId.json', '00002-request.json'])
  const kept = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  t.notOk(kept.join('').includes('secret'), 'no file has the key')
  const [first, second] = kept.map((each) => JSON.parse(each))
  t.match(first, { request: { http: 'POST /', body: JSON.parse(QUESTION) }, response: { status: 200, body: { result: '0x1' } } })
  t.match(
    second,
    { request: { http: 'GET /missing?height=3' }, response: { status: 404, body: '{"amount":12345678901234567890}' } },
    'digits stay',
  )
})

t.test('a recording proxy without an endpoint says how it is used', async (t) => {
  const ended = spawn(process.execPath, [SCRIPT, 'example.org', t.testdir()])
  const [said, code] = await Promise.all([text(ended.stderr), new Promise((done) => ended.once('exit', done))])
  t.equal(code, 2)
  t.match(said, /^Usage: node scripts\/upstream\.mjs <endpoint, http or https>/)
})
