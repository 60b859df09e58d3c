import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SetupError } from '@svc/client'
import { evmThree } from '@svc/intent-evm-three'
import { createMcp, serveHttp } from '@svc/mcp'
import { SigningKey } from 'ethers'
import t from 'tap'
import { bodies, CURRENT, call, draftOf, overHttp, sign, stage, trustOf, wallet } from './support/stage.ts'

const { address } = wallet
const { client, url } = await overHttp(t, stage.service)

t.test('the tools are listed in one order, with closed schemas and every annotation; nothing broadcasts', async (t) => {
  t.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
  const { tools } = await client.listTools()
  t.same(
    tools.map(({ name }) => name),
    [
      'staking_networks',
      'staking_info',
      'staking_balance',
      'staking_status',
      'staking_rewards',
      'staking_alarms',
      ...['delegate', 'undelegate', 'withdraw', 'claim-rewards', 'compound'].map(draftOf),
      'staking_verify',
      'staking_explain',
      'staking_prepare',
    ],
  )
  for (const { name, inputSchema, annotations } of tools) {
    t.equal(inputSchema.additionalProperties, false, name)
    t.match(annotations, { readOnlyHint: true, destructiveHint: false, idempotentHint: Boolean, openWorldHint: Boolean }, name)
  }
  const delegate = tools.find(({ name }) => name === draftOf('delegate'))
  t.match(delegate?.inputSchema, { properties: { amount: { type: 'string', pattern: /\{1,18\}/ } }, required: ['address', 'amount'] })
  t.match(client.getInstructions(), /never signs and holds no key/)
})

t.test('every action is drafted: sentence, moves, what was assumed, what is signed, and the craft', async (t) => {
  for (const [action, args] of Object.entries(bodies)) {
    const drafted = await call(client, draftOf(action), args)
    t.equal(drafted.verified, true, action)
    t.match(drafted.sentence, / on eip155:143; fee at most [\d.]+ MON; valid while /, action)
    t.match(drafted.assumed, [{ fact: 'nonce' }, { fact: 'gasLimit' }, { fact: 'gasPrice', cost: /^up to 1 MON for each/ }], action)
    t.match(
      drafted,
      { protocol: 'monad', network: 'eip155:143', signer: address, algorithm: 'secp256k1', moves: [{ kind: String }] },
      action,
    )
    t.equal(drafted.payload, drafted.craft.unsigned_tx_hash_hex, action)
    const verified = await call(client, 'staking_verify', { protocol: 'monad', action, input: args, craft: drafted.craft })
    t.equal(verified.sentence, drafted.sentence, `${action}: the same by another way`)
  }
  const { moves } = await call(client, draftOf('delegate'), bodies.delegate)
  t.same(moves, [
    { kind: 'leaves', asset: 'native', units: '1000000000000000001', amount: '1.000000000000000001 MON' },
    { kind: 'staked', asset: 'native', units: '1000000000000000001', amount: '1.000000000000000001 MON' },
  ])
})

t.test('what does not fit is refused before anything is asked', async (t) => {
  // What the service says of itself meanwhile is none.
  const requests = () => stage.service.log.filter((line) => 'reqId' in Object(line)).length
  const before = requests()
  for (const amount of [1, '1.0000000000000000001', '-1', '1e3'])
    t.match(await call(client, draftOf('delegate'), { address, amount }), { isError: true }, String(amount))
  t.match(await call(client, draftOf('delegate'), { address, amount: '1', validator: 7 }), { isError: true })
  t.match(await call(client, 'staking_balance', { protocol: 'other', address }), { isError: true })
  t.equal(requests(), before)
})

t.test('a refusal of the service is told as the service’s', async (t) => {
  const { error } = await call(client, draftOf('withdraw'), { address, withdrawId: 77 })
  t.match(error, { by: 'service', code: 'NOTHING_TO_WITHDRAW', status: 400, service_says: /withdrawId 77 is not in use/, request_id: /./ })
})

t.test('networks, terms of staking and a balance, to the last unit', async (t) => {
  t.match(await call(client, 'staking_networks'), {
    broadcast: false,
    protocols: [{ protocol: 'monad', network: 'eip155:143', decimals: 18, actions: Object.keys(bodies), terms: { validator_id: 12 } }],
  })
  const info = await call(client, 'staking_info', { protocol: 'monad' })
  t.match(info, { origin: 'service', network: 'eip155:143' })
  t.ok(Object.keys(info.info).length > 5)
  const balance = await call(client, 'staking_balance', { protocol: 'monad', address })
  t.match(balance, {
    origin: 'service',
    symbol: 'MON',
    staked: { text: '97', units: `97${'0'.repeat(18)}` },
    activating: { text: '5' },
    objects: [{ id: '1', status: 'withdrawable' }, { id: '200' }],
    objects_in_all: 2,
  })
})

