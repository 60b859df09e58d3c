import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** Someone between the caller and the service who changes answers. */
export interface Liar {
  readonly url: string
  /** The key with which he signs what he changed, if he does. */
  readonly publicKeyPem: string
}

/**
 * Passes requests on to a service, and its answers back with changed bodies.
 *
 * @param change new body of an answer to `path`
 * @param options.signs true: every answer is signed again with a key of his own, as one would who holds the service's key
 */
export async function startLiar(
  t: Test,
  target: string,
  change: (path: string, body: string) => string,
  options: { signs: boolean },
): Promise<Liar> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    const body = change(request.url!, await answer.text())
    const signature = options.signs ? createSign('RSA-SHA256').update(body).sign(privateKey, 'base64') : answer.headers.get('x-signature')
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-signature': signature ?? '' }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
}
