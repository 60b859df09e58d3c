import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Place } from '../subjects.ts'
import { createReplay, type Replay } from '../upstream.ts'

/** Servers before the chains that answer from memory what was once asked, over sockets. */
interface ChainFront {
  /** The same network with these servers as its endpoints. */
  placed(place: Place): Promise<Place>
  close(): void
}

/** Opens none yet: one for each endpoint that a place names. */
export function createChainFront(): ChainFront {
  const servers: ReturnType<typeof createServer>[] = []

  async function open(target: string, replay: Replay): Promise<string> {
    const server = createServer(async (request, response) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        const body = Buffer.concat(chunks)
        const path = request.url === '/' ? '' : request.url
        const type = String(request.headers['content-type'] ?? '')
        // A copy, because a pooled buffer is a view of more than its own bytes.
        const sent = /json/.test(type) ? body.toString() : new Uint8Array(body)
        const answer = await replay.fetch(target.replace(/\/$/, '') + path, {
          method: 'POST',
          headers: { 'content-type': type },
          body: sent,
        })
        const bytes = Buffer.from(await answer.arrayBuffer())
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '', 'content-length': bytes.length })
        response.end(bytes)
      } catch {
        response.writeHead(500).end()
      }
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  return {
    async placed({ chainId, network }) {
      // Of each protocol by itself: what a transaction does is remembered once, and protocols may share a chain.
      const replay = createReplay()
      const groups = Object.entries(network.endpoints as Readonly<Record<string, readonly string[]>>)
      const fronts = groups.map(async ([group, urls]) => [group, await Promise.all(urls.map((url) => open(url, replay)))] as const)
      return { chainId, network: { ...network, endpoints: Object.fromEntries(await Promise.all(fronts)) } }
    },
    close() {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
