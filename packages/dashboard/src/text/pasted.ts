import { type NamedProtocol, networkName } from './networks.ts'

/** Query for a text that was pasted or typed: members of the query of Activity and Transactions. */
export type Sought =
  | { readonly by: 'protocol'; readonly value: string; readonly name: string }
  | { readonly by: 'network'; readonly value: string; readonly name: string }
  | { readonly by: 'q'; readonly value: string; readonly hint: string | null }

/** Characters from which on the service finds a hash or an address by its beginning, in Activity and in Transactions. */
const SHORTEST_BEGINNING = 8
/** Says that so little of a hash, an address or an id finds nothing. */
export const TOO_LITTLE = `A hash or an address is found by its first ${SHORTEST_BEGINNING} characters or more, an id only whole: paste more of it.`

/**
 * Recognises what people paste: a protocol by its short name or title and a network by its name or CAIP-2 become filters; the start of a key's value, `svc_` and an id,
 * becomes the id. All else is the service's to find: a hash or wallet by its beginning, a whole identity, request id, code or name of a key, or a part of a sentence.
 */
export function soughtBy(text: string, protocols: readonly NamedProtocol[]): Sought {
  // What is copied out of a table or a message may have spaces and quotes around it.
  const words = text.trim().replace(/^["'`“”]+|["'`“”,;]+$/g, '')
  const same = (other: string) => other.toLowerCase() === words.toLowerCase()
  const protocol = protocols.find((each) => same(each.protocol) || same(each.title))
  if (protocol) return { by: 'protocol', value: protocol.protocol, name: protocol.title }
  for (const { protocol, networks } of protocols) {
    for (const { network, caip2 } of networks) {
      const name = networkName(protocols, network, protocol)
      if (same(name) || same(caip2)) return { by: 'network', value: network, name }
    }
  }
  const [, id = words] = /^svc[mo]?_([0-9A-HJKMNP-TV-Z]{26})$/i.exec(words) ?? []
  return { by: 'q', value: id, hint: isTooLittle(id) ? TOO_LITTLE : null }
}

/** Tells what finds nothing: a text that was shortened, a start of a key's value, and too few digits behind 0x. Without 0x a short text may be a word or a number. */
function isTooLittle(text: string): boolean {
  if (/^\S+(…|\.\.\.)\S*$/.test(text) || /^svc[mo]?_/i.test(text)) return true
  return /^0x[0-9a-f]+$/i.test(text) && text.length < SHORTEST_BEGINNING
}
