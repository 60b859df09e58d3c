import type { PageRequest } from '../../realm/staking.ts'

/** Path under which a transaction is asked about, whatever the protocol. */
const TRANSACTIONS = '/api/v1/transactions'

/**
 * Checks the address of a request that an intent's client may have the page send with its key: one of the protocol's own, or about a transaction.
 *
 * @param base address of the service, without a slash at the end
 * @param protocolPath path of the protocol, from the service's root
 * @throws Error with a sentence for any other
 */
export function ownAddress({ method, url }: Pick<PageRequest, 'method' | 'url'>, base: string, protocolPath: string): string {
  const { href, pathname } = new URL(url)
  const isOwn = [protocolPath, TRANSACTIONS].some((path) => href.startsWith(`${base}${path}/`))
  // A path that says its slashes in another way could be led out of the protocol behind this page.
  if (isOwn && ['GET', 'POST'].includes(method) && !/%2f|%5c|%2e/i.test(pathname)) return href
  throw new Error(`An intent asks for ${method} ${pathname}, which is none of its protocol’s.`)
}
