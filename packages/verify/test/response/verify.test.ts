import t from 'tap'
import { contentDigest, thumbprint, type VerifyResponseOptions, verifyResponse } from '../../src/response/index.ts'
import { at, CRAFT, CREATED, DELETION, digestOf, JWK, KEY_ID, LINES, PARAMETERS, reasonOf, signedOver } from './support.ts'

type Change = Partial<Omit<VerifyResponseOptions, 'request' | 'response'>> & {
  readonly request?: Partial<VerifyResponseOptions['request']>
  readonly response?: Partial<VerifyResponseOptions['response']>
}

/** The craft, with something else in it. */
const craft = ({ request, response, ...rest }: Change = {}): VerifyResponseOptions => ({
  ...CRAFT,
  ...rest,
  request: { ...CRAFT.request, ...request },
  response: { ...CRAFT.response, ...response },
})
const sent = (headers: Record<string, string | undefined>) => craft({ request: { headers: { ...CRAFT.request.headers, ...headers } } })
const came = (headers: Record<string, string | undefined>) => craft({ response: { headers: { ...CRAFT.response.headers, ...headers } } })
const input = CRAFT.response.headers['signature-input']
const { signature } = CRAFT.response.headers

t.test('an answer to the request that was sent is accepted, with its key and its time', async (t) => {
  const good = { ok: true, keyId: KEY_ID, created: at(0) }
  t.strictSame(await verifyResponse(CRAFT), good)
  t.strictSame(await verifyResponse(DELETION), good)
  t.strictSame(await verifyResponse(craft({ keys: { jwks: [{ ...JWK, x: 'other' }, JWK], thumbprints: [KEY_ID] } })), good)
  t.strictSame(await verifyResponse(craft({ request: { headers: new Headers(CRAFT.request.headers) } })), good)
  t.strictSame(await verifyResponse(craft({ response: { headers: new Headers(CRAFT.response.headers) } })), good)
  t.strictSame(await verifyResponse(craft({ request: { method: 'post', url: `https://any.example:8443${CRAFT.request.url}#part` } })), good)
  t.strictSame(await verifyResponse(craft({ request: { url: new URL(CRAFT.request.url, 'http://127.0.0.1') } })), good)
  t.strictSame(await verifyResponse(craft({ request: { body: undefined } })), good, 'a body that is not given is not looked at')
  t.strictSame(
    await verifyResponse(came({ 'signature-input': `proxy=("host";req);keyid="p", ${input}`, signature: `proxy=:AAAA:, ${signature}` })),
    good,
    "somebody else's signature stands beside ours",
  )
  t.strictSame(
    await verifyResponse(came({ 'signature-input': input.replace('svc=', 'renamed='), signature: signature.replace('svc=', 'renamed=') })),
    good,
    'a label means nothing',
  )
  t.strictSame(
    await verifyResponse(signedOver(LINES, `;tag="svc-response-1";keyid="${KEY_ID}";created=${CREATED}`)),
    good,
    'parameters in another order, without alg',
  )
})

