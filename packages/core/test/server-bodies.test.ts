import t from 'tap'
import { serve } from './support/serve.ts'

const body = { address: 'p001', amount: 1 }

t.test('amounts pass the whole stack digit by digit, as a number and as a text', async (t) => {
  const { call } = await serve(t)
  const given = async (literal: string) => (await call('POST', 'action/give', `{"address":"p001","amount":${literal}}`)).json()
  t.match(await given('100.000000000000000001'), { unsigned_text: /\|100000000000000000001$/ })
  t.match(await given('"100.000000000000000001"'), { unsigned_text: /\|100000000000000000001$/ })
  t.match(await given('123456789012345678901.5'), { unsigned_text: /\|123456789012345678901500000000000000000$/ })
  t.match(await given('1e-18'), { unsigned_text: /\|1$/ })
  t.match(await given('0.1e1'), { unsigned_text: /\|1000000000000000000$/ })
})

t.test('amounts that are none are 400 with a sentence', async (t) => {
  const { call } = await serve(t)
  for (const literal of [
    '1.0000000000000000001',
    '1e-19',
    '0',
    '-1',
    '-0.0',
    '1e400',
    '-1e400',
    '1e77',
    '"NaN"',
    '"Infinity"',
    '"1,5"',
    '""',
    '" 1"',
    '"0x10"',
    'null',
    'true',
    '[1]',
    '{}',
  ]) {
    const reply = await call('POST', 'action/give', `{"address":"p001","amount":${literal}}`)
    t.match(
      reply.json(),
      { statusCode: 400, message: 'Bad Request', error: /^amount .+\.$/, code: /^(AMOUNT_INVALID|REQUEST_INVALID)$/ },
      literal,
    )
  }
  t.match((await call('POST', 'action/give', '{"address":"p001","amount":NaN}')).json(), { statusCode: 400, code: 'BODY_NOT_JSON' })
})

t.test('a body that names a member twice is refused, by plugins and by the service itself', async (t) => {
  const { call, token } = await serve(t)
  const said = (name: string) => `The body says two things: the member "${name}" stands twice in one object. Send each member once.`
  const twice = async (path: string, body: string, name: string, headers?: Record<string, string>) =>
    t.match((await call('POST', path, body, headers)).json(), { statusCode: 400, code: 'REQUEST_INVALID', error: said(name) }, path)
  await twice('action/give', '{"address":"p001","amount":1,"amount":100}', 'amount')
  await twice('action/give', '{"address":"p001","amount":1,"note":{"a":[{"b":1,"b":2}]}}', 'b')
  await twice('action/prepare', '{"tx":"1","tx":"2"}', 'tx')
  await twice('/api/v1/apikeys', '{"name":"a","name":"b"}', 'name', { token: (await token()).value })
  t.equal((await call('POST', 'action/give', '{"address":"p001","amount":1}')).statusCode, 200)
})

t.test('amounts leave with every digit, and null is neither 0 nor an empty text', async (t) => {
  const { call } = await serve(t)
  t.equal(
    (await call('GET', 'staking-balance/p009')).body,
    '{"staked_amount":100.000000000000000001,"stake_activation_amount":null,"stake_deactivation_amount":null,"stake_withdrawing_amount":0,"stake_rewards_amount":null,' +
      '"staking_objects":[{"id":"0","type":"delegation","status":"active","amount":null,"rewards_amount":null,"validator_address":null,"activation_epoch":null,"withdrawable_epoch":null,"withdrawable_at":null}]}',
  )
  t.match((await call('GET', 'staking-info')).json(), { staking_apr: 0, staking_apy: null, min_stake_amount: null, max_stake_amount: null })
})

t.test('a member that is unknown, missing or of another type is named', async (t) => {
  const { call } = await serve(t)
  const refused = async (given: unknown, error: string | RegExp, action = 'give', statusCode = 400) =>
    t.match((await call('POST', `action/${action}`, given)).json(), { statusCode, error, code: 'REQUEST_INVALID' })
  await refused(
    { ...body, ammount: 1 },
    'There is no member "ammount" in this request; did you mean amount? It has address, amount, note, copies.',
  )
  await refused(
    { address: 'p001', amout: 1 },
    'There is no member "amout" in this request; did you mean amount? It has address, amount, note, copies.',
  )
  await refused({ address: 'p001' }, 'amount is missing.')
  await refused({ amount: 1 }, 'address is missing.')
  await refused({ ...body, copies: '1' }, 'copies is "1"; it must be a whole number.')
  await refused({ ...body, copies: 256 }, 'copies is 256; it must be at most 255.')
  await refused({ ...body, copies: 1.5 }, 'copies is 1.5; it must be a whole number.')
  await refused({ ...body, address: 1 }, 'address is 1; it must be a text.')
  await refused({ ...body, note: 'x'.repeat(11) }, 'note has 11 characters; it must have at most 10.')
  await refused({ ...body, amount: true }, 'amount is true; it must be a number or a text.')
  await refused({ ...body, amount: [1] }, 'amount is a list; it must be a number or a text.')
  await refused('[]', 'The body is a list; it must be a JSON object.')
  await refused('null', 'The body is missing or null; it must be a JSON object.')
  await refused('"text"', 'The body is "text"; it must be a JSON object.')
  await refused({ ...body, more: 1 }, 'There is no member "more" in this request; it has address, amount, note, copies.', 'strict', 422)
  t.match((await call('POST', 'action/strict', '{')).json(), { statusCode: 400, code: 'BODY_NOT_JSON' })
  t.match((await call('POST', 'action/strict', { ...body, address: 'x' })).json(), { statusCode: 422, code: 'ADDRESS_INVALID' })
  t.match((await call('POST', 'action/strict', '{"address":"p001","amount":1e-19}')).json(), { statusCode: 400, code: 'AMOUNT_INVALID' })
})

