import { createHash, generateKeyPairSync, sign } from 'node:crypto'

const own = generateKeyPairSync('ed25519')
const jwk = own.publicKey.export({ format: 'jwk' }) as { readonly x: string }
const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${jwk.x}"}`).digest('base64url')

/** Public key of a thief who owns the service, as a trust document pins one. */
export const ANSWER_KEY = { kty: 'OKP', crv: 'Ed25519', x: jwk.x, kid } as const

const digest = (text: string) => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`

/** Signs an answer as the service's owner would, for this very request. @param asked its headers, by `fetch` */
export function signedAnswer(
  url: string,
  asked: Headers,
  status: number,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Response {
  const method = asked.has('content-digest') ? 'POST' : 'GET'
  const covered = [
    ['"@status"', status],
    ['"content-digest"', digest(body)],
    ['"content-type"', 'application/json'],
    ['"@method";req', method],
    ['"@path";req', new URL(url).pathname],
    ['"@query";req', '?'],
    ...['content-digest', 'x-network', 'x-nonce'].flatMap((name) => (asked.has(name) ? [[`"${name}";req`, asked.get(name)]] : [])),
  ]
  const parameters = `(${covered.map(([name]) => name).join(' ')});created=${Math.floor(Date.now() / 1000)};alg="ed25519";keyid="${kid}";tag="svc-response-1"`
  const base = [...covered.map(([name, value]) => `${name}: ${value}`), `"@signature-params": ${parameters}`].join('\n')
  const signature = `svc=:${sign(null, Buffer.from(base), own.privateKey).toString('base64')}:`
  const headers = {
    'content-type': 'application/json',
    'content-digest': digest(body),
    'signature-input': `svc=${parameters}`,
    signature,
    ...more,
  }
  return new Response(body, { status, headers })
}
