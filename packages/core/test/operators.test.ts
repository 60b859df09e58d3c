import t, { type Test } from 'tap'
import { AuditQuery } from '../src/audit/query.ts'
import { OPERATOR_ONLY } from '../src/db/audit-shown.ts'
import { createCredential, NO_ACCOUNT } from '../src/index.ts'
import { peppers, serve } from './support/serve.ts'

/** One service; tokens of an operator and of two accounts, and two keys of acme and one of beta. */
async function world(t: Test) {
  const served = await serve(t)
  const { value: operator, record } = await createCredential(served.store, peppers, served.clock.now, {
    kind: 'operator',
    account: NO_ACCOUNT,
    name: 'alice',
    expirationDate: '2027-01-31',
  })
  const tokens = { operator, acme: (await served.token()).value, beta: (await served.token('beta')).value }
  const keys = { first: await served.key(), second: await served.key('beta'), third: await served.key() }
  const as =
    (token: string) =>
    async (method: string, path: string, body?: unknown): Promise<any> => {
      const reply = await served.call(method, `/api/v1/${path}`, body, { token })
      return { status: reply.statusCode, body: reply.body === '' ? null : reply.json() }
    }
  return {
    ...served,
    ulid: record.ulid,
    tokens,
    keys,
    value: operator,
    operator: as(operator),
    acme: as(tokens.acme),
    beta: as(tokens.beta),
  }
}

t.test('an operator token sees and changes the keys of all accounts, a management token those of its own', async (t) => {
  const { operator, acme, beta, ulid, tokens, keys, value, call, store, records } = await world(t)
  const { first, second, third } = keys
  const ulids = ({ body }: { body: { ulid: string }[] }) => body.map(({ ulid }) => ulid)

  const session = await operator('GET', 'session')
  t.same(session, {
    status: 200,
    body: {
      kind: 'operator',
      account: null,
      token: { ulid, name: 'alice', prefix: value.slice(0, 19), expires: '2027-01-31T00:00:00.000Z' },
      accounts: [
        { id: 'acme', name: 'Acme', keys: 2, max_keys: 1000 },
        { id: 'beta', name: 'Beta', keys: 1, max_keys: 1000 },
        { id: 'gamma', name: 'Gamma', keys: 0, max_keys: 1000 },
      ],
      version: '1.2.3',
      sandbox: false,
    },
  })
  t.match(await beta('GET', 'session'), {
    body: {
      kind: 'account',
      account: { id: 'beta', name: 'Beta' },
      token: { name: 'test', expires: null },
      accounts: [{ id: 'beta', keys: 1 }],
    },
  })
  t.equal((await beta('GET', 'session')).body.accounts.length, 1)

  t.same(ulids(await operator('GET', 'apikeys')), [first.ulid, second.ulid, third.ulid], 'of all accounts, oldest first')
  t.same(ulids(await operator('GET', `apikeys?limit=1&after=${first.ulid}`)), [second.ulid])
  t.match((await operator('GET', 'apikeys?account=beta')).body, [{ ulid: second.ulid, account: 'beta' }])
  t.same((await operator('GET', 'apikeys?account=gamma')).body, [])
  t.match(await operator('GET', 'apikeys?account=delta'), {
    status: 400,
    body: { code: 'UNKNOWN_ACCOUNT', error: 'account is "delta"; the config has acme, beta, gamma.' },
  })
  t.same(ulids(await acme('GET', 'apikeys')), [first.ulid, third.ulid])
  t.same(ulids(await acme('GET', 'apikeys?account=acme')), [first.ulid, third.ulid])
  t.notOk('account' in (await acme('GET', 'apikeys')).body[0], 'to its account a key says nothing of it')
  const [there, not] = [await acme('GET', 'apikeys?account=beta'), await acme('POST', 'apikeys?account=nope', { name: 'n' })]
  t.match([there.body.code, not.body.code], ['UNKNOWN_ACCOUNT', 'UNKNOWN_ACCOUNT'])
  t.equal(there.body.error.replace('"beta"', '"nope"'), not.body.error, 'which accounts there are is not told')

  t.match(await operator('POST', 'apikeys', { name: 'whose' }), {
    status: 400,
    body: { code: 'ACCOUNT_REQUIRED', error: /\?account=.* acme, beta, gamma\.$/ },
  })
  const made = await operator('POST', 'apikeys?account=gamma', { name: 'made' })
  t.match(made, { status: 201, body: { account: 'gamma', name: 'made', key: /^svc_/ } })
  t.equal((await call('GET', 'networks', undefined, { 'x-api-key': made.body.key })).statusCode, 200)
  t.match((await operator('GET', `apikeys/${second.ulid}`)).body, { ulid: second.ulid, account: 'beta' })
  t.match(await operator('PATCH', `apikeys/${second.ulid}`, { active: false }), {
    status: 200,
    body: [{ ulid: second.ulid, active: false, account: 'beta' }],
  })
  t.match(await acme('PATCH', `apikeys/${second.ulid}`, { active: true }), { status: 404, body: { code: 'KEY_NOT_FOUND' } })
  t.match((await operator('DELETE', `apikeys/${made.body.ulid}`)).status, 200)
  for (const strange of [made.body.ulid, ulid])
    t.match(await operator('PATCH', `apikeys/${strange}`, { name: 'n' }), { status: 404, body: { error: /^There is no API key "\w+"\.$/ } })

  const changes = (await records(10)).filter(({ key, method, status }) => key === ulid && method !== 'GET' && status < 300)
  t.match(
    changes.map(({ account, action, target }) => ({ account, action, target })),
    [
      { account: 'gamma', action: 'create-key', target: made.body.ulid },
      { account: 'beta', action: 'update-key', target: second.ulid },
      { account: 'gamma', action: 'delete-key', target: made.body.ulid },
    ],
    'each change stands in the log of the account that it was made to',
  )

  const query = 'audit?action=update-key'
  t.match((await beta('GET', query)).body.records, [{ by_operator: true, key: null, address: null, identity: null, target: second.ulid }])
  t.match((await operator('GET', `${query}&account=beta`)).body.records, [
    { by_operator: true, key: { ulid, name: String }, address: String },
  ])
  t.notMatch(
    (await call('GET', '/api/v1/audit/export', undefined, { token: tokens.beta })).body,
    ulid,
    'no file of an account names who of its operator it was',
  )
  t.match((await acme('GET', 'audit?reads=true')).body.records[0], { by_operator: false, key: { name: String }, address: String })

  t.equal((await call('GET', 'networks', undefined, { 'x-api-key': value })).statusCode, 401, 'it is no API key')
  t.equal((await acme('GET', 'session')).status, 200)
  const enabled = async (ask: typeof operator, query = '') => (await ask('GET', `protocols${query}`)).body
  t.match(await enabled(acme), [
    {
      protocol: 'paper',
      path: '/api/v1/paper/native',
      version: '1',
      family: 'paper',
      signer: 'address',
      networks: [
        { network: '1', name: 'paper one', caip2: 'paper:1', default: true, staking_info_age_seconds: Number },
        { network: '2', name: 'paper two', default: false },
      ],
    },
  ])
  const [{ actions }] = await enabled(acme)
  t.match(
    actions.find(({ name }: { name: string }) => name === 'give'),
    {
      path: '/api/v1/paper/native/action/give',
      input: [
        { name: 'address', required: true, type: 'string', amount: false },
        { name: 'amount', required: true, type: 'number', amount: true, description: /^Amount in native tokens/ },
        { name: 'note', required: false, amount: false, description: null },
        { name: 'copies', required: false, type: 'integer' },
      ],
    },
  )
  t.same(await enabled(beta), [], 'an account sees what is enabled for it')
  t.match(await enabled(operator, '?account=gamma'), [{ networks: [{ network: '2', default: true }] }])
  t.equal((await enabled(operator, '?account=gamma'))[0].networks.length, 1)
  t.match(await operator('GET', 'protocols'), { status: 400, body: { code: 'ACCOUNT_REQUIRED' } })
  t.match(await acme('GET', 'protocols?account=gamma'), { status: 400, body: { code: 'UNKNOWN_ACCOUNT' } })

  for (const path of ['sandbox', 'sandbox/tokens', 'sandbox/wallets/sign'])
    t.equal((await operator('GET', path)).status, 404, 'what is of the sandbox is nowhere else')
  t.match((await call('GET', '/api/v1/session', undefined, {})).json(), { code: 'TOKEN_MISSING' })
  await store.deleteCredential({ ulid, account: NO_ACCOUNT, kind: 'operator' })
  t.match(await operator('GET', 'session'), { status: 401, body: { code: 'TOKEN_INVALID' } })
})

