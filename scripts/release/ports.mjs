// Ports of this machine that nobody listens on.
import { createServer } from 'node:net'

/** @returns so many of them, each another one, free at this moment */
export async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise((done) => server.listen(0, '127.0.0.1', done))
      return server
    }),
  )
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}
