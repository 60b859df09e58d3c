import { createVerify } from 'node:crypto'
import type { Check } from '../check.ts'
import type { Answer } from '../http.ts'
import { exitsOf } from '../present.ts'
import type { RouteSeen } from '../routes.ts'
import { WITHOUT } from '../service.ts'
import type { Subject } from '../subject.ts'

/** Tests that the host's rules for every route hold for the plugin's: key, limit, signature, request id, and no way around an action. */
export async function policy(subject: Subject, check: Check): Promise<void> {
  const { service, client, actions, protocol } = subject
  const routes = service.routes.filter(({ method }) => method !== 'HEAD')
  const posts = routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
  const expected = [...actions.map((name) => `/action/${name}`), ...exitsOf(protocol)].map((path) => `POST ${path}`)
  check.equal(posts.sort(), expected.sort(), 'every route that is not a read is an action')

  const stranger = await service.client(null)
  const without = await service.client(WITHOUT)
  const ids = new Set<string | null>()
  const inspection = (answer: Answer, where: string, head = false) => {
    signed(subject, check, answer, where, head)
    const id = answer.headers.get('x-request-id')
    check.ok(id !== null && !ids.has(id), `${where}: it has a request id of its own`, id)
    ids.add(id)
    limited(check, answer, where)
  }

  for (const route of routes) {
    const where = `${route.method} ${route.path}`
    const path = await concrete(subject, route)
    const body = route.method === 'GET' ? undefined : '{}'
    const json = { 'content-type': 'application/json' }
    const send = (who: typeof client, headers: Readonly<Record<string, string>> = {}) =>
      who.send(route.method, path, { ...json, ...headers }, body)

    const missing = await send(stranger)
    check.equal([missing.status, missing.code], [401, 'KEY_MISSING'], `${where}: without a key it answers 401`)
    inspection(missing, `${where} without a key`)
    const wrong = await send(stranger, { 'x-api-key': 'svc_01M7Z2ZYXEWDRY6E35WC7QAAAA_wrong' })
    check.equal([wrong.status, wrong.code], [401, 'KEY_INVALID'], `${where}: with a wrong key it answers 401`)
    const hidden = await send(without)
    check.equal([hidden.status, hidden.code], [404, 'NOT_FOUND'], `${where}: to an account without the plugin it is not there`)
    inspection(hidden, `${where} without the plugin`)

    const answer = await send(client, { 'x-identity': 'conformance' })
    const { invalidBody = 400 } = protocol.actions[path.replace('/action/', '')] ?? {}
    // The smallest text is no hash, which is found out behind all that is looked at here.
    const read = route.path.includes('/:tx_hash') ? 400 : 200
    check.equal(answer.status, route.method === 'GET' ? read : invalidBody, `${where}: with a key it answers`)
    inspection(answer, where)
    if (route.method !== 'GET') continue
    const head = await client.send('HEAD', path)
    check.equal([head.status, head.bytes.length], [answer.status, 0], `HEAD ${route.path} answers as GET does, without a body`)
    inspection(head, `HEAD ${route.path}`, true)
  }

  for (const path of ['/nothing-here', '/action/nothing-here', '']) {
    const unknown = await client.get(path)
    check.equal([unknown.status, unknown.code], [404, 'NOT_FOUND'], `the unknown path ${path || '/'} answers 404`)
    inspection(unknown, `the unknown path ${path || '/'}`)
  }
  const read = await client.get(`/action/${actions[0]}`)
  check.equal(read.status, 404, 'a craft cannot be asked for with GET')
}

function signed({ service }: Subject, check: Check, { bytes, headers }: Answer, where: string, head: boolean): void {
  const verifier = createVerify('RSA-SHA256').update(head ? Buffer.alloc(0) : bytes)
  const signature = headers.get('x-signature') ?? ''
  check.ok(verifier.verify(service.signer.publicKeyPem, signature, 'base64'), `${where}: x-signature is over the exact bytes`)
}

function limited(check: Check, { headers }: Answer, where: string): void {
  const numbers = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) => headers.get(name))
  check.ok(
    numbers.every((text) => text !== null && /^\d+$/.test(text)),
    `${where}: it is counted by the limit, and says so`,
    numbers,
  )
}

/** A path with its parameters filled in: an address, and else the smallest thing that the parameter may be. */
async function concrete({ world, family }: Subject, { path }: RouteSeen): Promise<string> {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => (name === 'address' ? world.freshWallet(family).address : '0'))
}
