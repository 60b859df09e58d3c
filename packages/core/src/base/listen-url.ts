/** Addresses that stand for every address of a machine, which a server can listen on and nobody can open, and the one that reaches it from the machine itself. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Returns the URL at which a listening server can be opened on its own machine. @param host a name or an address, an IPv6 one without brackets */
export function listenUrl(host: string, port: number): string {
  const place = LOOPBACK[host] ?? host
  return `http://${place.includes(':') ? `[${place}]` : place}:${port}`
}
