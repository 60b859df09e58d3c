import t from 'tap'
import { type ActionIntent, amount, correctedAmount, type Intent, judge, rightNames } from '../src/intent/index.ts'

const network = { chainId: 'x', caip2: 'x:main', decimals: 0, symbol: 'TOY', max_fee: '5' }
type Input = { readonly amount: typeof amount }
const exit: ActionIntent<object, Input, { readonly shares: bigint }> = {
  input: { amount },
  effects: () => ({ signers: [], calls: [] }),
  factsOf: (_decoded, terms, { amount }) => {
    const { facts, claimed } = correctedAmount(amount, amount, terms)
    return { facts: { shares: facts.amount }, claimed }
  },
}
const stake: ActionIntent<object, Input> = { input: { amount }, effects: () => ({ signers: [], calls: [] }) }
const dictated = ['nonce', 'gasLimit'].map((fact) => ({ fact, bound: 'none', cost: 'nothing', read: () => ({ value: '7' }) }))
const family = {
  name: 'toy',
  signer: 'address',
  dictated,
  claimed: () => dictated.map(({ fact }) => ({ fact, value: '7', bound: 'none', holds: true })),
  validity: () => 'valid',
} as unknown as Intent['family']
const intent: Intent<object> = { family, path: '/toy', terms: {}, actions: {}, layouts: () => ({}), describe: () => null }
const paid = { chainId: 'x', signers: [], calls: [], terms: {}, maxFee: 1n }
const judged = (action: ActionIntent<object, Input, any>, facts: object) =>
  judge({ intent, action, terms: network, input: { amount: 5n }, facts }, paid)

t.test('a fact with a name that is none is refused with the one that was meant: nothing that a caller pins is believed', async (t) => {
  t.match(judged(stake, { nounce: 7n }), {
    mismatches: [{ path: 'facts.nounce', expected: 'nonce; there are nonce and gasLimit', found: 'the name of no fact of this action' }],
  })
  t.match(judged(stake, { nonce: 7n, gaslimit: 7n }), { mismatches: [{ path: 'facts.gaslimit', expected: /^gasLimit;/ }] })
  t.match(
    judged(stake, { shares: 7n }),
    { mismatches: [{ path: 'facts.shares', expected: 'one of nonce and gasLimit' }] },
    'of another action',
  )
  t.match(judged(stake, { nonce: 7n }), { assumed: [{ fact: 'gasLimit' }] })
  t.match(judged(exit, { share: 5n }), {
    mismatches: [{ path: 'facts.share', expected: /^shares; there are nonce, gasLimit and shares$/ }],
  })
  t.match(
    judged(exit, { shares: 5n }),
    { assumed: [{ fact: 'nonce' }, {}] },
    'a fact that this transaction does not assume has a name all the same',
  )
})

t.test('a family that claims what it does not list has the names of what it claims', async (t) => {
  const { dictated: _, ...bare } = family
  const own = judge(
    { intent: { ...intent, family: bare }, action: stake, terms: network, input: { amount: 5n }, facts: { nonce: 7n } as never },
    paid,
  )
  t.match(own, { assumed: [{ fact: 'gasLimit' }] })
})

t.test('the nearest name is meant, up to a third of its letters', async (t) => {
  t.equal(rightNames('x', []), 'nothing: there is none')
  t.equal(rightNames('nonc', ['nonce']), 'nonce; there is nonce')
  t.equal(rightNames('xnce', ['nonce']), 'one of nonce', 'two of five are more')
  t.equal(rightNames('NONCE', ['gas', 'nonce']), 'nonce; there are gas and nonce')
  t.equal(rightNames('n'.repeat(1000), ['nonce']), 'one of nonce')
})