t.test('rewards come from the book of a watched wallet, and alarms from what others did', async (t) => {
  const nothing = await call(client, 'staking_rewards', { protocol: 'monad', address: `0x${'7'.repeat(40)}` })
  t.match(nothing, { origin: 'service', opened_at: null, complete: false, totals: [], intervals: [], intervals_in_all: 0 })
  t.match(await call(client, 'staking_rewards', { protocol: 'monad', address, interval: 'week' }), { isError: true })
  t.match((await call(client, 'staking_rewards', { protocol: 'monad', address, from: 'x' })).error, {
    by: 'service',
    service_says: /from is/,
  })
  t.same(await call(client, 'staking_alarms', { protocol: 'monad' }), {
    origin: 'service',
    protocol: 'monad',
    network: 'eip155:143',
    alarms: [],
    more: false,
  })
})

t.test('a signature is read back: the right key, over these bytes', async (t) => {
  const { draft, payload, sentence } = await call(client, draftOf('delegate'), bodies.delegate)
  const prepared = await call(client, 'staking_prepare', { draft, signature: sign(payload) })
  t.match(prepared, { sentence, signer: address, tx_hash: /^0x[0-9a-f]{64}$/, signed: { signed_tx_hex: /^0x/ } })
  const transaction = prepared.signed.signed_tx_hex
  const explained = await call(client, 'staking_explain', { protocol: 'monad', transaction })
  t.match(explained, { origin: 'bytes', known: true, form: 'signed', sentence, tx_hash: prepared.tx_hash })
  t.match(explained.signers, [{ signature: 'right' }])

  const other = new SigningKey(`0x${'11'.repeat(32)}`).sign(payload).serialized
  const refused = await call(client, 'staking_prepare', { draft, signature: other })
  t.match(refused.error, {
    by: 'client',
    kind: 'MismatchError',
    sentence: /^The signature is not of this transaction\. /,
    differences: [{ path: 'signature', expected: /one by the key of 0x/ }],
  })
  t.notMatch(refused.text, /signed_tx/)
  t.match(await call(client, 'staking_prepare', { draft: 'x', signature: other }), {
    error: { by: 'server', sentence: /no draft "x".*look its hash up with staking_status before another one is drafted/ },
  })
  t.match(await call(client, 'staking_explain', { protocol: 'monad', transaction: '0x00' }), { isError: true, error: { by: 'client' } })
})

t.test('a craft that was changed is refused by the tool that verifies', async (t) => {
  const { craft } = await call(client, draftOf('delegate'), bodies.delegate)
  const input = { ...bodies.delegate, amount: '1' }
  const found = await call(client, 'staking_verify', { protocol: 'monad', action: 'delegate', input, craft })
  t.match(found.error, {
    by: 'client',
    kind: 'MismatchError',
    differences: [{ path: 'calls[0].value', expected: '1000000000000000000', found: '1000000000000000001' }],
  })
  const unknown = await call(client, 'staking_verify', { protocol: 'monad', action: 'toString', input, craft })
  t.match(unknown.error, { sentence: /has no action "toString"; it has delegate/ })
})

t.test('there is no broadcast unless the operator enables it', async (t) => {
  await t.rejects(call(client, 'staking_broadcast', { draft: 'x', signature: '0x', sentence: 'x' }), /staking_broadcast/)
})

