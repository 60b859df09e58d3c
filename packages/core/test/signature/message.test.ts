import { createPublicKey, generateKeyPairSync, hash, verify } from 'node:crypto'
import { verifyResponse } from '@svc/verify/response'
import { verifySignature, webcrypto } from 'http-message-sig'
import { httpbis } from 'http-message-signatures'
import t from 'tap'
import { type Answer, digestOf, EMPTY_DIGEST, messageOf, type RequestParts } from '../../src/signature/message.ts'
import { createResponseKeys, generateResponseKey } from '../../src/signature/response-keys.ts'
import { createSigner, generateSigningKey } from '../../src/signature/signer.ts'

const CREATED = 1_800_000_000
const SEED = Buffer.from(Array.from({ length: 32 }, (_, byte) => byte))
const privateKeyPem = await generateSigningKey()
const signer = createSigner({
  privateKeyPem,
  responseKeys: [{ key: SEED.toString('base64url'), state: 'active' }],
  now: () => CREATED * 1000 + 999,
})
const [{ jwk } = { jwk: undefined }] = signer.responses.keys
if (!jwk) throw new RangeError('the signer has a key')

interface Exchange {
  readonly asked: RequestParts & { readonly method: string; readonly url: string; readonly headers: Record<string, string> }
  readonly answer: Answer & { readonly body: string }
}
const digest = (body: string) => `sha-256=:${hash('sha256', body, 'base64')}:`
const asked = '{"address":"0x00000000000000000000000000000000000000aa","amount":100}'
const answered = '{"unsigned_tx_hex":"00"}'
const CRAFT: Exchange = {
  asked: {
    method: 'POST',
    url: '/api/v1/evm-three/native/action/delegate',
    headers: { 'x-network': '143', 'x-nonce': 'bm9uY2UtMDAwMQ', 'content-digest': digest(asked) },
  },
  answer: { status: 200, contentType: 'application/json; charset=utf-8', digest: digestOf(answered), body: answered },
}
const DELETION: Exchange = {
  asked: { method: 'DELETE', url: '/api/v1/apikeys/01ARZ3NDEKTSV4RRFFQ69G5FAV', headers: {} },
  answer: { status: 204, digest: EMPTY_DIGEST, body: '' },
}

t.test('a craft and a deletion are signed as they always were, byte for byte', async (t) => {
  const { base } = messageOf(CRAFT.answer, CRAFT.asked, signer.responses.keyId, CREATED)
  t.equal(base.length, 614)
  t.equal(hash('sha256', base), 'fec6822d2259c0f3f50749f3bc48435e89ea151988edfa08a7f58421544c8b40')
  t.strictSame(signer.bindSync(CRAFT.answer, CRAFT.asked), {
    'content-digest': 'sha-256=:GkMJ8HEz6tsYqcXFyA1RvrB3I2A9gbfOlIZm09lM4BY=:',
    'signature-input':
      'svc=("@status" "content-digest" "content-type" "@method";req "@path";req "@query";req "content-digest";req "x-network";req "x-nonce";req);created=1800000000;alg="ed25519";keyid="1IG2tMH7J2wbJZnOf8LJzQitKf7LMvoAElsuDMVM54Y";tag="svc-response-1"',
    signature: 'svc=:GOX/g3aE5uYRScUB9D46w1p3kXxxqUg8dr/UR57Oz4YjO7gIjVaWxqu9T4LoBzwGEEFOFX/R5U465jb1bcOkAQ==:',
  })
  t.strictSame(await signer.bind(CRAFT.answer, CRAFT.asked), signer.bindSync(CRAFT.answer, CRAFT.asked))
  t.equal(
    (await signer.bind(DELETION.answer, DELETION.asked)).signature,
    'svc=:UpsMGV1IMXHJSwoW5VjjzrMc69iZz/U+YDLPfSYoGPtij3I+1wBUi/K4wUABMDK7SOS3/eZuQBq3RbX6DGxDDw==:',
  )
})

