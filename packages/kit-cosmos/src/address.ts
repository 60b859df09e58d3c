import { fromBech32 } from '@cosmjs/encoding'
import { malformedAnswer } from '@svc/contract'
import { Type } from 'typebox'
import { badRequest } from './codes.ts'

/** Bytes of an address: 20 where it comes from a key, 32 for modules, contracts and interchain accounts. @see https://docs.cosmos.network/v0.50/build/architecture/adr-028-public-key-addresses (read 2026-11-21) */
const LENGTHS = [20, 32]

/** Makes the schema of an account address on the wire, which begins with the chain's prefix. */
export function addressSchema(prefix: string, example: string) {
  return Type.Unsafe<string>({
    type: 'string',
    description: `Account address: Bech32 with the prefix ${prefix}, in one case.`,
    examples: [example],
    'x-address': true,
  })
}

/** Checks an account address, and returns it in lower case. @throws 400 ADDRESS_INVALID */
export function accountAddress(prefix: string, text: string): string {
  const reason = flawOf(prefix, text)
  if (reason === null) return text.toLowerCase()
  throw badRequest(
    'ADDRESS_INVALID',
    `"${text.slice(0, 100)}" is not an account address of this chain: ${reason}. It would begin with ${prefix}1.`,
  )
}

/** Checks an account address in a node's answer, and returns it; the chain writes it in lower case. @throws EndpointError for what is none */
export function answeredAddress(prefix: string, text: string): string {
  if (text !== text.toLowerCase() || flawOf(prefix, text) !== null) throw malformedAnswer(text)
  return text
}

/** Makes the schema of a validator's operator address in the settings, which checks its checksum too. */
export function validatorSchema(prefix: string) {
  const base = Type.String({ description: `The operator's validator: its address, which begins with ${prefix}valoper1.` })
  return Type.Refine(
    base,
    (text) => text === text.toLowerCase() && flawOf(`${prefix}valoper`, text) === null,
    (text) => `must be a validator's address, ${prefix}valoper1…: ${flawOf(`${prefix}valoper`, text) ?? 'it is not in lower case'}`,
  )
}

/** Tells why a text is no address with that prefix; null when it is one. */
function flawOf(prefix: string, text: string): string | null {
  let read: ReturnType<typeof fromBech32>
  try {
    read = fromBech32(text, 90)
  } catch {
    return text !== text.toLowerCase() && text !== text.toUpperCase()
      ? 'it mixes upper and lower case'
      : 'it is not Bech32 with a right checksum'
  }
  if (read.prefix !== prefix) return `its prefix is ${read.prefix}`
  return LENGTHS.includes(read.data.length) ? null : `it stands for ${read.data.length} bytes instead of 20 or 32`
}
