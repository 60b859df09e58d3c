import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Ending } from './chromium.ts'

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string
  /** Bodies, as they came. */
  readonly got: readonly string[]
  /** Sets the status that is answered from now on, also to what is held. @default 204 */
  answer(status: number): void
  /** Answers 503 to the next request, and holds later ones until `answer`: on a slow machine a repeat comes before the page has shown the first failure. */
  failOnce(): void
  /** Waits until a request is held. */
  holding(): Promise<void>
}

/** Starts one, until the tests end. */
export async function receiver(t: Ending): Promise<Receiver> {
  const got: string[] = []
  let once: number | undefined
  let next = Promise.withResolvers<number>()
  next.resolve(204)
  let held = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      got.push(Buffer.concat(parts).toString())
      const now = once
      once = undefined
      if (now === undefined) held.resolve()
      const status = now ?? (await next.promise)
      response.writeHead(status, { connection: 'close' }).end(status === 204 ? undefined : 'not today')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    got,
    answer(status) {
      next.resolve(status)
      next = Promise.withResolvers()
      next.resolve(status)
    },
    failOnce() {
      once = 503
      next = Promise.withResolvers()
      held = Promise.withResolvers()
    },
    holding: () => held.promise,
  }
}
