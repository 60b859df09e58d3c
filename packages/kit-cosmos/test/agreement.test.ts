import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import t from 'tap'
import { cosmosAgreement } from '../src/agreement.ts'

const query = (path: string) => ({ path, data: '', prove: false })
const SIMULATE = '/cosmos.tx.v1beta1.Service/Simulate'
const ruleOf = (path: string) => cosmosAgreement.rule('abci_query', query(path))
const answer = (value: string | null, more: object = {}) => ({ response: { code: 0, log: '', value, height: '7', ...more } })
const simulated = (gasUsed: bigint, paid = '5uatom') => {
  const events = paid === '' ? [] : [{ type: 'withdraw_rewards', attributes: [{ key: 'amount', value: paid, index: false }] }]
  const response = SimulateResponse.fromPartial({ gasInfo: { gasWanted: 0n, gasUsed }, result: { events } })
  return answer(Buffer.from(SimulateResponse.encode(response).finish()).toString('base64'))
}

t.test('an answer of the application is the same whatever the height, and a refusal with its words', (t) => {
  const rule = ruleOf('/cosmos.bank.v1beta1.Query/Balance')
  const part = (result: unknown) => rule?.part?.(result)
  t.equal(rule?.choose, undefined)
  t.strictSame(part(answer('AAAA')), part(answer('AAAA', { height: '8', index: '1', info: 'x', codespace: '' })))
  t.strictSame(part(answer(null)), part(answer('')), 'an empty message is written in two ways')
  t.strictSame(part(answer('AAAA', { log: 'a' })), part(answer('AAAA', { log: 'b' })))
  t.strictNotSame(part(answer('AAAA')), part(answer('AAAB')))
  t.strictNotSame(part(answer(null, { code: 22 })), part(answer(null)))
  t.strictNotSame(part(answer(null, { code: 22, log: 'a' })), part(answer(null, { code: 22, log: 'b' })))
  t.end()
})

t.test('a caller is told what they do not agree about', (t) => {
  t.equal(ruleOf('/cosmos.auth.v1beta1.Query/AccountInfo')?.member, 'sequence')
  t.equal(ruleOf('/cosmos.bank.v1beta1.Query/Balance')?.member, 'balance')
  t.equal(ruleOf('/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom')?.member, 'balance')
  t.equal(ruleOf('/cosmos.staking.v1beta1.Query/Delegation')?.member, 'Delegation')
  t.equal(ruleOf(SIMULATE)?.member, 'gas')
  t.equal(cosmosAgreement.rule('block', {}), undefined)
  t.end()
})

t.test('of two simulations the one that used more gas is taken, within two in a hundred', (t) => {
  const rule = ruleOf(SIMULATE)
  const chosen = (one: unknown, other: unknown) => rule?.choose?.(one, other)
  t.equal(chosen(simulated(100_000n), simulated(102_000n)), 'other')
  t.equal(chosen(simulated(102_000n), simulated(100_000n)), 'one')
  t.equal(chosen(simulated(100_000n), simulated(102_001n)), null)
  t.equal(chosen(simulated(102_001n), simulated(100_000n)), null)
  t.equal(chosen(simulated(100_000n, '5uatom'), simulated(100_000n, '17uatom')), 'one', 'what is paid out grows')
  t.equal(chosen(simulated(100_000n, '5uatom'), simulated(100_000n, '5uosmo')), null)
  t.equal(chosen(simulated(100_000n, '5uatom'), simulated(100_000n, '')), null)
  t.equal(chosen(simulated(100_000n), answer(null, { code: 5 })), null)
  t.equal(chosen(answer(null, { code: 5 }), simulated(100_000n)), null)
  const part = (result: unknown) => rule?.part?.(result)
  t.strictSame(part(answer(null, { code: 5, log: 'a' })), part(answer(null, { code: 5, log: 'b' })), 'both refuse')
  t.strictNotSame(part(answer(null, { code: 5 })), part(answer(null, { code: 6 })))
  t.strictNotSame(part(answer('AAAA')), part(answer('AAAB')))
  t.end()
})

t.test('a query is asked for by its height, and a simulation stays as it is', (t) => {
  const { height } = cosmosAgreement
  t.equal(height?.most, 3n)
  t.equal(height?.read({ sync_info: { latest_block_height: '12' } }), 12n)
  t.throws(() => height?.read({ sync_info: { latest_block_height: '0' } }))
  t.strictSame(height?.at('abci_query', query('/x'), 9n), { ...query('/x'), height: '9' })
  t.strictSame(height?.at('abci_query', query(SIMULATE), 9n), query(SIMULATE))
  t.strictSame(height?.at('block', { height: '3' }, 9n), { height: '3' })
  t.end()
})
