import { SvcError } from '@svc/client'
import { printable } from '@svc/verify/intent'

/** Most characters of a sentence of the client, which has whole addresses and amounts in it. */
export const SENTENCE = 2000
/** Most characters of a text that comes from outside of this server. */
const TEXT = 300

/**
 * Makes a text from a service or a chain harmless: characters that do not show are written as their numbers, and it is cut, so that it stays one value among others.
 *
 * @param most characters
 */
export function cleaned(text: string, most = TEXT): string {
  const excerpt = printable(text.slice(0, most)).slice(0, most)
  return text.length > most ? `${excerpt}… (${text.length} characters)` : excerpt
}

/** Returns a code or an id from a service; null when it is not of that form, since then it is a text. */
export function word(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9_.:-]{1,128}$/.test(text) ? text : null
}

/** Makes data of a service, which has no lists and no objects in it, fit to be shown to an agent: names and texts are cleaned, and all members after the first `most` are left out. */
export function flat(data: Readonly<Record<string, unknown>>, most = 64): Readonly<Record<string, string | number | boolean | null>> {
  const entries = Object.entries(data).slice(0, most)
  return Object.fromEntries(
    entries.map(([name, value]) => [
      cleaned(name, 64),
      value === null || typeof value === 'number' || typeof value === 'boolean' ? value : cleaned(String(value)),
    ]),
  )
}

/** Printable ASCII. */
const PLAIN = /^[ -~]*$/

/**
 * Returns a craft that the client has verified, unchanged, for a signer: its decoder leaves no member unread.
 *
 * @throws SvcError when a text in it is more than bytes and numbers in ASCII
 */
export function plain(craft: unknown): unknown {
  if (typeof craft === 'string' && !PLAIN.test(craft))
    throw new SvcError('The craft has a text in it that is not plain ASCII, so it is not shown.')
  if (typeof craft === 'object' && craft !== null) for (const [name, value] of Object.entries(craft)) [name, value].forEach(plain)
  return craft
}

/** Reads the members of an object in an answer. @throws SvcError when it is none */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new SvcError('The service answered in a form that this server does not read.')
}
