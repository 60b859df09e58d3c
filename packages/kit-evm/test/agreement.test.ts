import t from 'tap'
import { evmAgreement } from '../src/agreement.ts'

const chosen = (method: string, one: unknown, other: unknown) => evmAgreement.rule(method, [])?.choose?.(one, other)
const hex = (value: number) => `0x${value.toString(16)}`

t.test('of two fee levels the lower one is taken, as far as two blocks can move it; of two estimates the higher one', (t) => {
  t.equal(chosen('eth_gasPrice', hex(1000), hex(1270)), 'one')
  t.equal(chosen('eth_gasPrice', hex(1270), hex(1000)), 'other')
  t.equal(chosen('eth_gasPrice', hex(1000), hex(1271)), null)
  t.equal(chosen('eth_gasPrice', hex(1271), hex(1000)), null)
  t.equal(chosen('eth_estimateGas', hex(50_000), hex(51_000)), 'other')
  t.equal(chosen('eth_estimateGas', hex(51_000), hex(50_000)), 'one')
  t.equal(chosen('eth_estimateGas', hex(50_000), hex(51_001)), null)
  t.end()
})

t.test('a nonce, a balance and the state of a contract have to be the same, and a caller is told what it was', (t) => {
  for (const [method, member] of [
    ['eth_getTransactionCount', 'nonce'],
    ['eth_getBalance', 'balance'],
    ['eth_call', 'state of a contract'],
    ['eth_getStorageAt', 'state of a contract'],
    ['eth_getCode', 'code'],
  ] as const)
    t.strictSame(evmAgreement.rule(method, []), { member })
  t.equal(evmAgreement.rule('eth_feeHistory', []), undefined, 'and so has what nothing is said of')
  t.end()
})

t.test('a block is the same by its number, time and hash, and events by all that is of the chain', (t) => {
  const block = { number: '0x1', hash: '0xaa', timestamp: '0x2', size: '0x3' }
  const part = (method: string, result: unknown) => evmAgreement.rule(method, [])?.part?.(result)
  t.strictSame(part('eth_getBlockByNumber', block), part('eth_getBlockByNumber', { ...block, size: '0x4', extra: 1 }))
  for (const name of ['number', 'hash', 'timestamp'])
    t.strictNotSame(part('eth_getBlockByNumber', block), part('eth_getBlockByNumber', { ...block, [name]: '0xbb' }))
  t.equal(part('eth_getBlockByNumber', null), null)
  const log = { address: '0x1', topics: ['0x2'], data: '0x3', blockNumber: '0x4', logIndex: '0x5', removed: false, blockTimestamp: '0x6' }
  t.strictSame(part('eth_getLogs', [log]), part('eth_getLogs', [{ ...log, blockTimestamp: '0x7' }]))
  for (const name of ['address', 'topics', 'data', 'blockNumber', 'logIndex', 'removed'])
    t.strictNotSame(part('eth_getLogs', [log]), part('eth_getLogs', [{ ...log, [name]: 'other' }]), name)
  t.strictNotSame(part('eth_getLogs', [log]), part('eth_getLogs', [log, log]))
  t.equal(part('eth_getLogs', null), null)
  t.end()
})

t.test('what is of the latest state is asked for by its height, and what is not stays as it is', (t) => {
  const { height } = evmAgreement
  t.equal(height?.read('0x10'), 16n)
  t.throws(() => height?.read('none'))
  t.equal(height?.most, 5n)
  const at = (...params: unknown[]) => height?.at('any', params, 16n)
  t.strictSame(at('0xabc', 'latest'), ['0xabc', '0x10'])
  t.strictSame(at({ to: '0xabc' }, 'latest'), [{ to: '0xabc' }, '0x10'])
  t.strictSame(at({ fromBlock: '0x1', toBlock: 'latest' }), [{ fromBlock: '0x1', toBlock: '0x10' }])
  for (const params of [['0xabc', 'pending'], ['0xabc', '0x5'], [], [{ fromBlock: '0x1', toBlock: '0x2' }], [{ to: '0xabc' }]])
    t.strictSame(at(...params), params)
  t.end()
})
