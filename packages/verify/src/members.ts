import { bytesOf } from './bytes/hex.ts'
import { DecodeError, shown } from './errors.ts'

/**
 * Reads exactly the named members of a part of a craft response, each once, so that the checked value is the one used.
 *
 * @param what names the part in messages
 * @throws DecodeError when it is no object, a member is missing, or there is another one
 */
export function membersOf<Name extends string>(part: unknown, what: string, names: readonly Name[]): Readonly<Record<Name, unknown>> {
  const nameList = names.join(', ')
  if (typeof part !== 'object' || part === null || Array.isArray(part)) {
    throw new DecodeError(`${what} is ${shown(part)}; it must be an object with ${nameList}`)
  }
  for (const key of Object.keys(part)) {
    if (!names.includes(key as Name))
      throw new DecodeError(`${what} has a member ${shown(key)} that is not read; it may have only ${nameList}`)
  }
  const members = {} as Record<Name, unknown>
  for (const name of names) {
    if (!Object.hasOwn(part, name)) throw new DecodeError(`${what} has no member ${name}; it must have ${nameList}`)
    members[name] = (part as Record<Name, unknown>)[name]
  }
  return members
}

/**
 * Decodes a member that is hex in lower case and without `0x`.
 *
 * @param most bytes that are worth reading
 * @throws DecodeError when it is anything else
 */
export function plainHexOf(name: string, text: unknown, most: number): Uint8Array {
  const readable = typeof text === 'string' && text.length <= 2 * most && /^[0-9a-f]+$/.test(text)
  const bytes = readable ? bytesOf(`0x${text}`) : null
  if (bytes !== null) return bytes
  throw new DecodeError(
    `${name} is ${shown(text)}; it must be an even number of hex digits in lower case, without 0x, ${most} bytes at most`,
  )
}
