import { BlockList, isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Networks that a proxy may be named by instead of by an address.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6890 tables 1 to 20: loopback, link-local, private-use and unique-local (read 2026-11-22)
 */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Names that `trusted_proxies` knows besides addresses. */
export const PROXY_NAMES = Object.keys(NAMED)

/**
 * Makes the value of Fastify's `trustProxy`: a function that tells whether an address, with or without a port, is a proxy whose `X-Forwarded-For` is believed; false
 * without proxies.
 *
 * @param proxies addresses, networks such as 10.0.0.0/8, or names of networks; as the config's check let them pass
 */
export function trusts(proxies: readonly string[]): false | ((address: string) => boolean) {
  if (proxies.length === 0) return false
  const list = new BlockList()
  for (const proxy of proxies.flatMap((each) => NAMED[each] ?? [each])) {
    const [text = '', prefix] = proxy.split('/')
    const address = bareAddress(text) ?? text
    const [family, whole] = isIPv4(address) ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
    // An IPv4 network in IPv6 notation counts its bits from the start of that.
    const bits = prefix === undefined ? whole : Number(prefix) - (family === 'ipv4' && text.includes(':') ? 96 : 0)
    list.addSubnet(address, Math.max(0, bits), family)
  }
  return (text) => {
    const address = bareAddress(text)
    return address !== null && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}

/** Returns the address that a request came from: the nearest address that is no trusted proxy's; null when a proxy wrote something that is no address. */
export function addressOf(request: Pick<FastifyRequest, 'ip'>): string | null {
  return bareAddress(request.ip)
}

/** Returns an address without the port, brackets and zone that proxies add to it, IPv4 in its own notation; null when it is none. */
function bareAddress(text: string | undefined): string | null {
  if (text !== undefined && isIPv4(text)) return text
  const input = (text ?? '').trim()
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(input)?.[1]
  const withPort = /^([\d.]+):\d{1,5}$/.exec(input)?.[1]
  const [address = ''] = (bracketed ?? withPort ?? input).split('%')
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  return isIP(address) === 0 ? null : address.toLowerCase()
}
