import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** Someone between the caller and the service who changes answers. */
export interface Liar {
  readonly url: string
  /** The key with which he binds what he changed to its request, if he does, as a trust document names one. */
  readonly key: object
}

/**
 * Starts a proxy that passes requests on to a service, and its answers back with changed bodies.
 *
 * @param change new body of an answer to `path`
 * @param options.signs true: every answer is signed again with a key of the proxy's own, as by somebody who holds the service's key
 */
export async function startLiar(
  t: Test,
  target: string,
  change: (path: string, body: string) => string,
  options: { signs: boolean },
): Promise<Liar> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url')
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', url = '/' } = request
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    const body = change(url, await answer.text())
    // What the service says beside the body goes on as it is: an account number, a request's name.
    const headerPairs = [...answer.headers].filter(([name]) => name.startsWith('x-') || STATED.includes(name))
    const forged = options.signs && bound(request, answer, body, privateKey, kid)
    response.writeHead(answer.status, { ...Object.fromEntries(headerPairs), ...forged }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    key: { kty: 'OKP', crv: 'Ed25519', x, kid },
  }
}

const STATED = ['content-type', 'content-digest', 'signature-input', 'signature']

/** Makes what binds an answer to its request, as docs/response-signatures.md says it. */
function bound(
  { method, url = '/', headers }: IncomingMessage,
  { status, headers: answerHeaders }: Response,
  body: string,
  key: KeyObject,
  kid: string,
) {
  const digest = `sha-256=:${hash('sha256', body, 'base64')}:`
  const [path, query = ''] = url.split('?')
  const sent = ['content-digest', 'x-network', 'x-nonce'].filter((name) => name in headers)
  const lines = [
    ['"@status"', status],
    ['"content-digest"', digest],
    ['"content-type"', answerHeaders.get('content-type')],
    ['"@method";req', method],
    ['"@path";req', path],
    ['"@query";req', `?${query}`],
    ...sent.map((name) => [`"${name}";req`, headers[name]]),
  ]
  const created = Math.floor(Date.now() / 1000)
  const input = `(${lines.map(([name]) => name).join(' ')});created=${created};alg="ed25519";keyid="${kid}";tag="svc-response-1"`
  const base = [...lines, ['"@signature-params"', input]].map((line) => line.join(': ')).join('\n')
  const signature = sign(null, Buffer.from(base), key).toString('base64')
  return { 'content-digest': digest, 'signature-input': `svc=${input}`, signature: `svc=:${signature}:` }
}
