// Every operation of the document, with every kind of credential, on objects of one's own and of others.
import t, { type Test } from 'tap'
import { createCredential, NO_ACCOUNT } from '../src/index.ts'
import { createScript, living } from './life/living.ts'
import { peppers, serve } from './support/serve.ts'

/** A credential, as it is sent. */
type Headers = Readonly<Record<string, string>>
/** Objects of an account that paths name. */
interface Owned {
  readonly key: string
  readonly webhook: string
  readonly hash: string
}
const NOWHERE: Owned = { key: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', webhook: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', hash: 'h-nobody' }

async function world(t: Test) {
  const served = await serve(t, {
    plugins: [living(createScript())],
    config: { limits: { key_per_minute: 100_000, address_per_minute: 100_000 } },
  })
  const { call, store, clock } = served
  const { value: operator } = await createCredential(store, peppers, clock.now, { kind: 'operator', account: NO_ACCOUNT, name: 'alice' })
  const tokens = { acme: await served.token('acme'), beta: await served.token('beta') }
  const keys = { acme: await served.key('acme'), beta: await served.key('beta') }
  const revoked = await served.key('acme')
  await call('DELETE', `/api/v1/apikeys/${revoked.ulid}`, undefined, { token: operator })
  const inactive = await served.key('acme')
  await call('PATCH', `/api/v1/apikeys/${inactive.ulid}`, { active: false }, { token: operator })

  /** New objects of an account: what an operation deletes, the next one has to find. */
  const made = async (account: 'acme' | 'gamma'): Promise<Owned> => {
    const query = `?account=${account}`
    const key = (await call('POST', `/api/v1/apikeys${query}`, { name: 'owned' }, { token: operator })).json()
    const webhook = (await call('POST', `/api/v1/webhooks${query}`, { url: 'https://example.org/hooks' }, { token: operator })).json()
    const own = { 'x-api-key': String(key.key), 'x-network': account === 'gamma' ? '2' : '1' }
    const sent = await call('POST', 'action/broadcast', { signed_text: `${key.ulid}|b` }, own)
    return { key: key.ulid, webhook: webhook.ulid, hash: sent.json().tx_hash }
  }
  const credentials: Readonly<Record<string, Headers>> = {
    none: {},
    empty: { 'x-api-key': '', token: '' },
    'made up': { 'x-api-key': 'svc_nonsense', token: 'svcm_nonsense' },
    'revoked key': { 'x-api-key': revoked.value },
    'inactive key': { 'x-api-key': inactive.value },
    'key in place of a token': { token: keys.acme.value },
    'token in place of a key': { 'x-api-key': tokens.acme.value },
    "operator's token in place of a key": { 'x-api-key': operator },
    key: { 'x-api-key': keys.acme.value },
    token: { token: tokens.acme.value },
    'token as bearer': { authorization: `Bearer ${tokens.acme.value}` },
    "other account's token": { token: tokens.beta.value },
    "operator's token": { token: operator },
  }
  const { paths } = served.app.swagger() as { paths: Record<string, Record<string, any>> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      wants: security.length === 0 ? 'none' : Object.hasOwn(security[0], 'token') ? 'token' : 'key',
      body: requestBody ? {} : undefined,
    })),
  )
  return { call, credentials, operations, made }
}

/** Which credentials an operation takes. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  key: ['key'],
  token: ['token', 'token as bearer', "other account's token", "operator's token"],
}

function urlOf(path: string, { key, webhook, hash }: Owned): string {
  const ids: Readonly<Record<string, string>> = {
    ulid: path.includes('/webhooks/') ? webhook : key,
    tx_hash: hash,
    address: 'p001',
    protocol: 'paper',
    id: 'msg_1',
  }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? name))
}

t.test('an operation answers the credentials that it wants, and nobody else learns anything', async (t) => {
  const { call, credentials, operations } = await world(t)
  t.ok(operations.length > 30, `${operations.length} operations`)
  for (const { name, method, path, wants, body } of operations) {
    const url = urlOf(path, NOWHERE)
    const refusals = new Set<string>()
    for (const [who, headers] of Object.entries(credentials)) {
      const reply = await call(method, url, body, headers)
      if (wants === 'none') t.not(reply.statusCode, 401, `${name}, ${who}`)
      else if (TAKES[wants]?.includes(who)) t.not(reply.statusCode, 401, `${name}, ${who}`)
      else {
        t.equal(reply.statusCode, 401, `${name}, ${who}`)
        refusals.add(`${reply.json().code}`)
      }
    }
    for (const code of refusals) t.match(code, /^(KEY|TOKEN)_(MISSING|INVALID)$/, name)
  }
})

t.test('an object of another account is as one that there is not, to every operation', async (t) => {
  const { call, credentials, operations, made } = await world(t)
  const objects = operations.filter(({ path, wants }) => wants === 'token' && /\{(ulid|tx_hash)\}/.test(path))
  t.ok(objects.length >= 12, `${objects.length} operations name an object`)
  for (const { name, method, path, body } of objects) {
    const own = await made('acme')
    const foreign = await made('gamma')
    const ask = async (who: string, owned: Owned) => {
      const reply = await call(method, urlOf(path, owned), body, credentials[who])
      return [reply.statusCode, reply.body.replaceAll(/01[0-9A-Z]{24}|h-[^"]*/g, '…')]
    }
    for (const who of ['token', "other account's token"])
      t.same(await ask(who, foreign), await ask(who, NOWHERE), `${name}: ${who}, an object of somebody else`)
    const [status] = await ask('token', own)
    // A body without members, and a delivery that there is not, may be refused: what counts is that the object is found.
    const [nowhere] = await ask('token', NOWHERE)
    if (!path.includes('{id}') && body === undefined) t.not(status, nowhere, `${name}: one's own object is found`)
    const [asOperator] = await ask("operator's token", foreign)
    if (!path.includes('{id}') && body === undefined) t.not(asOperator, 404, `${name}: an operator finds any`)
  }
})

t.test('what lists objects lists none of another account, whatever it is asked', async (t) => {
  const { call, credentials, operations, made } = await world(t)
  const foreign = await made('gamma')
  const lists = operations.filter(({ path, method, wants }) => wants === 'token' && method === 'GET' && !path.includes('{'))
  t.ok(lists.length >= 6, `${lists.length} operations list`)
  for (const { name, path } of lists)
    for (const query of ['', '?account=gamma', '?account=', '?account=acme&account=gamma', '?account=*']) {
      const { body } = await call('GET', `${path}${query}`, undefined, credentials.token)
      for (const id of Object.values(foreign)) t.notOk(body.includes(id), `${name}${query}`)
    }
})
