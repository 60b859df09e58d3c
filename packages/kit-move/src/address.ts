import { Type } from 'typebox'
import { badRequest } from './codes.ts'

const FORM = /^0x[0-9a-fA-F]{64}$/

/** A wallet address on the wire: 0x and 64 hexadecimal digits, in either case. */
export const MoveAddress = Type.Unsafe<string>({
  type: 'string',
  description: 'Address: 0x and 64 hexadecimal digits.',
  examples: ['0x160179a1565ea7cff27ead23f54cc7f50893bf58155cd7285156e57afa31c3ac'],
  'x-address': true,
})

/** An object id on the wire; it has the form of an address, and is made canonical as one. */
export const MoveObjectId = Type.Unsafe<string>({
  type: 'string',
  description: 'Object id: 0x and 64 hexadecimal digits.',
  examples: ['0x3333333333333333333333333333333333333333333333333333333333333333'],
  'x-address': true,
})

/**
 * Checks an address or object id, and returns it in lower case. Refuses short forms such as `0x5`, which stand for a truncated text where a wallet or a position is meant.
 *
 * @throws 400 ADDRESS_INVALID
 */
export function canonicalAddress(text: string): string {
  if (FORM.test(text)) return text.toLowerCase()
  throw badRequest('ADDRESS_INVALID', `"${text.slice(0, 100)}" is neither an address nor an object id: 0x and 64 hexadecimal digits.`)
}
