import { channel } from 'node:diagnostics_channel'
import type { ProtocolPlugin } from '@svc/contract'
import { eventually } from '@svc/testing/eventually'
import { definePlugin } from '@svc/testing/paper-protocol'
import { verifyResponse } from '@svc/verify/response'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import t from 'tap'
import type { Signer } from '../src/index.ts'
import { routeMarks } from '../src/plugins/services.ts'
import { declaration, paper } from './support/paper-plugin.ts'
import { type ServedApp, serve, signer } from './support/serve.ts'

const body = { address: 'p001', amount: 1 }
const FOREIGN = '{"unsigned_text":"p001|p666|give|1"}'

/** A package that exports a plugin's declaration with a function of its own. */
const exporting = (run: (app: FastifyInstance) => void): ProtocolPlugin =>
  Object.assign(async (app: FastifyInstance) => run(app), { contract: paper.contract, protocol: paper.protocol })

const foreign = async () => FOREIGN
const root = (app: FastifyInstance) => Object.getPrototypeOf(app) as FastifyInstance

/** Everything that Fastify offers to whoever holds an instance. */
const ATTEMPTS: Readonly<Record<string, (app: FastifyInstance, seen: unknown[]) => void>> = {
  'replaces bodies before they are sent': (app) => app.addHook('onSend', foreign),
  'replaces bodies from the scope around its own': (app) => root(app).addHook('onSend', foreign),
  'replaces values before they are written': (app) => app.addHook('preSerialization', foreign),
  'puts a hook onto routes that are registered after it': (app) =>
    app.addHook('onRoute', (route: RouteOptions) => {
      route.onSend = foreign
    }),
  'changes what was asked before it is crafted': (app) =>
    app.addHook('preHandler', async (request) => {
      request.body = { ...body, amount: 9 }
    }),
  'writes answers itself': (app) => app.setReplySerializer(() => FOREIGN),
  'compiles writers of answers': (app) => app.setSerializerCompiler(() => () => FOREIGN),
  'reads bodies itself': (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', async () => ({ ...body, amount: 9 }))
  },
  'answers errors itself': (app) => app.setErrorHandler((_error, _request, reply) => reply.code(200).send(FOREIGN)),
  'decorates replies': (app) => app.decorateReply('type', (() => ({ send: () => FOREIGN })) as never),
  'adds an action that nobody checks': (app) => app.post('/action/gift', { config: { [routeMarks.action]: 'gift' } as never }, foreign),
  'reads keys': (app, seen) => app.addHook('onRequest', async (request) => void seen.push(request.headers, request.raw.rawHeaders)),
  'listens to the server under it': (app, seen) => app.server.on('request', (request) => seen.push(request.headers)),
}

const jwks = signer.responses.keys.map(({ jwk }) => jwk)
const keys = { thumbprints: jwks.map(({ kid }) => kid), jwks }
const verifies = ({ body, headers }: { body: string; headers: Record<string, unknown> }): boolean =>
  headers['x-signature'] === signer.signSync(body)

t.test('nothing that a package does with a Fastify instance of its own making or taking reaches the service: it gets none', async (t) => {
  for (const [what, attempt] of Object.entries(ATTEMPTS)) {
    const seen: unknown[] = []
    let runs = 0
    const plugin = exporting((app) => {
      runs++
      attempt(app, seen)
    })
    const { call } = await serve(t, { plugins: [plugin] })
    const answer = await call('POST', 'action/give', body)
    t.match(answer.json(), { unsigned_text: 'p001|p002|give|1' }, what)
    t.ok(verifies(answer), what)
    t.equal((await call('POST', 'action/gift', body)).statusCode, 404, what)
    t.same([runs, seen], [0, []], what)
  }
})

t.test('what a package declares as its reads is handed nothing but a way to declare reads', async (t) => {
  for (const [what, attempt] of Object.entries(ATTEMPTS)) {
    const seen: unknown[] = []
    const thrown: unknown[] = []
    const members: string[][] = []
    const plugin = definePlugin({
      ...declaration,
      routes(reads) {
        members.push(Object.keys(reads))
        try {
          attempt(reads as unknown as FastifyInstance, seen)
        } catch (error) {
          thrown.push(error)
        }
        declaration.routes(reads)
      },
    })
    const { call } = await serve(t, { plugins: [plugin] })
    const answer = await call('POST', 'action/give', body)
    t.match(answer.json(), { unsigned_text: 'p001|p002|give|1' }, what)
    t.ok(verifies(answer), what)
    t.match((await call('GET', 'clerk')).json(), { clerk: 'p002' }, what)
    t.equal((await call('POST', 'action/gift', body)).statusCode, 404, what)
    t.same([members, seen], [[['get']], []], what)
    t.match(thrown, [TypeError], `${what}: there is nothing by which`)
  }
})

/** Fastify tells of every request, with request and reply, whoever listens in its process. */
const handled = channel('tracing:fastify.request.handler:start')
type Told = { readonly request: FastifyRequest; readonly reply: FastifyReply }

