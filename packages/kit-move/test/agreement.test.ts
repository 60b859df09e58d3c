import t from 'tap'
import { sameWork } from '../src/agreement.ts'

const state = { epoch: 7n, price: 1000n }
const visit = (value: unknown) => ({ value, state })

t.test('two nodes agree where the results are the same to the last member', (t) => {
  const value = { terms: { gasBudget: 5n, payment: [{ version: 1n }] }, bytes: Uint8Array.of(1, 2) }
  const one = visit(value)
  t.equal((sameWork(one, visit(structuredClone(value))) as { value: unknown }).value, one)
  for (const [other, member] of [
    [{ ...value, terms: { ...value.terms, gasBudget: 6n } }, 'gasBudget'],
    [{ ...value, terms: { ...value.terms, payment: [{ version: 2n }] } }, 'version'],
    [{ ...value, terms: { ...value.terms, payment: [] } }, 'version'],
    [{ ...value, bytes: Uint8Array.of(1, 3) }, 'bytes'],
    [null, 'gasBudget'],
  ] as const)
    t.strictSame(sameWork(one, visit(other)), { member }, member)
  t.strictSame(sameWork(one, { value, state: { ...state, epoch: 8n } }), { member: 'epoch' })
  t.strictSame(sameWork<unknown>([1n], [2n]), { member: 'answer' })
  t.end()
})

t.test('what stands under an address is told without the address', (t) => {
  const at = (amount: bigint) => visit({ stakes: { [`0x${'ab'.repeat(32)}`]: amount } })
  t.strictSame(sameWork(at(1n), at(2n)), { member: 'stakes' })
  t.strictSame(sameWork(at(1n), visit({ stakes: {} })), { member: 'stakes' })
  t.end()
})
