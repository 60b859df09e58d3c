import { promisedShares } from '@svc/intent-evm-vault'
import fc from 'fast-check'
import t from 'tap'
import { checkpointsOf, progressOf } from '../src/chain/exit-queue.ts'
import { assetsOf, mostUnstakable, sharesFor } from '../src/shares.ts'

const amounts = (min = 0n) => fc.bigInt({ min, max: 10n ** 27n })

t.test('what leaves is never worth more than was asked for, and at most a wei and a share less', async (t) => {
  fc.assert(
    fc.property(amounts(), amounts(1n), amounts(1n), (assets, totalAssets, totalShares) => {
      const price = { totalAssets, totalShares }
      const worth = assetsOf(sharesFor(assets, price), price)
      return worth <= assets && assets - worth <= totalAssets / totalShares + 1n
    }),
  )
  t.pass('held')
})

t.test('what stays covers the debt at the price of an hour later', async (t) => {
  fc.assert(
    fc.property(
      amounts(10n ** 15n),
      amounts(10n ** 12n),
      fc.integer({ min: 1, max: 99 }),
      fc.bigInt({ min: 10n ** 7n, max: 10n ** 11n }),
      (staked, debt, percent, growth) => {
        const ltv = BigInt(percent) * 10n ** 16n
        const most = mostUnstakable(staked, { shares: debt, assets: debt, ltv, growth }, 3600)
        const later = debt + (growth * 3599n * debt) / 10n ** 18n
        return most >= 0n && most <= staked && (most === 0n || ((staked - most) * ltv) / 10n ** 18n >= later - 1n)
      },
    ),
  )
  t.pass('held')
})

t.test(
  'a promise is what the vault would say of the same books, never more than is owned, and all of it when all is asked for',
  async (t) => {
    const debt = fc.option(
      fc.record({
        owed: amounts(1n),
        allAssets: amounts(1n),
        allShares: amounts(),
        ltv: fc.bigInt({ min: 10n ** 16n, max: 10n ** 18n }),
        growth: fc.bigInt({ min: 0n, max: 10n ** 11n }),
      }),
    )
    fc.assert(
      fc.property(amounts(1n), amounts(10n ** 13n), amounts(1n), amounts(), debt, (wanted, totalAssets, owned, others, minted) => {
        const totalShares = owned + others
        const promised = promisedShares(wanted, { owned, totalAssets, totalShares, minted }, 3600)
        const staked = assetsOf(owned, { totalAssets, totalShares })
        const most = mostUnstakable(
          staked,
          minted
            ? {
                ...minted,
                shares: minted.owed,
                assets: assetsOf(minted.owed, { totalAssets: minted.allAssets, totalShares: minted.allShares }),
              }
            : { shares: 0n, assets: 0n, ltv: 0n, growth: 0n },
          3600,
        )
        if (promised > owned || promised < 0n) return false
        if (!minted && wanted >= staked) return promised === owned
        if (most === 0n || wanted > most) return true
        return promised === (wanted === staked ? owned : sharesFor(wanted, { totalAssets, totalShares }))
      }),
      { numRuns: 2000 },
    )
    t.pass('held')
  },
)

t.test('exits of a queue are paid all that its checkpoints have, in any order of claims', async (t) => {
  const parts = fc.array(fc.record({ burned: fc.bigInt({ min: 2n, max: 10n ** 20n }), assets: fc.bigInt({ min: 1n, max: 10n ** 20n }) }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(parts, fc.array(fc.bigInt({ min: 2n, max: 10n ** 20n }), { minLength: 1, maxLength: 8 }), (burnt, sizes) => {
      const checkpoints = checkpointsOf(burnt)
      const total = burnt.reduce((sum, { assets }) => sum + assets, 0n)
      let ticket = 0n
      let paid = 0n
      for (const tickets of sizes) {
        const { left, exited, assets, index } = progressOf(checkpoints, ticket, tickets)
        if (left + exited !== tickets || index < 0n !== (exited === 0n && assets === 0n && left === tickets)) return false
        // A claim in two steps pays what one pays, but for a wei of rounding each.
        const half = tickets / 2n
        const first = progressOf(checkpoints, ticket, half)
        const second = progressOf(checkpoints, ticket + half, tickets - half)
        if (first.left === 0n && assets - (first.assets + second.assets) > BigInt(checkpoints.length)) return false
        ticket += tickets
        paid += assets
      }
      return paid <= total
    }),
  )
  t.pass('held')
})

t.test('what a double reads of the most that can leave promises all of it, and its neighbour only itself', async (t) => {
  const owned = 100_000_000_000_000_000_618n
  const books = { owned, totalAssets: 3n * owned, totalShares: 3n * owned, minted: null }
  t.equal(promisedShares(100n * 10n ** 18n, books, 3600), owned)
  t.equal(promisedShares(100n * 10n ** 18n - 1n, books, 3600), 100n * 10n ** 18n - 1n)
  t.equal(promisedShares(100n * 10n ** 18n + 1n, books, 3600), 100n * 10n ** 18n + 1n)
})
