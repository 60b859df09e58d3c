import fc from 'fast-check'
import t from 'tap'
import { ONE_TO_ONE, redemptionOf, rewardOf, suiOf, tokensOf } from '../src/chain/pool.ts'
import vectors from './vectors/pool.json' with { type: 'json' }

const rates = vectors.rates.map(({ sui, tokens }) => ({ sui: BigInt(sui), tokens: BigInt(tokens) }))
const now = rates[vectors.epoch]!
/** More than any pool of the vectors pays. */
const PLENTY = 10n ** 18n

/** SUI and tokens of a pool as it can be: a token is worth from a hundredth of a SUI to a hundred. */
const anyRate = fc
  .tuple(fc.bigInt(1n, 10n ** 19n), fc.bigInt(1n, 10_000n))
  .map(([tokens, price]) => ({ tokens, sui: (tokens * price) / 100n + 1n }))
const amounts = fc.bigInt(0n, 10n ** 19n)

t.test('a stake pays what the Move code paid', async (t) => {
  for (const { name, staked, ...stake } of vectors.stakes) {
    const [principal, tokens, payout] = [BigInt(stake.principal), BigInt(stake.tokens), BigInt(stake.payout)]
    const at = rates[staked + 1]!
    t.equal(tokensOf(at, principal), tokens, `tokens of ${name}`)
    t.equal(principal + rewardOf(principal, at, now, PLENTY), payout, `payout of ${name}`)
  }
})

t.test('a stake that is active since this epoch is worth a MIST less than its principal, and is paid in full', async (t) => {
  t.equal(suiOf(now, tokensOf(now, 5_000_000_000n)), 4_999_999_999n)
  t.equal(rewardOf(5_000_000_000n, now, now, PLENTY), 0n)
})

t.test('fungible stake pays what the Move code paid, one redemption after the other', async (t) => {
  let [supply, principal] = [BigInt(vectors.fungible.data.supply), BigInt(vectors.fungible.data.principal)]
  for (const { name, value, ...expected } of vectors.fungible.redemptions) {
    const paid = redemptionOf(BigInt(value), now, { supply, principal })
    t.same(paid, { principal: BigInt(expected.principal), reward: BigInt(expected.reward) }, name)
    supply -= BigInt(value)
    principal -= paid.principal
  }
  t.same([supply, principal], [0n, 0n], 'and nothing stays behind')
})

t.test('without a rate a token is a MIST', async (t) => {
  for (const rate of [ONE_TO_ONE, { sui: 5n, tokens: 0n }, { sui: 0n, tokens: 5n }]) {
    t.equal(tokensOf(rate, 7n), 7n)
    t.equal(suiOf(rate, 7n), 7n)
  }
})

t.test('converting there and back never makes an amount larger', async (t) => {
  fc.assert(fc.property(anyRate, amounts, (rate, amount) => suiOf(rate, tokensOf(rate, amount)) <= amount))
  t.pass('no counter-example')
})

t.test('a reward is never negative, never more than the pool holds, and grows with the rate', async (t) => {
  fc.assert(
    fc.property(anyRate, amounts, amounts, amounts, (at, principal, growth, held) => {
      const [small, large] = [growth / 2n, growth].map((more) => rewardOf(principal, at, { ...at, sui: at.sui + more }, held))
      return small! >= 0n && small! <= large! && large! <= held
    }),
  )
  t.pass('no counter-example')
})

t.test('a redemption pays no more than its tokens are worth, and all of them no more than there is', async (t) => {
  fc.assert(
    fc.property(anyRate, fc.bigInt(1n, 10n ** 18n), amounts, fc.bigInt(0n, 1000n), (rate, supply, staked, thousandths) => {
      const value = (supply * thousandths) / 1000n
      const { principal, reward } = redemptionOf(value, rate, { supply, principal: staked })
      return principal >= 0n && reward >= 0n && principal <= staked && principal + reward <= suiOf(rate, value)
    }),
  )
  t.pass('no counter-example')
})
