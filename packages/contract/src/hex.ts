import { badRequest } from './codes.ts'

/**
 * Reads the bytes of a hexadecimal text of either case, with or without 0x.
 *
 * @param name of the member, for the sentence
 * @throws 400 HEX_INVALID for an empty text, more bytes than `mostBytes`, any other sign, or half a byte
 */
export function readHex(text: string, name: string, mostBytes: number): Buffer {
  const digits = text.replace(/^0x/i, '')
  const refuse = (why: string) => badRequest('HEX_INVALID', `${name} ${why}.`)
  if (digits === '') throw refuse('is empty')
  if (digits.length > 2 * mostBytes)
    throw refuse(`has ${digits.length} hex digits; it may have ${2 * mostBytes}, which are ${mostBytes} bytes`)
  if (!/^[0-9a-fA-F]+$/.test(digits)) throw refuse('is not hexadecimal text')
  if (digits.length % 2 !== 0) throw refuse('has an odd number of digits: it was cut short')
  return Buffer.from(digits, 'hex')
}
