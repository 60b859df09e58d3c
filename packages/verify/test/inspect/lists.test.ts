import t from 'tap'
import { unfit } from '../../src/inspect/trust.ts'
import type { Intent } from '../../src/intent/index.ts'

const family = { name: 'toy', signer: 'address', validity: () => 'valid' } as unknown as Intent['family']
const network = { chainId: 'x', caip2: 'x:main', decimals: 0, symbol: 'TOY', max_fee: '5' }
const intent: Intent = {
  family,
  path: '/toy',
  terms: { before: { type: 'list', optional: true, description: 'Those before.' } },
  actions: {},
  layouts: () => ({}),
  describe: () => null,
}

t.test('a list among the pinned terms is of texts and numbers, and may be left out', (t) => {
  for (const before of [undefined, [], ['a'], [1, 'b']]) t.equal(unfit(intent, { ...network, before }), null, JSON.stringify(before))
  for (const before of ['a', 1, { 0: 'a' }, [['a']], [null]])
    t.equal(unfit(intent, { ...network, before }), 'The trust document has no before for /toy that is a list of texts or whole numbers.')
  t.end()
})
