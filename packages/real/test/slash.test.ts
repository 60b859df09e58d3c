import t from 'tap'
import type { Books } from '../src/cosmos/books.ts'
import { isOvertaken, slashIn } from '../src/cosmos/slash.ts'

const SCALE = 10n ** 18n
const books = (given: Partial<Books>): Books => ({
  height: 1n,
  coins: 0n,
  staked: 1_000n,
  shares: 1_000n * SCALE,
  validator: { tokens: 10_000n, shares: 10_000n * SCALE },
  rewards: 0n,
  others: new Map(),
  exits: [],
  ...given,
})
const exit = (id: string, begun: bigint, amount: bigint) => ({ id, begun, amount, completes: 0n })

t.test('a slash takes its part of the shares of before, whatever the transaction added', async (t) => {
  // A tenth is slashed, then 900 tokens buy 1,000 shares.
  const after = books({ staked: 1_800n, shares: 2_000n * SCALE, validator: { tokens: 9_900n, shares: 11_000n * SCALE } })
  t.same(slashIn(books({}), after), { stake: 100n, exits: 0n })
})

t.test('a slash takes its part of exits, of the one that grew in the same block too', async (t) => {
  const before = books({ exits: [exit('1', 500n, 500n), exit('2', 300n, 290n)] })
  const worth = { tokens: 9_000n, shares: 10_000n * SCALE }
  const after = books({ staked: 900n, validator: worth, exits: [exit('1', 700n, 650n), exit('2', 300n, 261n), exit('3', 40n, 40n)] })
  t.same(slashIn(before, after), { stake: 100n, exits: 79n })
})

t.test('without a slash nothing is taken, whoever comes or goes, and a share that gained by rounding is no slash', async (t) => {
  const none = { stake: 0n, exits: 0n }
  t.same(slashIn(books({}), books({ staked: 1_500n, validator: { tokens: 10_500n, shares: 10_500n * SCALE } })), none)
  t.same(slashIn(books({}), books({ staked: 999n, validator: { tokens: 9_001n, shares: 9_000n * SCALE } })), none)
  t.same(slashIn(books({ staked: 0n, shares: 0n, validator: { tokens: 0n, shares: 0n } }), books({})), none)
  t.same(slashIn(books({}), books({ staked: 0n, shares: 0n, validator: { tokens: 0n, shares: 0n } })), none)
})

t.test('an exit is overtaken where a slash left less, in its block or before, and nowhere else', async (t) => {
  const none = { stake: 0n, exits: 0n }
  t.notOk(isOvertaken(1_001n, books({}), none), 'more than there is, of a validator that was never slashed, is a fault of who crafted it')
  t.ok(isOvertaken(1_000n, books({}), { stake: 1n, exits: 0n }), 'all of it, in the block of a slash')
  t.notOk(isOvertaken(999n, books({}), { stake: 1n, exits: 0n }), 'what is left can leave')
  const slashed = books({ staked: 900n, validator: { tokens: 9_000n, shares: 10_000n * SCALE } })
  t.ok(isOvertaken(901n, slashed, none), 'more than is left, after the block of a slash')
  t.notOk(isOvertaken(900n, slashed, none))
})