t.test('an unknown path is answered with its neighbours', async (t) => {
  const { call } = await serve(t)
  const told = async (method: 'GET' | 'POST', path: string, error: RegExp) =>
    t.match((await call(method, path, method === 'POST' ? {} : undefined)).json(), { statusCode: 404, code: 'NOT_FOUND', error })
  await told('POST', 'action/giv', /; did you mean give\? Its actions are .*give.*, prepare, broadcast; \/openapi\.json lists/)
  await told('POST', 'action/undelegate', /; its actions are .*give.*, prepare, broadcast; \/openapi\.json lists/)
  await told('GET', 'action/give', /; it takes POST\. \/openapi\.json lists/)
  await told('GET', 'stakinginfo', /; did you mean \/api\/v1\/paper\/native\/staking-info\? /)
  await told('GET', 'exited-balance/p001', /; did you mean \/api\/v1\/paper\/native\/staking-balance\? /)
  await told('GET', '/api/v1/paper/native', /; below it are .*networks, .*staking-balance.*; \/openapi\.json lists/)
  await told('GET', '/api/v1/ethereum/vault/networks', /; the protocols are at \/api\/v1\/paper\/native; \/openapi\.json lists/)
  await told('GET', '/api/v1/papre/native/networks', /; did you mean \/api\/v1\/paper\/native\? /)
  await told('GET', `/api/v1/${'x'.repeat(150)}`, /^There is no GET \/api\/v1\/x+ here, or not for this account; \/openapi\.json lists/)
})

t.test('a malformed address in a path is 400 with a sentence', async (t) => {
  const { call } = await serve(t)
  t.match((await call('GET', 'staking-balance/nobody')).json(), {
    statusCode: 400,
    code: 'ADDRESS_INVALID',
    error: /"nobody" is not a paper address/,
  })
  t.equal((await call('GET', 'staking-balance/P001')).statusCode, 200)
})

t.test('a body that is no JSON, too large, or of another media type', async (t) => {
  const { call, key, app } = await serve(t, { config: { limits: { body_bytes: 1024 } } })
  t.match((await call('POST', 'action/give', '')).json(), { statusCode: 400, code: /BODY_NOT_JSON/ })
  t.match((await call('POST', 'action/give', '{"address":')).json(), { statusCode: 400, message: 'Bad Request', code: 'BODY_NOT_JSON' })
  t.match((await call('POST', 'action/give', { ...body, note: 'x'.repeat(1024) })).json(), {
    statusCode: 413,
    message: 'Payload Too Large',
    code: 'BODY_TOO_LARGE',
  })
  t.match((await call('POST', 'action/give', `${'['.repeat(500)}${']'.repeat(500)}`)).json(), { statusCode: 400 })
  const { value } = await key()
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense', undefined]) {
    const headers = { 'x-api-key': value, ...(type === undefined ? {} : { 'content-type': type }) }
    const reply = await app.inject({
      method: 'POST',
      url: '/api/v1/paper/native/action/give',
      headers,
      payload: Buffer.from(JSON.stringify(body)),
    })
    t.match(reply.json(), { statusCode: 415, message: 'Unsupported Media Type', code: 'MEDIA_TYPE_UNSUPPORTED' }, String(type))
  }
  const charset = await app.inject({
    method: 'POST',
    url: '/api/v1/paper/native/action/give',
    headers: { 'x-api-key': value, 'content-type': 'application/json; charset=utf-8' },
    payload: JSON.stringify(body),
  })
  t.equal(charset.statusCode, 200)
})

t.test('an action without any body is 400', async (t) => {
  const { call, key } = await serve(t)
  t.match((await call('POST', 'action/give', undefined, { 'x-api-key': (await key()).value })).json(), {
    statusCode: 400,
    error: 'The body is missing or null; it must be a JSON object.',
  })
})

t.test('a body of very many values is refused before each of them is read, wherever they stand', async (t) => {
  const { call } = await serve(t)
  const list = (length: number) => Array.from({ length }, () => 1)
  const members = Object.fromEntries(list(26_000).map((value, index) => [`m${index}`, value]))
  const prepare = { unsigned_text: 'a', seal: 'b' }
  for (const [name, path, given] of [
    ['a list in a member that is ignored', 'action/prepare', { ...prepare, more: list(160_000) }],
    ['members that nobody knows', 'action/give', members],
    ['members in a member that is ignored', 'action/prepare', { ...prepare, more: members }],
    ['lists in lists', 'action/prepare', { ...prepare, more: list(2000).map(() => [[]]) }],
    ['one value too many', 'action/prepare', { ...prepare, more: list(997) }],
  ] as const)
    t.match((await call('POST', path, given)).json(), { statusCode: 400, code: 'BODY_TOO_COMPLEX', error: /more than 1000 values/ }, name)
  t.match((await call('POST', 'action/prepare', { ...prepare, more: list(996) })).json(), { signed_text: 'a|b' }, 'as many as there may be')
  t.match((await call('POST', 'action/prepare', { ...prepare, more: 'x'.repeat(300_000) })).json(), { signed_text: 'a|b' }, 'one long text')
})
