import { isIP } from 'node:net'
import { isPublic } from './addresses.ts'

/** Where webhooks may be sent. */
export interface TargetRules {
  /** Whether receivers on this machine and in its network may be named, and plain http. */
  readonly allowPrivate: boolean
  /** Ports that a receiver may listen on, unless private ones are allowed. */
  readonly ports: readonly number[]
}

/** The address of a receiver, or a sentence on why nothing is sent there. */
export type Target = { readonly url: URL } | { readonly refusal: string }

/** Longest address that is kept. */
const LONGEST = 2_000
const HTTPS_PORT = 443

/**
 * Looks at a receiver's address, at its creation and before each delivery: the rules may have changed. A name is looked at when it is resolved.
 *
 * The parser has turned every spelling of an address (`127.1`, `0x7f.1`, `2130706433`) into the one that is compared.
 */
export function readTarget(text: string, { allowPrivate, ports }: TargetRules): Target {
  const url = text.length <= LONGEST && URL.canParse(text) ? new URL(text) : null
  const refuse = (sentence: string): Target => ({ refusal: `url is ${shown(text)}; ${sentence}` })
  if (!url) return refuse(`it must be an address of at most ${LONGEST} characters, like https://example.org/hooks.`)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return refuse('it must begin with https://.')
  if (url.username !== '' || url.password !== '')
    return refuse('a user and a password in it would be in every log: leave them out, the signature says who sends.')
  if (allowPrivate) return { url }
  if (!ports.includes(Number(url.port || HTTPS_PORT))) return refuse(`its port must be ${ports.join(' or ')}.`)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0 ? !isPublic(host) : !host.includes('.') || host.endsWith('.localhost'))
    return refuse('it must be on the public internet.')
  return { url }
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 120).toWellFormed())
}
