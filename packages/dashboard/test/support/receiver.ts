import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Ending } from './chromium.ts'

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string
  /** Bodies, as they came. */
  readonly got: readonly string[]
  /** What it answers from now on. @default 204 */
  answer(status: number): void
}

/** Starts one, until the tests end. */
export async function receiver(t: Ending): Promise<Receiver> {
  const got: string[] = []
  let status = 204
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push(Buffer.concat(parts).toString())
      response.writeHead(status, { connection: 'close' }).end(status === 204 ? undefined : 'not today')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    got,
    answer(next) {
      status = next
    },
  }
}
