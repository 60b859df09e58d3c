import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublic } from './addresses.ts'

/** Finds the addresses of a name. Rejects where there is none. */
export type Resolve = (name: string) => Promise<readonly dns.LookupAddress[]>

/** Code of the error for a name with an address that may not be called. */
export const REFUSED = 'ADDRESS_REFUSED'

const QUERY_MS = 2_000
const TRIES = 2

/**
 * Resolves names by c-ares, which asks over the network and waits for nothing: `dns.lookup` occupies a thread of the few that the whole process has, so
 * that a customer's slow name server would keep keys from being checked.
 */
export function publicResolve(): Resolve {
  const resolver = new dns.promises.Resolver({ timeout: QUERY_MS, tries: TRIES })
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason
    return addresses
  }
}

/** As this machine knows names, those of itself and its network among them. */
export const localResolve: Resolve = (name) => dns.promises.lookup(name, { all: true })

/**
 * Makes the `lookup` of a connection, which connects to the very address that it checked, so that a second answer of a name server cannot be another one. A name of
 * which one address is not public is refused whole.
 */
export function guardedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (!first) return callback(failure('ENOTFOUND', `${hostname} has no address`), '')
        if (!allowPrivate && !addresses.every(({ address }) => isPublic(address)))
          return callback(failure(REFUSED, `${hostname} has an address that is not of the public internet`), '')
        if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

function failure(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}
