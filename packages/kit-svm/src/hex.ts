import { badRequest } from './codes.ts'

/** Bytes of a hex text of either case, with or without 0x. @throws 400 HEX_INVALID */
export function readHex(text: string, name: string, mostBytes: number): Buffer {
  const digits = text.replace(/^0x/i, '')
  if (digits === '') throw badRequest('HEX_INVALID', `${name} is empty.`)
  if (digits.length > 2 * mostBytes)
    throw badRequest('HEX_INVALID', `${name} has ${digits.length} hex digits; it may have ${2 * mostBytes}, which are ${mostBytes} bytes.`)
  if (!/^[0-9a-fA-F]+$/.test(digits)) throw badRequest('HEX_INVALID', `${name} is not hexadecimal text.`)
  if (digits.length % 2 !== 0) throw badRequest('HEX_INVALID', `${name} has an odd number of digits: it was cut short.`)
  return Buffer.from(digits, 'hex')
}