t.test('a broadcast wants the sentence word for word, and the person’s word where the host can ask him', async (t) => {
  const served = await overHttp(t, stage.service, { broadcast: true })
  const asked: string[] = []
  let answer: 'accept' | 'decline' = 'decline'
  const asking = new Client({ name: 'asking', version: '0.0.0' }, { ...CURRENT, capabilities: { elicitation: { form: {} } } })
  asking.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message)
    return answer === 'accept' ? { action: answer, content: { confirm: true } } : { action: answer }
  })
  await asking.connect(new StreamableHTTPClientTransport(new URL(served.url)))
  t.teardown(() => asking.close())

  const { draft, payload, sentence } = await call(asking, draftOf('delegate'), bodies.delegate)
  const signature = sign(payload)
  const broadcasts = () => stage.service.log.filter((line) => /action\/broadcast/.test(JSON.stringify(line))).length
  const before = broadcasts()
  const wrong = await call(asking, 'staking_broadcast', { draft, signature, sentence: `${sentence} ` })
  t.match(wrong.error, { by: 'server', sentence: /Nothing was sent: the sentence must be that of the draft/ })
  t.same(asked, [])
  const declined = await call(asking, 'staking_broadcast', { draft, signature, sentence })
  t.match(declined.error, { sentence: /the person has not confirmed it/ })
  t.equal(broadcasts(), before, 'nothing was sent')
  t.equal(asked.length, 1)
  t.ok(asked[0]?.includes(sentence), 'he was asked by the sentence')

  answer = 'accept'
  const sent = await call(asking, 'staking_broadcast', { draft, signature, sentence })
  t.match(sent, { tx_hash: /^0x[0-9a-f]{64}$/, sentence })
  await stage.family.landed(stage.world.rpcUrl, sent.tx_hash)

  // A host that cannot ask, and another draft.
  const next = await call(served.client, draftOf('delegate'), bodies.delegate)
  const given = { draft: next.draft, signature: sign(next.payload), sentence: next.sentence }
  const plain = await call(served.client, 'staking_broadcast', given)
  t.match(plain, { tx_hash: /^0x[0-9a-f]{64}$/ })
  const again = await call(served.client, 'staking_broadcast', given)
  t.equal(again.tx_hash ?? again.error.tx_hash, plain.tx_hash, 'the same draft twice is the same transaction')
  await stage.family.landed(stage.world.rpcUrl, plain.tx_hash)
  const { tools } = await served.client.listTools()
  t.match(tools.at(-1), { name: 'staking_broadcast', annotations: { readOnlyHint: false, destructiveHint: true } })
})

t.test('a broadcast whose answer is not the service’s tells the hash, and not to draft anew', async (t) => {
  const proxied: typeof fetch = async (url, init) =>
    String(url).endsWith('/broadcast') ? new Response('Draft it anew and sign again.', { status: 502 }) : fetch(url, init)
  const served = await overHttp(t, stage.service, { broadcast: true, fetch: proxied })
  const { draft, payload, sentence } = await call(served.client, draftOf('compound'), bodies.compound)
  const signature = sign(payload)
  const { tx_hash } = await call(served.client, 'staking_prepare', { draft, signature })
  const { error } = await call(served.client, 'staking_broadcast', { draft, signature, sentence })
  t.match(error, { by: 'client', kind: 'SignatureError', tx_hash, may_have_been_sent: true, next: /Draft and sign nothing anew/ })
  t.match(tx_hash, /^0x[0-9a-f]{64}$/)
  const unsent = await call(served.client, 'staking_prepare', { draft, signature: '0x00' })
  t.notOk('may_have_been_sent' in unsent.error, 'what never left is no such error')
})

t.test('a foreign Origin is 403, a foreign Host too, and whoever has no token 401', async (t) => {
  const options = { origins: ['https://agent.example'], hosts: ['mcp.example'], token: 'a token' }
  const guarded = await serveHttp(factory(await stage.service.key()), { port: 0, ...options })
  t.teardown(() => guarded.close())
  const bearer = { authorization: 'Bearer a token' }
  t.equal(await status(url, { origin: 'https://evil.example' }), 403)
  t.equal(await status(url, { origin: 'http://localhost:3000' }), 403, 'another page of this machine is foreign too')
  t.equal(await status(url, { origin: 'null' }), 403)
  t.equal(await status(url, { host: 'evil.example' }), 403)
  t.equal(await status(url, {}), 200)
  t.equal(await status(url.replace('/mcp', '/'), {}), 404)
  t.equal(await status(guarded.url, { ...bearer, origin: 'https://agent.example' }), 200)
  t.equal(await status(guarded.url, { ...bearer, origin: 'https://agent.example:8443' }), 403)
  t.equal(await status(guarded.url, { ...bearer, host: 'mcp.example' }), 200)
  t.equal(await status(guarded.url, {}), 401)
  t.equal(await status(guarded.url, { authorization: 'Bearer another' }), 401)
  await t.rejects(serveHttp(factory('key'), { host: '0.0.0.0', port: 0 }), SetupError, 'others reach it only with a token')
})

t.test('a host of the revision before is served too', async (t) => {
  const old = new Client({ name: 'old', version: '0.0.0' })
  await old.connect(new StreamableHTTPClientTransport(new URL(url)))
  t.teardown(() => old.close())
  t.equal(old.getNegotiatedProtocolVersion(), '2025-11-25')
  t.match(await call(old, draftOf('compound'), bodies.compound), { verified: true })
})

function factory(apiKey: string) {
  return createMcp({ trust: trustOf(stage.service), apiKey, protocols: { monad: evmThree } })
}

/** Of a request that any host might begin with. */
function status(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const accept = 'application/json, text/event-stream'
  const options = { method: 'POST', headers: { 'content-type': 'application/json', accept, ...headers } }
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
    sent.once('error', reject).end(body)
  })
}
