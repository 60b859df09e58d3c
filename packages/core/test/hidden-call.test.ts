import { protocol } from '@svc/contract'
import { desk, PaperAddress, paperKit, promise, readPaper } from '@svc/testing/paper'
import { give } from '@svc/testing/paper-protocol'
import { type ActionIntent, amount, defineIntent, type Family, Refused, text } from '@svc/verify/intent'
import t, { type Test } from 'tap'
import type { ConfigInput } from '../src/index.ts'
import { declaration } from './support/paper-plugin.ts'
import { serve } from './support/serve.ts'

const input = { address: text, amount }

/** Gives to the clerk of the terms. */
const giving: ActionIntent<{ readonly clerk: string }, typeof input> = {
  input,
  effects: ({ clerk }, { address, amount }) => promise(address, clerk, 'give', amount),
  requestOf({ calls: [call] }, address) {
    if (call?.method !== 'give') throw new Refused('calls', 'a gift', String(call?.method))
    return { address, amount: call.value }
  },
}

const read = (line: string) => readPaper({ unsigned_text: line })
const family: Family = {
  name: 'paper',
  signer: 'address',
  decode: (answer) => readPaper(answer as Parameters<typeof readPaper>[0]),
  explain: async (line) => ({ decoded: read(line), form: 'unsigned', signers: [], unsigned: {}, hash: null, txHash: null, notes: [] }),
  validity: () => 'valid for ever',
}

const intent = defineIntent({
  family,
  path: '/paper/native',
  terms: { clerk: { type: 'text', description: 'The clerk.' } },
  actions: { give: giving },
  layouts: () => ({}),
  describe: ({ method, target, value }) =>
    method === 'give' ? { text: `give ${value} to ${target}`, moves: [{ kind: 'leaves', asset: 'native', amount: value }] } : null,
})

const kit = paperKit({
  // Signed or not, the line ends where the seal begins.
  sent: (body) => ({ bytes: ('signed_text' in body ? body.signed_text : body.unsigned_text).split('|').slice(0, 8).join('|') }),
  life: {
    hash: (each) => each,
    bounds: () => ({ wallet: 'p001', validUntil: { kind: 'nonce', value: '0', estimatedAt: null }, facts: {} }),
    validUntil: () => ({ kind: 'nonce', value: '0', estimatedAt: null }),
    look: async () => ({
      ...{ status: 'pending', finality: 'none', certainty: 'proven', block: null, fee: null, receipt: null, error: null },
      ...{ replacedBy: null, validUntil: null, lookedAt: 1n, keep: {} },
    }),
  },
  risk: ({ method }) => (method === 'sell' ? { name: 'sale', why: 'It sells the house.' } : null),
})

const plugin = protocol(kit, { clerk: PaperAddress }).definePlugin({ ...declaration, actions: { give }, intent } as never)

const accounts: ConfigInput['accounts'] = {
  acme: { name: 'Acme' },
  any: { name: 'Any', broadcast: 'any' },
}

const HONEST = 'paper|1|0|5|p001|p002|give|10'
/** A call that nobody knows, a call on other terms, a plain transfer, bytes that nobody reads. */
const HIDDEN = {
  'paper|1|0|5|p001|p666|sell|10':
    /would make a call that this protocol does not know, sell on p666 .* This is called sale: it sells the house\./,
  'paper|1|0|5|p001|p666|give|10': /would give 10 to p666, where an action of this protocol has p002 in place of p666\./,
  'paper|1|0|5|p001|p666||10': /would send .* to p666, a plain transfer/,
  'paper|1|0|5': /Nobody here can read what the transaction does: not a paper\./,
}

