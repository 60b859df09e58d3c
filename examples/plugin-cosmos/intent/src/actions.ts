import { bytesOf } from '@svc/verify/bytes'
import { addressOfKey, call } from '@svc/verify/cosmos'
import { type ActionIntent, amount, callOf, integerArg, text } from '@svc/verify/intent'
import { beginRedelegate } from './layouts.ts'
import type { Terms } from './terms.ts'

/** Members of a body. The key is secp256k1, compressed or not: hex with or without `0x`. */
const keyAndAmount = { pubkey: text, amount }

/** Moves an amount from one validator to the other. */
export const move: ActionIntent<Terms, typeof keyAndAmount> = {
  input: keyAndAmount,
  effects({ source, target }, { pubkey, amount }) {
    const delegator = addressFrom(pubkey)
    return {
      signers: [delegator],
      calls: [call(beginRedelegate, { delegator, source, target, denom: 'uatom', amount })],
      layouts: [beginRedelegate],
    }
  },
  requestOf: (decoded, pubkey) => ({ pubkey, amount: integerArg(callOf(decoded, 'MsgBeginRedelegate'), 'amount') }),
}

/** Derives the address from a key; the last digit of an uncompressed key says whether y is odd. @throws RangeError for a text that is no key */
function addressFrom(pubkey: string): string {
  const digits = pubkey.replace(/^0x/i, '').toLowerCase()
  const compressed = digits.length === 130 ? `${/[02468ace]$/.test(digits) ? '02' : '03'}${digits.slice(2, 66)}` : digits
  const key = bytesOf(`0x${compressed}`)
  if (key?.length !== 33) throw new RangeError('pubkey is not a secp256k1 key: 33 bytes compressed, or 65')
  return addressOfKey({ prefix: 'cosmos', algorithm: 'secp256k1' }, key)
}
