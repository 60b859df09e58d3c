import type { EvmCraft } from '@svc/verify/evm'
import { decodeRlp, encodeRlp, Interface, keccak256, toQuantity } from 'ethers'
import type { Addition, HiddenCall, HiddenKind } from '../../family.ts'
import { oneOf, randomBytes } from '../shared/random.ts'

// EIP-20, EIP-721, EIP-173 and EIP-7540: https://eips.ethereum.org (read 2026-11-28).
const ABI = new Interface([
  'function approve(address, uint256)',
  'function setApprovalForAll(address, bool)',
  'function setOperator(address, bool)',
  'function transferOwnership(address)',
  'function transfer(address, uint256)',
])
const [NONCE, PRICE, LIMIT, TO, DATA] = [0, 1, 2, 3, 5]

/** Makes transactions with another call in place of the honest one, since a transaction of the family has only one. */
export function hiddenCalls(craft: EvmCraft, random: () => number): readonly HiddenCall<EvmCraft>[] {
  const fields = fieldsOf(craft)
  const thief = `0x${randomBytes(random, 20).toString('hex')}`
  const amount = BigInt(1 + Math.floor(random() * 1e15))
  const called = (kind: HiddenKind, name: string, data: string, says = data.slice(0, 10), to = fields[TO] ?? ''): HiddenCall<EvmCraft> => ({
    name,
    kind,
    says,
    unsigned: written(fields.with(DATA, data).with(TO, to)),
  })
  const call = (name: string, args: readonly unknown[]) => ABI.encodeFunctionData(name, args)
  return [
    called('control', 'an approval', call('approve', [thief, oneOf(random, [amount, 2n ** 256n - 1n])])),
    called('control', 'an approval of everything', call('setApprovalForAll', [thief, true])),
    called('control', 'an operator', call('setOperator', [thief, true])),
    called('control', 'another owner', call('transferOwnership', [thief])),
    called('transfer', 'a transfer of tokens', call('transfer', [thief, amount])),
    called('transfer', 'a plain transfer', '0x', thief, thief),
    called('transfer', 'the call with more data behind it', `${fields[DATA]}${randomBytes(random, 32).toString('hex')}`, 'read'),
    called('unknown', 'a method that nobody knows', `0x${randomBytes(random, 4).toString('hex')}`),
    called('unknown', 'a contract of somebody else', fields[DATA] ?? '0x', thief, thief),
  ]
}

/** Makes the changes of wallets and custodians: another price, another gas limit, another nonce. */
export function walletChanges(craft: EvmCraft): readonly Addition<EvmCraft>[] {
  const fields = fieldsOf(craft)
  const more = (at: number, by: bigint) => {
    const value = BigInt(fields[at] === '0x' ? 0 : (fields[at] ?? 0)) + by
    return written(fields.with(at, `0x${value.toString(16).padStart(value.toString(16).length + (value.toString(16).length % 2), '0')}`))
  }
  return [
    { name: 'as it was crafted', unsigned: craft, signed: 'same' },
    { name: 'a price of the wallet', unsigned: more(PRICE, 12_345n), signed: 'told' },
    { name: 'a gas limit of the wallet', unsigned: more(LIMIT, 54_321n), signed: 'told' },
    { name: 'a later nonce', unsigned: more(NONCE, 1n) },
  ]
}

function fieldsOf({ serialized_tx_hex }: EvmCraft): readonly string[] {
  const fields = decodeRlp(serialized_tx_hex)
  if (typeof fields === 'string') throw new RangeError('the transaction is no list')
  return fields.map(String)
}

function written(fields: readonly string[]): EvmCraft {
  const serialized_tx_hex = encodeRlp([...fields])
  const [nonce, gasPrice, gasLimit, to = '', value, data = '', chainId] = fields
  const quantity = (text = '0x') => toQuantity(text === '0x' ? 0 : text)
  const payload = {
    type: '0x0',
    nonce: quantity(nonce),
    gasLimit: quantity(gasLimit),
    to,
    value: quantity(value),
    data,
    gasPrice: quantity(gasPrice),
    chainId: quantity(chainId),
  }
  return { serialized_tx_hex, unsigned_tx_hash_hex: keccak256(serialized_tx_hex), payload }
}
