import { Refused } from '../intent/refusal.ts'
import type { WalletCall } from '../intent/signing.ts'
import type { Decoded } from '../types.ts'
import { encodeCall } from './abi.ts'

/** Writes the call of a decoded transaction anew, from its arguments: not a byte of the answer that it was read from is passed on. @throws Refused for a method that is not known */
export function callOf({ calls }: Decoded): WalletCall {
  const [call] = calls
  if (call === undefined || calls.length > 1 || call.method.startsWith('unknown '))
    throw new Refused('calls', 'one call of a known method', `${calls.length}: ${call?.method}`)
  const { target, method, args, value } = call
  return { to: target, value: `0x${value.toString(16)}`, data: method === '' ? '0x' : encodeCall(method, args) }
}
