import { connect, createServer, type Socket } from 'node:net'
import { freePorts } from '@svc/testing/free-ports'

/** Way between a node and its only peer, which can be cut. */
interface Relay {
  readonly port: number
  /** Ends all connections, and takes no further one. */
  cut(): Promise<void>
}

/** Opens a way on the loopback. @param to port of the peer */
export async function openRelay(to: number): Promise<Relay> {
  const [port = 0] = await freePorts(1)
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const outgoing = connect(to, '127.0.0.1')
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket)
      socket
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
      socket.pipe(other)
    }
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    port,
    cut: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