t.test('no filter of an account finds what its records hide of the operator, in the log and in the file', async (t) => {
  const { operator, acme, keys, ulid, records, call, tokens, app } = await world(t)
  const { 'x-identity': identity } = { 'x-identity': 'alice-of-the-operator' }
  await call('PATCH', `/api/v1/apikeys/${keys.first.ulid}`, { name: 'renamed' }, { token: tokens.operator, 'x-identity': identity })
  await records(1)
  const [record] = (await operator('GET', 'audit?account=acme')).body.records
  t.match(record, { by_operator: true, key: { ulid }, identity, address: String })
  const shown = (await acme('GET', 'audit')).body.records[0]
  const hidden = Object.keys(record).filter((name) => JSON.stringify(record[name]) !== JSON.stringify(shown[name]))
  t.same(hidden.sort(), [...OPERATOR_ONLY].sort())

  const { paths } = app.swagger() as { paths: Record<string, any> }
  const values = hidden.flatMap((name) => (name === 'key' ? Object.values(record.key) : [record[name]]))
  for (const route of ['audit', 'audit/export']) {
    const { parameters } = paths[`/api/v1/${route}`].get
    const texts = parameters.filter((each: any) => each.in === 'query' && each.schema.type === 'string').map(({ name }: any) => name)
    t.same(
      Object.keys(AuditQuery.properties).filter((name) => !texts.includes(name)),
      ['reads', 'collapse', 'limit'],
      `${route}: every filter of the query is a text, or one of these`,
    )
    const form = route === 'audit' ? '' : '&format=jsonl'
    for (const name of texts.filter((each: string) => each !== 'format'))
      for (const value of values) {
        const query = `${route}?${name}=${encodeURIComponent(String(value))}${form}`
        const reply = await call('GET', `/api/v1/${query}`, undefined, { token: tokens.acme })
        t.notOk(reply.body.includes(record.id), query)
      }
  }
  t.equal((await operator('GET', `audit?identity=${identity}`)).body.records.length, 1, 'an operator finds it')
})
