import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below what systems hand out by themselves: Linux 32768–60999 (net.ipv4.ip_local_port_range, Documentation/networking/ip-sysctl.rst), others 49152–65535
// (RFC 6335, section 6). A port of their range that is free now is somebody's connection a second later; nobody is given one of these without asking for it.
const [FROM, TO] = [15_000, 32_000]

/** Finds a port of the loopback that nothing listens on and that no system hands out by itself: it stays free until it is asked for by its number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO)
    const server = createServer()
    const free = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
    if (!free) continue
    await new Promise((done) => server.close(done))
    return port
  }
}

/** Finds ports like {@link freePort}, each another one. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}