/** What each of the three says of an answer: the caller's own check, and two libraries of others. */
async function judges({ asked, answer }: Exchange, headers: Record<string, string>) {
  const response = { ...(answer.contentType === undefined ? {} : { 'content-type': answer.contentType }), ...headers }
  const at = new Date(CREATED * 1000)
  const own = await verifyResponse({
    request: asked,
    response: { status: answer.status, headers: response, bytes: Buffer.from(answer.body) },
    keys: [jwk ?? { kty: '' }],
    sentAt: at,
    now: at,
  })
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const url = new URL(asked.url, 'https://svc.example')
  const misskey = await httpbis
    .verifyMessage(
      {
        keyLookup: async () => ({
          id: jwk?.kid ?? '',
          algs: ['ed25519'],
          verify: async (data, signature) => verify(null, data, key, signature),
        }),
        notAfter: CREATED,
        requiredParams: ['created', 'keyid', 'tag'],
      },
      { status: answer.status, headers: response },
      { method: asked.method, url, headers: asked.headers },
    )
    .catch(() => false)
  const fields = (record: Record<string, string>) => Object.entries(record).map(([name, value]) => ({ name, value }))
  const cryptoKey = await crypto.subtle.importKey('jwk', { ...jwk, alg: 'Ed25519' }, 'Ed25519', false, ['verify'])
  const cloudflare = await verifySignature(
    {
      kind: 'response',
      status: answer.status,
      fields: fields(response),
      request: { kind: 'request', method: asked.method, targetUri: url.href, fields: fields(asked.headers) },
    },
    {
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: ['@status', 'content-digest'],
        requiredParameters: ['created', 'keyid', 'alg', 'tag'],
        now: CREATED,
        maxAge: 300,
      },
      resolveVerifier: () => webcrypto.verifier(cryptoKey),
    },
  ).then(
    () => true,
    () => false,
  )
  return [own.ok, misskey === true, cloudflare]
}

t.test('the check for callers and two libraries agree on what is signed', async (t) => {
  for (const [name, exchange] of Object.entries({
    CRAFT,
    DELETION,
    'a query': { asked: { method: 'GET', url: '/api/v1/x?cursor=a%2Fb&limit=', headers: {} }, answer: { ...CRAFT.answer, status: 404 } },
    'a network without a nonce': { ...CRAFT, asked: { ...CRAFT.asked, headers: { 'x-network': 'cosmoshub-4' } } },
  }))
    t.same(await judges(exchange, signer.bindSync(exchange.answer, exchange.asked)), [true, true, true], name)
})

t.test('and on what is not', async (t) => {
  const headers = signer.bindSync(CRAFT.answer, CRAFT.asked)
  const otherwise = (change: { asked?: Partial<Exchange['asked']>; answer?: Partial<Exchange['answer']> }): Exchange => ({
    asked: { ...CRAFT.asked, ...change.asked },
    answer: { ...CRAFT.answer, ...change.answer },
  })
  const sent = (more: Record<string, string>) => otherwise({ asked: { headers: { ...CRAFT.asked.headers, ...more } } })
  for (const [name, exchange] of Object.entries({
    status: otherwise({ answer: { status: 500 } }),
    network: sent({ 'x-network': '1' }),
    nonce: sent({ 'x-nonce': 'bm9uY2UtMDAwMg' }),
    "request's digest": sent({ 'content-digest': digest('{}') }),
    type: otherwise({ answer: { contentType: 'text/html' } }),
    query: otherwise({ asked: { url: `${CRAFT.asked.url}?a=1` } }),
    method: otherwise({ asked: { method: 'PUT' } }),
  }))
    t.same(await judges(exchange, headers), [false, false, false], name)
  t.same(await judges(CRAFT, { ...headers, signature: 'svc=:AAAA:' }), [false, false, false], 'signature')
  t.same(await judges(otherwise({ answer: { body: 'x' } }), headers), [false, true, true], 'the libraries leave the body to their caller')
})

