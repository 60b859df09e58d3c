import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenUrl, type Sums } from '@svc/core/primary'

/** Where counters are served. */
interface MetricsPlace {
  readonly host: string
  readonly port: number
}

export interface MetricsServer {
  /** Where it listens. */
  readonly url: string
  close(): void
}

/**
 * Serves the sums of the workers' counters.
 *
 * @param refresh has each worker say what it counted
 * @throws NodeJS.ErrnoException when it cannot listen there
 */
export async function serveSums(place: MetricsPlace, sums: Sums, refresh: () => Promise<void>): Promise<MetricsServer> {
  const server: Server = createServer((_request, response) => {
    refresh()
      .then(() => sums.render())
      .then(
        (text) => response.setHeader('content-type', sums.contentType).end(text),
        () => response.writeHead(500).end(),
      )
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    // Not through the cluster, which is for its workers.
    server.listen({ host: place.host, port: place.port, exclusive: true }, done)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: listenUrl(place.host, port),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
