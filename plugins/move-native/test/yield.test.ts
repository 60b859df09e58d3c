import t from 'tap'
import { yieldOf } from '../src/yield.ts'
import vectors from './vectors/yield.json' with { type: 'json' }

/** Rates from the newest epoch back to one. */
function ratesSince(epoch: number) {
  return Array.from({ length: vectors.lastEpoch - epoch + 1 }, (_, back) => ({
    sui: BigInt(vectors.sui) + BigInt(vectors.lastEpoch - vectors.firstEpoch - back) * BigInt(vectors.suiPerEpoch),
    tokens: BigInt(vectors.tokens),
  }))
}

t.test("the yield is the node's, to the last digits of a double", async (t) => {
  const { apr, apy } = yieldOf(ratesSince(vectors.firstEpoch))
  t.ok(Math.abs(apy - vectors.apy) < 1e-12, `${apy} instead of ${vectors.apy}`)
  t.ok(Math.abs(apr - vectors.apr) < 1e-12, `${apr} instead of ${vectors.apr}`)
})

t.test('thirty epochs count, and no more', async (t) => {
  t.same(yieldOf(ratesSince(vectors.lastEpoch - 30)), yieldOf(ratesSince(vectors.firstEpoch)))
  t.not(yieldOf(ratesSince(vectors.lastEpoch - 29)).apy, yieldOf(ratesSince(vectors.firstEpoch)).apy)
})

t.test('an epoch without growth, and one of unlikely growth, do not count', async (t) => {
  const [newest, second, ...older] = ratesSince(vectors.lastEpoch - 30)
  const same = yieldOf([newest!, second!, ...older])
  const doubled = { sui: newest!.sui * 2n, tokens: newest!.tokens }
  for (const rates of [
    [newest!, newest!, second!, ...older],
    [doubled, newest!, second!, ...older],
    [newest!, doubled, newest!, second!, ...older],
  ])
    t.same(yieldOf(rates), same)
})

t.test('a pool without history has no yield', async (t) => {
  t.same(yieldOf([]), { apr: 0, apy: 0 })
  t.same(yieldOf(ratesSince(vectors.lastEpoch)), { apr: 0, apy: 0 })
  t.same(
    yieldOf([
      { sui: 0n, tokens: 0n },
      { sui: 0n, tokens: 0n },
    ]),
    { apr: 0, apy: 0 },
    'where nothing is staked, nothing grew',
  )
})
