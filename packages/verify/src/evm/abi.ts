import { at } from '../at.ts'
import { digitsOf } from '../bytes/hex.ts'
import { DecodeError, EncodeError, shown } from '../errors.ts'
import type { Value } from '../types.ts'
import { readArguments } from './abi-read.ts'
import { writeArguments } from './abi-write.ts'
import { compileSignature, type Signature } from './signature.ts'

/**
 * Decodes the arguments of a call, keyed by the names in its signature.
 *
 * @param data whole calldata, selector included; it must be byte for byte what the canonical encoding of its own arguments is
 * @throws DecodeError
 */
export function decodeArguments(signature: Signature, data: Uint8Array): Readonly<Record<string, Value>> {
  const values = readArguments(signature.params, data.subarray(4))
  // The reader refuses every deviation by itself; writing the call again proves it, selector included, without trusting the reader.
  if (signature.selector + writeArguments(signature.params, values) !== digitsOf(data)) {
    throw new DecodeError(`the call data is not what a call of ${signature.canonical} with its own arguments encodes to`)
  }
  // fromEntries defines properties, so that a parameter may even be called __proto__.
  return Object.fromEntries(signature.params.map((param, i) => [param.name, at(values, i)]))
}

/**
 * Encodes the calldata of one call, for effects whose arguments contain calls themselves, such as `multicall(bytes[] data)`.
 *
 * @param method signature with named parameters
 * @param args exactly the arguments that `method` names; tuples are lists in the order of their members
 * @returns lower-case 0x hex
 * @throws DecodeError when `method` is no signature; EncodeError when an argument is missing, unknown or does not fit
 */
export function encodeCall(method: string, args: Readonly<Record<string, Value>>): string {
  const { selector, params } = compileSignature(method)
  for (const name of Object.keys(args)) {
    if (!params.some((param) => param.name === name)) throw new EncodeError(`the argument ${shown(name)} is not one of ${method}`)
  }
  const values = params.map(({ name }) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    if (value === undefined) throw new EncodeError(`the argument ${shown(name)} of ${method} is missing`)
    return value
  })
  return `0x${selector}${writeArguments(params, values)}`
}
