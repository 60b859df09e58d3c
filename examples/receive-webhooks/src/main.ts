// A receiver of webhooks: verifies each message, does it once, and says what happened.
// Run `npm start` at the root of the repository in one terminal, this in another, and stake in a third.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { heading, Refused, type Sandbox, say, story } from '@svc/example-sandbox'
import { Webhook } from 'standardwebhooks'
import { type Message, sentenceOf } from './sentence.ts'

const EVENTS = ['transaction.*', 'position.*', 'validator.*', 'pool.*']
/** A message has at most 20,000 bytes. */
const MOST_BYTES = 20_000

await story(receive)

async function receive({ trust, managementToken }: Sandbox): Promise<void> {
  // A receiver of your own keeps them in a table, as a unique key in the transaction that does the work: for three days the same message may come again.
  const done = new Set<string>()
  let webhook: Webhook | undefined

  const server = createServer(async (request, response) => {
    const id = String(request.headers['webhook-id'])
    try {
      // The bytes as they came: text that was parsed and written again has another signature.
      const body = await textOf(request)
      const message = webhook?.verify(body, request.headers as Record<string, string>) as Message
      response.writeHead(204).end()
      if (done.has(id)) return say(`again      ${id} is done already`)
      done.add(id)
      say(`${message.type.padEnd(24)} ${sentenceOf(message)}`)
    } catch (error) {
      response.writeHead(400).end()
      say(`refused    ${(error as Error).message}`)
    }
  })
  server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1')
  await once(server, 'listening')

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { ulid, secret } = await call('', 'POST', { url, events: EVENTS, description: 'examples/receive-webhooks' })
  webhook = new Webhook(String(secret))
  heading(`RECEIVING  ${url}`)
  await call(`/${ulid}/test`, 'POST', {})

  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await call(`/${ulid}`, 'DELETE')
  server.close()

  /** The management of webhooks, which the dashboard has too. */
  async function call(path: string, method: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const headers = { token: managementToken, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(`${trust.baseUrl}/api/v1/webhooks${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Refused(`The service answered ${response.status}: ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MOST_BYTES) throw new Error(`a message of more than ${MOST_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