t.test('an answer to anything else, or another answer, is refused with the reason', async (t) => {
  const fit = /^The signature does not fit: the answer is to another request, or was changed\.$/
  for (const [name, given, reason] of [
    ['status', craft({ response: { status: 500 } }), fit],
    ['network', sent({ 'X-NETWORK': '1' }), fit],
    ['nonce', sent({ 'X-NONCE': 'bm9uY2UtMDAwMg' }), fit],
    ["request's digest", craft({ request: { headers: { ...CRAFT.request.headers, 'content-digest': digestOf('{}') }, body: '{}' } }), fit],
    ['type', came({ 'content-type': 'text/html' }), fit],
    ['query', craft({ request: { url: `${CRAFT.request.url}?a=1` } }), fit],
    ['path', craft({ request: { url: '/api/v1/evm-three/native/action/undelegate' } }), fit],
    ['method', craft({ request: { method: 'PUT' } }), fit],
    ['body', craft({ response: { bytes: Buffer.from('{"unsigned_tx_hex":"01"}') } }), /^The body is not the one that was signed\.$/],
    [
      'body and its digest',
      craft({ response: { bytes: Buffer.from('x'), headers: { ...CRAFT.response.headers, 'content-digest': digestOf('x') } } }),
      fit,
    ],
    ['ten minutes later', craft({ now: at(600), sentAt: at(600) }), /^The answer was made before the request was sent\.$/],
    ['ten minutes under way', craft({ now: at(600) }), /^The answer is older than 5 minutes\.$/],
    ['before its time', craft({ now: at(-31), sentAt: at(-31) }), /^The signature was made in the future\.$/],
    ['key that is not pinned', craft({ keys: [] }), new RegExp(`^The signature is by the key ${KEY_ID}, which is not pinned\\.$`)],
    ['key whose thumbprint is not pinned', craft({ keys: { jwks: [JWK], thumbprints: ['other'] } }), /which is not pinned\.$/],
    ['key of another kind', craft({ keys: [{ ...JWK, crv: 'X25519' }] }), /which is not pinned\.$/],
    ['no signature', came({ signature: undefined }), /^The answer is not signed\.$/],
    ['no input', came({ 'signature-input': undefined }), /^The answer is not signed\.$/],
    ['signature under another label', came({ signature: signature.replace('svc', 'cvs') }), /^The answer has no signature of 64 bytes\.$/],
    ['signature that is too short', came({ signature: 'svc=:AAAA:' }), /^The answer has no signature of 64 bytes\.$/],
    ['another tag', came({ 'signature-input': input.replace('response-1', 'response-2') }), /no signature with the tag svc-response-1\.$/],
    ['two of the tag', came({ 'signature-input': `${input}, x=${input.slice(4)}` }), /several signatures with the tag svc-response-1\.$/],
    ['a label twice', came({ 'signature-input': `svc=("date"), ${input}` }), /^The signature fields cannot be read\.$/],
    ['fields that are none', came({ signature: `${signature} x` }), /^The signature fields cannot be read\.$/],
    ['an empty field', came({ signature: '' }), /^The signature fields cannot be read\.$/],
    ["the request's digest of another body", craft({ request: { body: '{}' } }), /^Content-Digest of the request does not fit its body\.$/],
    [
      'a body without digest',
      craft({ request: { headers: {} } }),
      /^The request was sent without Content-Digest, so the answer may be to another body\.$/,
    ],
    ['a nonce that was not sent', sent({ 'X-NONCE': undefined }), /^The signature covers "x-nonce";req, which is not there\.$/],
    ['a type that is not there', came({ 'content-type': undefined }), /^The signature covers "content-type", which is not there\.$/],
    ['no digest', came({ 'content-digest': undefined }), /^The signature covers "content-digest", which is not there\.$/],
  ] as const)
    t.match(reasonOf(await verifyResponse(given)), reason, name)
})

