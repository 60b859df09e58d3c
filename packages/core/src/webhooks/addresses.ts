import { BlockList, isIP } from 'node:net'

/**
 * Addresses of IPv4 that are not on the public internet.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry/iana-ipv4-special-registry.xhtml (read 2026-11-22)
 */
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  // The platform of Azure, from every machine in it. https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 (read 2026-11-25)
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/**
 * Range of IPv6 that is public: only global unicast, less the addresses in it that stand for something else. IPv4-mapped addresses, `::/96`, the
 * prefixes of NAT64, unique local addresses (a cloud's metadata among them) and link-local ones are not public.
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/iana-ipv6-special-registry.xhtml (read 2026-11-22)
 */
const PUBLIC_6 = ['2000::', 3] as const
const NOT_PUBLIC_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

const denied = new BlockList()
for (const [net, bits] of NOT_PUBLIC_4) denied.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of NOT_PUBLIC_6) denied.addSubnet(net, bits, 'ipv6')
const global = new BlockList()
global.addSubnet(...PUBLIC_6, 'ipv6')

/** Tells whether an address is one of the public internet; a text that is no address is not. */
export function isPublic(address: string): boolean {
  // A scope as in fe80::1%eth0 is of an interface, which nothing public needs.
  if (address.includes('%')) return false
  if (isIP(address) === 4) return !denied.check(address, 'ipv4')
  return isIP(address) === 6 && global.check(address, 'ipv6') && !denied.check(address, 'ipv6')
}
