import type { EvmCraft } from '@svc/verify/evm'
import { concat, decodeRlp, encodeRlp, keccak256, type RlpStructuredDataish, toBeHex } from 'ethers'
import type { SignedForm } from '../../family.ts'

/** Order of secp256k1: chains take an s below its half. @see https://www.secg.org/sec2-v2.pdf section 2.4.1 (read 2026-11-21) */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const [TO, V, R, S, FIELDS] = [3, 6, 7, 8, 9]

/** Signed transactions of EVM chains: legacy ones, and those of the types 1 and 2. */
export const signedForm: SignedForm = {
  join({ serialized_tx_hex: text, r, s, v }) {
    const bytes = String(text)
    const isTyped = /^0x0[12]/.test(bytes)
    const fields = listOf(isTyped ? `0x${bytes.slice(4)}` : bytes)
    const parity = BigInt(Number(v) - 27)
    const signature = [integer(BigInt(String(r))), integer(BigInt(String(s)))]
    if (isTyped) return concat([bytes.slice(0, 4), encodeRlp([...fields, integer(parity), ...signature])])
    return encodeRlp([...fields.slice(0, V), integer(35n + 2n * BigInt(String(fields[V])) + parity), ...signature])
  },
  chosen: { gasPrice: 'half', gasLimit: 'more' },
  attacks(signed) {
    const fields = listOf(signed).map(String)
    const replaced = (...values: readonly (readonly [number, string])[]) =>
      encodeRlp(values.reduce((all, [at, value]) => all.with(at, value), fields))
    const [v, s] = [BigInt(fields[V] ?? 0), BigInt(fields[S] ?? 0)]
    return [
      ['an s in the upper half', replaced([S, integer(ORDER - s)], [V, integer(v % 2n === 0n ? v - 1n : v + 1n)])],
      ['a v of the other parity', replaced([V, integer(v % 2n === 0n ? v - 1n : v + 1n)])],
      ['a v of another chain', replaced([V, integer(v + 2n)])],
      ['a v of any chain', replaced([V, integer(27n)])],
      ['no signature', replaced([V, '0x'], [R, '0x'], [S, '0x'])],
      ['r and s of zero', replaced([R, '0x'], [S, '0x'])],
      ['a leading zero in r', replaced([R, `0x00${fields[R]?.slice(2)}`])],
      ['a leading zero in the nonce', replaced([0, `0x00${fields[0]?.slice(2)}`])],
      ['a field more', encodeRlp([...fields, '0x'])],
      ['a field less', encodeRlp(fields.slice(0, FIELDS - 1))],
      ['a byte behind it', `${signed}00`],
      ['a byte less', signed.slice(0, -2)],
      ['the envelope of a blob transaction', `0x03${signed.slice(2)}`],
      ['the envelope of EIP-7702', `0x04${signed.slice(2)}`],
      ['a megabyte of zeros', `0x${'00'.repeat(1024 * 1024)}`],
    ]
  },
  envelopes(unsigned) {
    const craft = unsigned as EvmCraft
    const fields = listOf(craft.serialized_tx_hex).map(String)
    return [
      { name: 'type 1', unsigned: typed(craft, 1, fields), signed: 'same' },
      { name: 'type 2', unsigned: typed(craft, 2, fields), signed: 'same' },
      { name: 'type 2 with an access list', unsigned: typed(craft, 2, fields, [[fields[TO] ?? '', []]]) },
    ]
  },
}

/** The same transaction as wallets write it whose chain has types, EIP-2930 and EIP-1559. */
function typed(craft: EvmCraft, type: 1 | 2, fields: readonly string[], list: RlpStructuredDataish = []): EvmCraft {
  const [nonce = '', price = '', limit = '', to = '', value = '', data = '', chainId = ''] = fields
  const prices = type === 1 ? [price] : ['0x01', price]
  const serialized_tx_hex = concat([`0x0${type}`, encodeRlp([chainId, nonce, ...prices, limit, to, value, data, list])])
  return { ...craft, serialized_tx_hex, unsigned_tx_hash_hex: keccak256(serialized_tx_hex) }
}

function listOf(text: string): RlpStructuredDataish[] {
  const fields = decodeRlp(text)
  if (typeof fields === 'string') throw new RangeError('the transaction is no list')
  return fields
}

/** As RLP has it: without leading zeros. */
function integer(value: bigint): string {
  return value === 0n ? '0x' : toBeHex(value)
}