t.test('what has to be covered is, whatever the right key signed', async (t) => {
  const over = (...changed: Parameters<typeof signedOver>) => verifyResponse(signedOver(...changed)).then(reasonOf)
  t.equal(await over(LINES), 'accepted')
  for (const [index, line] of LINES.entries())
    t.equal(await over(LINES.toSpliced(index, 1)), `The signature does not cover ${line.slice(0, line.indexOf(': '))}.`)
  t.equal(
    await over(LINES.with(1, `"content-digest";req: ${digestOf('')}`)),
    'The signature does not cover "content-digest".',
    "the request's digest is not the answer's",
  )
  const unknown = 'The signature covers something twice, or says something unknown.'
  t.equal(await over([...LINES, '"@status": 204']), unknown)
  t.equal(await over([...LINES, '"x-note";sf: 1'], PARAMETERS, { 'x-note': '1' }), unknown)
  t.equal(await over([...LINES, '"x-note";req;bs: 1'], PARAMETERS, { 'x-note': '1' }), unknown)
  t.equal(await over(LINES, `${PARAMETERS};expires=${CREATED + 600}`), unknown)
  t.equal(await over(LINES, `;created=${CREATED}${PARAMETERS}`), unknown)
  t.equal(await over(LINES, PARAMETERS.replace(String(CREATED), `${CREATED}.5`)), unknown)
  t.equal(await over(LINES, PARAMETERS.replace(`;created=${CREATED}`, '')), 'The signature does not say when it was made.')
  t.equal(
    await over(LINES, PARAMETERS.replace('ed25519', 'rsa-v1_5-sha256')),
    'The signature says that its algorithm is rsa-v1_5-sha256, but its key is for ed25519.',
  )
  t.equal(
    await over(LINES, PARAMETERS.replace(/;keyid="[^"]*"/, '')),
    'The signature is by the key that it does not name, which is not pinned.',
  )
  t.equal(await over([...LINES, '"@scheme";req: https']), 'The signature covers "@scheme";req, which is not there.')
  t.equal(await over([...LINES, '"@authority";req: api.example.org']), 'accepted')
  t.match(await over([...LINES, '"@authority";req: x']), /does not fit/, 'the name that was asked')
  const bare = signedOver([...LINES, '"@authority";req: api.example.org'])
  const asked = { ...bare.request, url: '/api/v1/apikeys/01ARZ3NDEKTSV4RRFFQ69G5FAV' }
  t.equal(reasonOf(await verifyResponse({ ...bare, request: asked })), 'The signature covers "@authority";req, which is not there.')
  t.equal(await over([...LINES, '"x-note": 1'], PARAMETERS, { 'X-Note': '1' }), 'accepted', 'more may be covered')
  const needs = signedOver([...LINES.slice(0, 2), ...LINES.slice(2)], PARAMETERS, { 'content-type': 'text/plain' })
  t.equal(reasonOf(await verifyResponse(needs)), 'The signature does not cover "content-type".')
  for (const name of ['X-NETWORK', 'X-NONCE', 'Content-Digest']) {
    const given = signedOver(LINES)
    const asked = { ...given.request, headers: { [name]: digestOf('') } }
    t.equal(reasonOf(await verifyResponse({ ...given, request: asked })), `The signature does not cover "${name.toLowerCase()}";req.`)
  }
})

t.test('of several digests each known one has to fit, and one has to be known', async (t) => {
  const with512 = (text: string) => {
    const field = `sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:, ${text}`
    return verifyResponse(signedOver(LINES.with(1, `"content-digest": ${field}`), PARAMETERS, { 'content-digest': field })).then(reasonOf)
  }
  const empty512 = 'z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=='
  t.equal(await with512(`sha-512=:${empty512}:`), 'accepted')
  t.equal(await with512('crc32c=:AAAA:'), 'accepted')
  t.equal(await with512(`sha-512=:A${empty512.slice(1)}:`), 'The body is not the one that was signed.')
  const only = verifyResponse(signedOver(LINES.with(1, '"content-digest": md5=:AAAA:'), PARAMETERS, { 'content-digest': 'md5=:AAAA:' }))
  t.equal(reasonOf(await only), 'The body is not the one that was signed.')
})

t.test('paths and queries are compared as they go over the wire', async (t) => {
  const { response } = signedOver(LINES.with(3, '"@path";req: /a%20b/%C3%A4').with(4, '"@query";req: ?x=%2F&y'))
  const asked = (url: string) => verifyResponse({ ...DELETION, request: { ...DELETION.request, url }, response }).then(reasonOf)
  t.equal(await asked('https://api.example.org/a b/ä?x=%2F&y'), 'accepted')
  t.equal(await asked('/a%20b/%C3%A4?x=%2F&y'), 'accepted')
  t.match(await asked('/a%20b/%C3%A4?x=/&y'), /^The signature does not fit/)
  t.match(await asked('/a b/ä?x=%2F&y'), /^The signature does not fit/)
})

t.test('thumbprints and digests are those of the standards', async (t) => {
  t.equal(await thumbprint(JWK), KEY_ID)
  // RFC 8037, appendix A.3.
  t.equal(
    await thumbprint({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }),
    'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  )
  // RFC 9530, appendix D.
  t.equal(await contentDigest('{"hello": "world"}\n'), 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:')
  t.equal(await contentDigest(Buffer.from(CRAFT.request.body)), CRAFT.request.headers['content-digest'])
})

t.test("a pinned key that is none is the caller's mistake, not a verdict", async (t) => {
  const wrong = { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }
  const keyid = await thumbprint(wrong)
  const given = signedOver(LINES, PARAMETERS.replace(KEY_ID, keyid))
  await t.rejects(verifyResponse({ ...given, keys: [wrong] }))
})
