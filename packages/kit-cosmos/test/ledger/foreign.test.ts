import t from 'tap'
import { amountsByDenom, areSameCoins, earningsOf, foreignKey, keepDenoms } from '../../src/ledger/foreign.ts'

const HASH = '27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2'
const names = (count: number, letter: string) => Array.from({ length: count }, (_, index) => `${letter}${String(index).padStart(3, '0')}`)

t.test('a book keeps 64 denominations, and none that it keeps makes place for another', async (t) => {
  t.same(keepDenoms([], []), { denoms: [], isPartial: false })
  t.same(keepDenoms([], ['uc', 'ub', 'uc']), { denoms: ['ub', 'uc'], isPartial: false }, 'new ones by their names, each once')
  const early = names(60, 'm')
  t.same(keepDenoms(early, ['m001']), { denoms: early, isPartial: false }, 'what is paid out is kept all the same')
  const full = keepDenoms(early, names(6, 'a'))
  t.same(full, { denoms: [...early, ...names(4, 'a')], isPartial: true })
  const flooded = keepDenoms(full.denoms, [...names(5_000, 'A'), 'a000', 'm059'])
  t.same(flooded, { denoms: full.denoms, isPartial: true }, 'thousands of others change nothing')
  t.same(keepDenoms(flooded.denoms, ['m059', 'a003']), { denoms: full.denoms, isPartial: false }, 'when they are gone, nothing is left out')
})

t.test('a key names a denomination as CAIP-19 would, and no two the same', async (t) => {
  t.equal(foreignKey(`ibc/${HASH}`), `foreign:ics20:${HASH}`)
  t.equal(foreignKey(`ibc/${HASH.toLowerCase()}`), `foreign:denom:ibc%2F${HASH.toLowerCase()}`, 'a hash is written in one way')
  t.equal(foreignKey('factory/osmo1x_y:z/u-a.b'), 'foreign:denom:factory%2Fosmo1x%5Fy%3Az%2Fu-a.b')
  t.match(foreignKey(`u${'/'.repeat(127)}`), /^[-.%:a-zA-Z0-9]{10,400}$/, 'whatever a stranger calls it')
  const denoms = ['ics20:AB', 'ibc/AB', 'denom:ibc', 'a/b', 'a.2Fb', 'a-2Fb', `ics20:${HASH}`, `ibc/${HASH}`]
  t.equal(new Set(denoms.map(foreignKey)).size, denoms.length)
})

t.test('coins that no chain has are no answer', async (t) => {
  type List = readonly (readonly [denom: string, amount: bigint])[]
  const read = (...list: List) => amountsByDenom(list.map(([denom, amount]) => ({ denom, amount })))
  const coins = (...list: List) => read(...list) ?? new Map<string, bigint>()
  t.same(Object.fromEntries(coins(['uatom', 2n], ['ibc/27', 0n], ['constructor', 9n])), { uatom: 2n, constructor: 9n })
  for (const denom of ['=cmd', 'factory/osmo1/=cmd', "=HYPERLINK('x')", '<b>', 'u\n', 'u\u202e', 'ab', '', `u${'x'.repeat(128)}`, 'a b c'])
    t.equal(read([denom, 1n]), null, denom)
  t.equal(read(['uatom', 1n], ['uatom', 1n]), null)
  t.ok(areSameCoins(coins(['uatom', 2n], ['ibc/27', 3n]), coins(['ibc/27', 3n], ['uatom', 2n], ['uzero', 0n])))
  t.notOk(areSameCoins(coins(['uatom', 2n], ['ibc/27', 3n]), coins(['uatom', 2n], ['ibc/27', 4n])))
  t.notOk(areSameCoins(coins(['uatom', 2n], ['ibc/27', 3n]), coins(['uatom', 2n])))
  t.notOk(areSameCoins(coins(['uatom', 2n]), coins(['uatom', 2n], ['ibc/27', 3n])))
})

t.test('what a book did not know at its last reading is no reward, and what it leaves out is said', async (t) => {
  const proof = { proven: true } as const
  const notDeclared = { unknown: 'not_declared' }
  t.same(earningsOf(proof, ['foreign:a'], { isNew: false, isPartial: false }), { rewards: proof, foreign: proof, 'foreign:a': proof })
  t.same(earningsOf(proof, ['foreign:a'], { isNew: true, isPartial: false }), { rewards: proof, foreign: proof, 'foreign:a': notDeclared })
  t.same(earningsOf(proof, ['foreign:a'], { isNew: false, isPartial: true }), { rewards: proof, foreign: notDeclared, 'foreign:a': proof })
})