t.test('request targets are taken as they came, and what is not ASCII as a client means it', (t) => {
  const partsOf = (url: string) =>
    String(messageOf(DELETION.answer, { ...DELETION.asked, url }, 'k', CREATED).base)
      .split('\n')
      .slice(3, 5)
  const parts = (path: string, query: string) => [`"@path";req: ${path}`, `"@query";req: ${query}`]
  t.same(partsOf('/a%2fb/../c?x=%20+&'), parts('/a%2fb/../c', '?x=%20+&'))
  t.same(partsOf('/?'), parts('/', '?'))
  t.same(partsOf('http://svc.example'), parts('/', '?'))
  t.same(partsOf('http://svc.example/a?b=http://c'), parts('/a', '?b=http://c'))
  t.same(partsOf('*'), parts('*', '?'), 'OPTIONS * is not OPTIONS /')
  t.same(partsOf(Buffer.from('/ä?ö').toString('latin1')), parts('/%C3%A4', '?%C3%B6'))
  t.end()
})

t.test('the lines of a request, its signature and thumbprints are those of the standards', async (t) => {
  // RFC 9421, section 2.4: the request of the example, and the lines that a response's signature has of it.
  const contentDigest = 'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:'
  const request = { method: 'POST', url: '/foo?param=Value&Pet=dog', headers: { 'content-digest': contentDigest } }
  const [, , , ...lines] = String(messageOf(CRAFT.answer, request, 'k', CREATED).base).split('\n')
  t.same(lines.slice(0, 4), [
    '"@method";req: POST',
    '"@path";req: /foo',
    '"@query";req: ?param=Value&Pet=dog',
    `"content-digest";req: ${contentDigest}`,
  ])
  // RFC 9421, appendix B.1.4 and B.2.6.
  const pem = `-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n`
  const base = [
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@method": POST',
    '"@path": /foo',
    '"@authority": example.com',
    '"content-type": application/json',
    '"content-length": 18',
    '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  ].join('\n')
  const { signSync, sign } = createResponseKeys([{ key: pem, state: 'active' }])
  const signature = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
  t.equal(signSync(Buffer.from(base)), signature)
  t.equal(await sign(Buffer.from(base)), signature)
  // RFC 9530, section 2, and RFC 8037, appendix A.
  t.equal(EMPTY_DIGEST, '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
  const example = createResponseKeys([{ key: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', state: 'active' }])
  t.equal(example.keyId, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})

t.test('response keys are read from PEM or seed, and refused with a sentence that shows none', async (t) => {
  const pem = await generateResponseKey()
  const publicPem = createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const states = createResponseKeys([
    { key: publicPem, state: 'retired' },
    { key: SEED.toString('hex'), state: 'active' },
    { key: await generateResponseKey(), state: 'next' },
  ])
  t.same(
    states.keys.map(({ state }) => state),
    ['retired', 'active', 'next'],
  )
  t.equal(states.keyId, jwk.kid)
  for (const [keys, message] of [
    [[], /^response_keys: exactly one key has to be active, not 0\.$/],
    [[{ key: pem, state: 'next' }], /exactly one key has to be active, not 0/],
    [
      [
        { key: pem, state: 'active' },
        { key: SEED.toString('hex'), state: 'active' },
      ],
      /exactly one key has to be active, not 2/,
    ],
    [
      [
        { key: pem, state: 'active' },
        { key: publicPem, state: 'next' },
      ],
      /^response_keys\.1 is a key that stands in the list before/,
    ],
    [[{ key: publicPem, state: 'active' }], /^response_keys\.0 cannot be read as a seed of 32 bytes or as a private key in PEM/],
    [[{ key: 'a secret that is no key', state: 'active' }], /openssl genpkey -algorithm ed25519/],
    [[{ key: rsa, state: 'active' }], /^response_keys\.0 is of type rsa; it has to be an Ed25519 key/],
  ] as const) {
    t.throws(() => createResponseKeys(keys), { code: 'RESPONSE_KEY_INVALID', message })
    t.throws(() => createResponseKeys(keys), { message: /^(?!.*(a secret|PRIVATE))/ })
  }
})
