import { type Document, operationsOf } from './shape.ts'

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })
const whole = (description: string, example: number) => ({ description, schema: { type: 'integer', minimum: 0 }, example })

/** Headers of responses, by the name that the document gives them. */
const HEADERS = {
  Signature: [
    'x-signature',
    text(
      'Base64 RSASSA-PKCS1-v1_5 with SHA-256 over the exact bytes of the body; an empty body signs the empty text.',
      'T3BlbiB3aXRoIHRoZSBwdWJsaWMga2V5IG9mIHRoaXMgc2VydmljZS4=',
    ),
  ],
  SignatureKey: [
    'x-signature-key',
    text('`kid` of the key that signed, among `/api/v1/public-keys`.', 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'),
  ],
  ContentDigest: [
    'content-digest',
    text('SHA-256 of the body as it is sent, of nothing where none is.', 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'),
  ],
  MessageSignatureInput: [
    'signature-input',
    text(
      'What `signature` covers (RFC 9421): status, digest and type of the answer; method, path and query of the request, and of its headers `Content-Digest`, `X-NETWORK` and `X-NONCE` those that it had.',
      'svc=("@status" "content-digest" "content-type" "@method";req "@path";req "@query";req);created=1800000000;alg="ed25519";keyid="1IG2tMH7J2wbJZnOf8LJzQitKf7LMvoAElsuDMVM54Y";tag="svc-response-1"',
    ),
  ],
  MessageSignature: [
    'signature',
    text(
      'Ed25519 signature that binds the answer to its request; `keyid` names its key among `/.well-known/jwks.json`.',
      'svc=:UpsMGV1IMXHJSwoW5VjjzrMc69iZz/U+YDLPfSYoGPtij3I+1wBUi/K4wUABMDK7SOS3/eZuQBq3RbX6DGxDDw==:',
    ),
  ],
  RequestId: [
    'x-request-id',
    text('Names the request in log and audit log; quote it when you ask about it.', '01JD4Z0V9T6E6N1S2XKQ3B7W8R'),
  ],
  RateLimitLimit: ['x-ratelimit-limit', whole('Requests a minute that the key has, or the address without one.', 200)],
  RateLimitRemaining: ['x-ratelimit-remaining', whole('How many of them are left.', 199)],
  RateLimitReset: ['x-ratelimit-reset', whole('Seconds until there are more.', 60)],
  RateLimitPolicy: [
    'ratelimit-policy',
    text('The budget that the request counts against, its requests `q` and its window `w` in seconds.', '"key";q=200;w=60'),
  ],
  RateLimit: ['ratelimit', text('What is left of it, `r`, and in how many seconds, `t`, there is more.', '"key";r=199;t=60')],
  RetryAfter: ['retry-after', whole('Seconds after which the request is worth repeating.', 5)],
} as const satisfies Readonly<Record<string, readonly [name: string, header: object]>>

const always = ['ContentDigest', 'MessageSignatureInput', 'MessageSignature', 'Signature', 'SignatureKey', 'RequestId'] as const
const limited = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset', 'RateLimitPolicy', 'RateLimit'] as const

/** Says which headers each response has. @param isLimited whether an operation counts against the limit */
export function describeHeaders(document: Document, isLimited: (path: string) => boolean): void {
  document.components.headers = Object.fromEntries(Object.entries(HEADERS).map(([name, [, header]]) => [name, header]))
  for (const { path, operation } of operationsOf(document))
    for (const [status, answer] of Object.entries(operation.responses)) {
      const names = [
        ...always,
        ...(isLimited(path) ? limited : []),
        ...(status === '429' || status === '503' ? (['RetryAfter'] as const) : []),
      ]
      const common = Object.fromEntries(names.map((name) => [HEADERS[name][0], { $ref: `#/components/headers/${name}` }]))
      answer.headers = { ...answer.headers, ...common }
    }
}
