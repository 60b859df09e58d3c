import { Type } from 'typebox'
import { checksumOf } from './checksum.ts'
import { badRequest } from './codes.ts'

/** An EVM address on the wire: 0x and 40 hexadecimal digits; in mixed case its EIP-55 checksum must be right. */
export const EvmAddress = Type.Unsafe<string>({
  type: 'string',
  description: 'EVM address: 0x and 40 hexadecimal digits; in mixed case the EIP-55 checksum must be right.',
  examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
  'x-address': true,
})

/** Checks an address, and returns it with its EIP-55 checksum. @throws 400 ADDRESS_INVALID */
export function checksumAddress(text: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text))
    throw badRequest('ADDRESS_INVALID', `"${text.slice(0, 80)}" is not an EVM address: 0x and 40 hexadecimal digits.`)
  const lower = `0x${text.slice(2).toLowerCase()}`
  const checked = checksumOf(lower)
  // In one case throughout there is no checksum to be wrong.
  if (text !== checked && text !== lower && text.slice(2) !== lower.slice(2).toUpperCase())
    throw badRequest(
      'ADDRESS_INVALID',
      `${text} has a wrong EIP-55 checksum: a digit was mistyped. The all-lower-case form is accepted too.`,
    )
  return checked
}
