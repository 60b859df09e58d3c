import { Interface } from 'ethers'
import fc from 'fast-check'
import t from 'tap'
import { decodeAggregate, encodeAggregate } from '../src/aggregate.ts'

const multicall3 = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((data) => `0x${Buffer.from(data).toString('hex')}`)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((data) => `0x${Buffer.from(data).toString('hex')}`)

t.test('calls are written as the general coder writes them', async (t) => {
  const calls = fc.array(fc.record({ to: address, data: bytes(140) }), { maxLength: 8 })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(calls, (given) => {
        const expected = multicall3.encodeFunctionData('aggregate3', [given.map(({ to, data }) => [to, true, data])])
        return encodeAggregate(given) === expected
      }),
    ),
  )
})

t.test('answers are read as the general coder writes them', async (t) => {
  const results = fc.array(fc.record({ ok: fc.boolean(), data: bytes(140) }), { maxLength: 8 })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(results, (given) => {
        const answer = multicall3.encodeFunctionResult('aggregate3', [given.map(({ ok, data }) => [ok, data])])
        return JSON.stringify(decodeAggregate(answer, given.length)) === JSON.stringify(given)
      }),
    ),
  )
})

t.test('an answer that was cut, or is about another number of calls, is refused', async (t) => {
  const answer = multicall3.encodeFunctionResult('aggregate3', [
    [
      [true, `0x${'ab'.repeat(40)}`],
      [false, '0x'],
    ],
  ])
  const malformed = { statusCode: 502, code: 'UPSTREAM_ERROR' }
  for (const count of [0, 1, 3]) t.throws(() => decodeAggregate(answer, count), malformed)
  for (const length of [2, 4, 66, 130, answer.length - 64])
    t.throws(() => decodeAggregate(answer.slice(0, length), 2), malformed, `cut to ${length}`)
  t.throws(() => decodeAggregate(`0x${'ff'.repeat(64)}`, 1), malformed)
})
