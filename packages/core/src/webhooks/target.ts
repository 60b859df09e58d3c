import { isIP } from 'node:net'
import { isReadable, quoted } from '../base/readable-text.ts'
import { isPublic } from './addresses.ts'

/** Rules on where webhooks may be sent. */
export interface TargetRules {
  /** True if a receiver may be on this machine or in its private network, and may use plain http. */
  readonly allowPrivate: boolean
  /** Ports that a receiver may listen on. With `allowPrivate` every port is allowed. */
  readonly ports: readonly number[]
}

/** The address of a receiver, or a sentence on why nothing is sent there. */
type Target = { readonly url: URL } | { readonly refusal: string }

/** Longest address of a receiver, in characters. */
const LONGEST = 2_000
const HTTPS_PORT = 443

/**
 * Looks at a receiver's address, at its creation and before each delivery: the rules may have changed. A name is looked at when it is resolved.
 *
 * The parser has turned every spelling of an address (`127.1`, `0x7f.1`, `2130706433`) into the one that is compared.
 */
export function readTarget(text: string, { allowPrivate, ports }: TargetRules): Target {
  const url = text.length <= LONGEST && URL.canParse(text) ? new URL(text) : null
  const refuse = (sentence: string): Target => ({ refusal: `url is ${quoted(text, 120)}; ${sentence}` })
  // The parser drops tabs and line breaks, and encodes other controls: who typed them meant another address, or means to mislead.
  if (!isReadable(text)) return refuse('it has characters that cannot be seen.')
  if (!url) return refuse(`it must be an address of at most ${LONGEST} characters, like https://example.org/hooks.`)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return refuse('it must begin with https://.')
  if (url.username !== '' || url.password !== '')
    return refuse('a user and a password in it would be in every log: leave them out, the signature says who sends.')
  if (allowPrivate) return { url }
  if (!ports.includes(Number(url.port || HTTPS_PORT))) return refuse(`its port must be ${ports.join(' or ')}.`)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0 ? !isPublic(host) : !host.includes('.') || host.endsWith('.localhost'))
    return refuse('it must be on the public internet.')
  if (isIP(host) === 0 && !NAME.test(host)) return refuse(`${quoted(host)} is no name of a host: letters, digits and hyphens between dots.`)
  return { url }
}

/**
 * A name of a host as the parser writes it, in ASCII: labels of at most 63 letters, digits and inner hyphens, the last one not of digits alone.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1123#section-2 (read 2026-11-25)
 */
const NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
