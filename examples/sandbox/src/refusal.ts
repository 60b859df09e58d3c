import { MismatchError, type TrustDocument } from '@svc/client'
import { Refused } from './files.ts'
import { say } from './story.ts'

/** The document of a caller who had agreed to other terms of one protocol. */
export function pinning(trust: TrustDocument, path: string, terms: Readonly<Record<string, string | number>>): TrustDocument {
  const protocols = trust.protocols.map((protocol) =>
    protocol.path === path
      ? { path, networks: protocol.networks.map((network) => ({ ...network, terms: { ...network.terms, ...terms } })) }
      : protocol,
  )
  return { ...trust, protocols }
}

/** Prints why the client refuses a craft. @throws Refused when it does not */
export async function sayRefusal(craft: Promise<unknown>): Promise<void> {
  const error = await craft.then(
    () => new Refused('A transaction on other terms than the pinned ones was taken.'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof MismatchError)) throw error
  say(`refused    ${error.message}`)
}