async function whileListening<T>(listen: (told: Told) => void, run: () => Promise<T>): Promise<T> {
  const listener = (told: unknown) => listen(told as Told)
  handled.subscribe(listener)
  try {
    return await run()
  } finally {
    handled.unsubscribe(listener)
  }
}

const alarms = ({ log }: ServedApp) => log.filter(({ level, alert }) => level === 60 && alert === 'DECODE_MISMATCH').length

t.test('an answer that was changed after its check is withheld: a 500 that says nothing, an alarm, and a record of it', async (t) => {
  const TAMPERINGS: Readonly<Record<string, (reply: FastifyReply, text: string) => unknown>> = {
    'another body': () => FOREIGN,
    'the same value, written otherwise': (_reply, text) => `${text} `,
    'bytes in place of a text': (_reply, text) => Buffer.from(text),
    'no body': () => undefined,
    'another status': (reply, text) => [reply.code(202), text][1],
    'a status without a body': (reply, text) => [reply.code(204), text][1],
  }
  for (const [what, tamper] of Object.entries(TAMPERINGS)) {
    const served = await serve(t)
    let asked = 0
    for (const [method, url, sent] of [
      ['POST', 'action/give', body],
      ['GET', 'staking-balance/p001', undefined],
      ['GET', 'clerk', undefined],
      ['GET', 'staking-balance/nobody', undefined],
    ] as const) {
      const answer = await whileListening(
        ({ reply }) => {
          const { send } = reply
          reply.header('x-smuggled', FOREIGN)
          // A refusal comes here twice: as an error, and as its text.
          const sendOther = (answer: unknown) => send.call(reply, typeof answer === 'string' ? tamper(reply, answer) : answer)
          Object.assign(reply, { send: sendOther })
        },
        () => served.call(method, url, sent),
      )
      const where = `${method} ${url}: ${what}`
      t.match(answer.json(), { statusCode: 500, code: 'INTERNAL_ERROR', error: /request id/ }, where)
      t.notMatch(JSON.stringify([answer.body, answer.headers]), /p001|p002|p666|smuggled/, where)
      t.ok(verifies(answer), where)
      t.equal(alarms(served), ++asked, where)
      await eventually(`the record of ${where}`, async () => {
        const record = (await served.records(asked)).at(-1)
        return record?.status === 500 && record.error === 'DECODE_MISMATCH'
      })
    }
  }
})

/** A signer whose first signature waits until another is asked for, as that of another answer to the same request. */
function signsTogether(): Signer {
  const second = Promise.withResolvers<void>()
  let asked = 0
  return {
    ...signer,
    async bind(answer, question) {
      if (++asked === 2) second.resolve()
      await second.promise
      return signer.bind(answer, question)
    },
  }
}

t.test('an answer that nobody has checked is withheld too, and what was checked does not leave in its place', async (t) => {
  // When the foreign answer is sent the handler has not begun, and nothing is sealed. The handler goes on and answers too, while the refusal is being signed, or the other way
  // round: the two share a status and headers, and a checked body must not leave with what belongs to the refusal.
  for (const [method, url, sent] of [
    ['POST', 'action/give', body],
    ['GET', 'clerk', undefined],
    ['GET', 'staking-balance/nobody', undefined],
  ] as const) {
    const served = await serve(t, { signer: signsTogether() })
    const answer = await whileListening(
      ({ reply }) => reply.type('application/json; charset=utf-8').send(FOREIGN),
      () => served.call(method, url, sent),
    )
    t.match([answer.statusCode, answer.json()], [500, { statusCode: 500, code: 'INTERNAL_ERROR', error: /request id/ }], url)
    t.ok(verifies(answer), url)
    const request = { method, url: `/api/v1/paper/native/${url}`, headers: {} }
    const response = { status: answer.statusCode, headers: answer.headers as Record<string, string>, bytes: answer.rawPayload }
    const verdict = await verifyResponse({ request, response, keys, sentAt: new Date() })
    t.match(verdict, { ok: true, reason: undefined }, `${url}: it is bound with the status that left`)
    t.ok(alarms(served) > 0, `${url}: somebody is told`)
  }
})

t.test('credentials leave a request with the check of it', async (t) => {
  const served = await serve(t)
  const { value } = await served.key()
  const token = (await served.token()).value
  const seen: string[] = []
  const listen = ({ request }: Told) =>
    void seen.push(JSON.stringify([request.headers, request.raw.headers, request.raw.rawHeaders, request.raw.headersDistinct ?? null]))
  await whileListening(listen, async () => {
    const both = { 'x-api-key': value, token, authorization: `Bearer ${token}`, 'x-identity': 'kept' }
    t.equal((await served.call('GET', 'clerk', undefined, both)).statusCode, 200)
    t.equal((await served.call('GET', '/api/v1/apikeys', undefined, { token })).statusCode, 200)
    t.equal((await served.call('GET', '/api/v1/health', undefined, both)).statusCode, 200)
  })
  t.equal(seen.length, 3)
  t.match(seen[0], /kept/)
  for (const text of seen) t.notOk(text.includes(value) || text.includes(token), text)
})
