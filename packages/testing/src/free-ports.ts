import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

// Below what systems hand out by themselves: Linux 32768–60999 (net.ipv4.ip_local_port_range, Documentation/networking/ip-sysctl.rst), others 49152–65535
// (RFC 6335, section 6). A port of their range that is free now is somebody's connection a second later; nobody is given one of these without asking for it.
const [FROM, TO] = [15_000, 32_000]
/** Ports of a block. A process has a block for itself as long as it listens on the first of them. */
const BLOCK = 100

let next = 0
let left = 0
let claiming: Promise<void> | null = null

/**
 * Finds a port of the loopback that nothing listens on, that the system does not assign by itself, and that no other process gets from this function: it stays free until
 * somebody uses its number.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    while (left === 0) {
      claiming ??= claim()
      await claiming
    }
    const port = next++
    left--
    const server = await listen(port)
    if (server === null) continue
    await new Promise((done) => server.close(done))
    return port
  }
}

/** Finds several different ports, each like that of {@link freePort}. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

/** Takes a block that no other process has, for as long as this process runs. */
async function claim(): Promise<void> {
  for (;;) {
    const first = FROM + BLOCK * randomInt((TO - FROM) / BLOCK)
    const server = await listen(first)
    if (server === null) continue
    server.unref()
    next = first + 1
    left = BLOCK - 1
    claiming = null
    return
  }
}

/** Listens on a port of the loopback. @returns null where somebody else does */
function listen(port: number): Promise<Server | null> {
  const server = createServer()
  return new Promise((done) => {
    server.once('error', () => done(null)).listen(port, '127.0.0.1', () => done(server))
  })
}
