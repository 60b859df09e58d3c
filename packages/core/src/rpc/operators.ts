import { isIP } from 'node:net'

/** Second-level labels under which countries register names, such as `co` in `example.co.uk`: at most three letters, before a country's two. */
const GIVEN_OUT = /^[a-z]{1,3}$/

/**
 * Returns the operator of a host, as far as its name tells: its registered domain. A list of public suffixes would be more exact; without one, `a.abc.de` and `b.abc.de`
 * may count as two operators.
 *
 * @param host with or without a port
 */
export function operatorOf(host: string): string {
  const name = host.startsWith('[') ? host.replace(/\]:\d+$/, ']') : host.replace(/:\d+$/, '')
  if (name.startsWith('[') || isIP(name) !== 0) return name
  const parts = name.toLowerCase().replace(/\.$/, '').split('.')
  const [second = '', top = ''] = parts.slice(-2)
  return parts.slice(top.length === 2 && GIVEN_OUT.test(second) ? -3 : -2).join('.')
}
