import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A webhook as it came. */
export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: ReceivedWebhook[]
  /** `type` of the body of each, in the order of arrival. */
  types(): readonly string[]
}

/** Answers 200, or as it is told to. */
export async function receiver(
  t: Test,
  answer: (response: ServerResponse, received: ReceivedWebhook) => void = (response) => response.end('ok'),
): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const one = { headers: request.headers, body: Buffer.concat(parts).toString('utf8'), at: Date.now() }
    received.push(one)
    answer(response, one)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received,
    types: () => received.map(({ body }) => (JSON.parse(body) as { type: string }).type),
  }
}
