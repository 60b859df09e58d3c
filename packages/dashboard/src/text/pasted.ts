import { type NamedProtocol, networkName } from './networks.ts'

/** Query for a text that was pasted or typed: members of the query of Activity and Transactions. */
export type Sought =
  | { readonly by: 'protocol'; readonly value: string; readonly name: string }
  | { readonly by: 'network'; readonly value: string; readonly name: string }
  | { readonly by: 'q'; readonly value: string; readonly hint: string | null }

/** Says that a part of a hash finds nothing. The service finds hashes and addresses by an index of the whole. */
export const WHOLE_ONLY = 'A hash, an address or an id is found only whole: paste all of it.'

/**
 * Recognises what people paste: a protocol by its short name or title and a network by its name or CAIP-2 become filters; the start of a key's value, `svc_` and an id,
 * becomes the id. All else is the service's to find: a whole hash, wallet, identity, request id, code or name of a key, or a part of a sentence.
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
  return { by: 'q', value: id, hint: isPart(id) ? WHOLE_ONLY : null }
}

/**
 * Tells a part of something that is found only whole: hex that is no address (20 bytes), hash or object (32 bytes) or signature (64 or 65); a text that was shortened; a
 * start of a key's value.
 */
function isPart(text: string): boolean {
  if (/^\S+(…|\.\.\.)\S*$/.test(text) || /^svc[mo]?_/i.test(text)) return true
  const [, prefix, digits = ''] = /^(0x)?([0-9a-f]+)$/i.exec(text) ?? []
  // Without 0x a short text may be a word or a number.
  const few = prefix === undefined && (digits.length < 12 || /^\d+$/.test(digits))
  return digits !== '' && !few && ![40, 64, 128, 130].includes(digits.length)
}
