import { createHash, createPrivateKey, sign } from 'node:crypto'
import type { ResponseVerdict, VerifyResponseOptions } from '../../src/response/index.ts'

/** The private seed is the bytes 00 01 … 1f. */
export const KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(Array.from({ length: 32 }, (_, byte) => byte))]),
  format: 'der',
  type: 'pkcs8',
})
export const JWK = { kty: 'OKP', crv: 'Ed25519', x: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg' }
export const KEY_ID = '1IG2tMH7J2wbJZnOf8LJzQitKf7LMvoAElsuDMVM54Y'
export const CREATED = 1_800_000_000
export const at = (seconds: number): Date => new Date((CREATED + seconds) * 1000)
export const digestOf = (body: string): string => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`

const parameters = `;created=${CREATED};keyid="${KEY_ID}";alg="ed25519";tag="svc-response-1"`
const asked = '{"address":"0x00000000000000000000000000000000000000aa","amount":100}'

/** A craft, with everything that can be covered. */
export const CRAFT = {
  request: {
    method: 'POST',
    url: '/api/v1/evm-three/native/action/delegate',
    headers: {
      'content-digest': 'sha-256=:fPAxKQbQL41+ADWPbLk2egOgdb9gvkU0LbXoCnMwEXU=:',
      'X-NETWORK': '143',
      'X-NONCE': 'bm9uY2UtMDAwMQ',
    },
    body: asked,
  },
  response: {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-digest': 'sha-256=:GkMJ8HEz6tsYqcXFyA1RvrB3I2A9gbfOlIZm09lM4BY=:',
      'signature-input': `svc=("@status" "content-digest" "content-type" "@method";req "@path";req "@query";req "content-digest";req "x-network";req "x-nonce";req)${parameters}`,
      signature: 'svc=:TFmT4cE6J1VDuHDdTq5gLyalw00axFkS/n1wEclYCPuWExHmH5cgMeweXIt6JqYBtRu8OnFCuCR6Yn2zt8HdBQ==:',
    },
    bytes: Buffer.from('{"unsigned_tx_hex":"00"}'),
  },
  keys: [JWK],
  sentAt: at(0),
  now: at(1),
} satisfies VerifyResponseOptions

/** A deletion: no body, and nothing in the request that is covered besides. */
export const DELETION = {
  ...CRAFT,
  request: { method: 'DELETE', url: 'https://api.example.org/api/v1/apikeys/01ARZ3NDEKTSV4RRFFQ69G5FAV', headers: {} },
  response: {
    status: 204,
    headers: {
      'content-digest': 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
      'signature-input': `svc=("@status" "content-digest" "@method";req "@path";req "@query";req)${parameters}`,
      signature: 'svc=:9UcD1G4a/wV5sTqrioX7lRA5UMYd2XeoiR/ZXlyrcmRpKOfkuAq5Czw2IKREAGguUHL3QpD5f06arr8HqoTnDQ==:',
    },
    bytes: Buffer.alloc(0),
  },
} satisfies VerifyResponseOptions

/** The deletion with a signature over other lines or with other parameters, by the right key. */
export function signedOver(
  lines: readonly string[],
  after = parameters,
  more: Readonly<Record<string, string>> = {},
): VerifyResponseOptions {
  const text = `(${lines.map((line) => line.slice(0, line.indexOf(': '))).join(' ')})${after}`
  const signature = sign(null, Buffer.from([...lines, `"@signature-params": ${text}`].join('\n')), KEY).toString('base64')
  const headers = { ...DELETION.response.headers, ...more, 'signature-input': `svc=${text}`, signature: `svc=:${signature}:` }
  return { ...DELETION, response: { ...DELETION.response, headers } }
}

/** What the deletion covers, line by line. */
export const LINES = [
  '"@status": 204',
  `"content-digest": ${DELETION.response.headers['content-digest']}`,
  '"@method";req: DELETE',
  '"@path";req: /api/v1/apikeys/01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '"@query";req: ?',
]
export const PARAMETERS = parameters

export function reasonOf(verdict: ResponseVerdict): string {
  return verdict.ok ? 'accepted' : verdict.reason
}