async function service(t: Test) {
  const fetch = desk()
  const served = await serve(t, { plugins: [plugin], config: { accounts }, fetch })
  const other = await served.key('any')
  const tokens = { acme: await served.token('acme'), any: await served.token('any') }
  const events = async (account: keyof typeof tokens) => {
    const url = '/api/v1/events?type=security.hidden_call'
    const reply = await served.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${tokens[account].value}` } })
    const list: readonly { readonly body: string }[] = reply.json().events
    return list.map(({ body }) => JSON.parse(body).data).toReversed()
  }
  return { ...served, tokens, fetch, events, any: { 'x-api-key': other.value } }
}

t.test('what does more than one action, or another thing, is refused before anything is done with it, recorded, and told', async (t) => {
  const { app, tokens, call, records, events, fetch } = await service(t)
  let seen = 0
  for (const [line, sentence] of Object.entries(HIDDEN)) {
    const prepared = await call('POST', 'action/prepare', { unsigned_text: line, seal: 's' })
    const sent = await call('POST', 'action/broadcast', { signed_text: `${line}|s` })
    for (const [reply, undone] of [
      [prepared, 'assembled'],
      [sent, 'sent'],
    ] as const) {
      t.match(reply.json(), { statusCode: 400, code: 'TRANSACTION_HIDDEN_CALL', error: sentence })
      t.ok(reply.json().error.endsWith(`It was not ${undone}: send it elsewhere if you mean it.`))
    }
    seen += 2
    const [one, two] = (await records(seen)).slice(-2)
    const record = { status: 400, error: 'TRANSACTION_HIDDEN_CALL', reason: sentence, unsignedHash: `u-${line}`, txHash: null }
    t.match(
      [one, two],
      [
        { ...record, action: 'prepare' },
        { ...record, action: 'broadcast' },
      ],
    )
    const data = {
      protocol: 'paper',
      network: 'paper:1',
      call: sentence,
      refused: true,
      severity: 'critical',
      unsigned_hash: `u-${line}`,
      tx_hash: null,
    }
    t.match((await events('acme')).slice(-2), [
      { ...data, action: 'prepare', request_id: prepared.headers['x-request-id'] },
      { ...data, action: 'broadcast', request_id: sent.headers['x-request-id'] },
    ])
  }
  t.notOk(fetch.asked.includes('post'), 'nothing was sent')
  const again = Object.keys(HIDDEN)[0]
  await call('POST', 'action/broadcast', { signed_text: `${again}|s` })
  t.equal((await events('acme')).length, seen, 'a repeat is told once')
  const { alarms } = (
    await app.inject({ method: 'GET', url: '/api/v1/alarms', headers: { authorization: `Bearer ${tokens.acme.value}` } })
  ).json()
  t.equal(alarms.length, seen, 'each is an alarm')
  for (const { sentence } of alarms)
    t.match(sentence, /^A signed transaction( of \w+)? was refused, since no single request here leads to it\. .* Whoever has its bytes/)
})

t.test('what one request leads to passes, wherever it was built, and nothing is told', async (t) => {
  const { call, events, fetch } = await service(t)
  t.equal((await call('POST', 'action/prepare', { unsigned_text: HONEST, seal: 's' })).statusCode, 200)
  // Another fee and another serial number are the sender's own.
  t.equal((await call('POST', 'action/broadcast', { signed_text: 'paper|1|77|999|p001|p002|give|3|s' })).statusCode, 200)
  t.ok(fetch.asked.includes('post'))
  t.same(await events('acme'), [])
})

t.test('an account that has any sent has these sent, on record and told before they leave', async (t) => {
  const { call, records, events, any, fetch } = await service(t)
  const [line = ''] = Object.keys(HIDDEN)
  t.equal((await call('POST', 'action/prepare', { unsigned_text: line, seal: 's' }, any)).statusCode, 200)
  t.same((await call('POST', 'action/broadcast', { signed_text: `${line}|s` }, any)).json(), { tx_hash: `h-${line}|s` })
  t.ok(fetch.asked.includes('post'))
  t.match(await records(2), [
    { action: 'prepare', status: 200, error: null, unsignedHash: `u-${line}` },
    { action: 'broadcast', status: 200, error: null, txHash: `h-${line}|s` },
  ])
  const data = { protocol: 'paper', network: 'paper:1', refused: false, unsigned_hash: `u-${line}` }
  t.match(await events('any'), [
    { ...data, action: 'prepare', tx_hash: null },
    { ...data, action: 'broadcast', tx_hash: `h-${line}|s` },
  ])
  t.ok(
    (await events('any')).every(({ severity }) => severity === undefined),
    'which is no alarm',
  )
  t.same(await events('acme'), [], 'and to nobody else')
})

t.test('what was sent elsewhere is tracked whatever it does, and told', async (t) => {
  const { call, events } = await service(t)
  for (const [line, sentence] of Object.entries(HIDDEN)) {
    const reply = await call('POST', 'transaction/track', { signed_text: `${line}|s` })
    t.match(reply.json(), { status: 'pending', tx_hash: `h-${line}|s` })
    t.match((await events('acme')).at(-1), {
      action: 'track',
      refused: false,
      severity: 'critical',
      call: sentence,
      tx_hash: `h-${line}|s`,
      wallet: 'p001',
    })
  }
  t.equal((await call('POST', 'transaction/track', { signed_text: `${HONEST}|s` })).statusCode, 200)
  t.equal((await events('acme')).length, Object.keys(HIDDEN).length, 'and of the honest one nothing')
})
