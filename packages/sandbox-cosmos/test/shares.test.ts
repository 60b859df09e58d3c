import fc from 'fast-check'
import t from 'tap'
import { one, toDec, truncate } from '../src/dec.ts'
import {
  addTokens,
  hasNoRate,
  removeShares,
  sharesFromTokens,
  sharesFromTokensTruncated,
  tokensFromShares,
  tokensFromSharesTruncated,
} from '../src/modules/shares.ts'
import { holds } from './support.ts'

const tokens = fc.bigInt({ min: 1n, max: 10n ** 16n })
/** A pool after any number of slashes: at most one token for a share. */
const pool = fc
  .tuple(tokens, fc.bigInt({ min: 1n, max: 10n ** 6n }))
  .map(([shares, kept]) => ({ shares: toDec(shares), tokens: (shares * kept) / 10n ** 6n }))
  .filter((made) => made.tokens > 0n)

t.test('a share is a token until the first slash, and less after it', async (t) => {
  const fresh = addTokens({ tokens: 0n, shares: 0n }, 1000n)
  t.same(fresh, { pool: { tokens: 1000n, shares: toDec(1000n) }, issued: toDec(1000n) })
  const slashed = { ...fresh.pool, tokens: 950n }
  t.equal(truncate(tokensFromShares(slashed, toDec(100n))), 95n)
  t.equal(sharesFromTokens(slashed, 95n), toDec(100n))
  t.equal(sharesFromTokens(slashed, 1n), 1_052_631_578_947_368_421n)
  t.throws(() => sharesFromTokens({ tokens: 0n, shares: one }, 1n), { name: 'ChainError', message: 'insufficient delegation shares' })
  t.ok(hasNoRate({ tokens: 0n, shares: one }))
  t.notOk(hasNoRate({ tokens: 0n, shares: 0n }))
})

t.test('delegating and undelegating at once never gains a base unit, and loses one at most', async (t) => {
  holds(
    t,
    fc.property(pool, tokens, (before, amount) => {
      const { pool: joined, issued } = addTokens(before, amount)
      const { pool: left, returned } = removeShares(joined, issued)
      return returned <= amount && amount - returned <= 1n && left.tokens >= before.tokens && left.shares === before.shares
    }),
  )
})

t.test('undelegating exactly what is shown as the balance is always possible', async (t) => {
  holds(
    t,
    fc.property(pool, tokens, (before, amount) => {
      const { pool: joined, issued } = addTokens(before, amount)
      const shown = truncate(tokensFromShares(joined, issued))
      return shown === 0n || sharesFromTokensTruncated(joined, shown) <= issued
    }),
  )
})

t.test('who takes the last share takes the last token', async (t) => {
  holds(
    t,
    fc.property(pool, (before) => {
      const { pool: left, returned } = removeShares(before, before.shares)
      return returned === before.tokens && left.tokens === 0n && left.shares === 0n
    }),
  )
})

t.test('the two ways to ask what shares are worth differ in the last place only', async (t) => {
  holds(
    t,
    fc.property(pool, fc.bigInt({ min: 0n, max: 10n ** 34n }), (before, shares) => {
      const difference = tokensFromShares(before, shares) - tokensFromSharesTruncated(before, shares)
      return difference === 0n || difference === 1n
    }),
  )
})
