import fc from 'fast-check'
import t from 'tap'
import { DEC_SCALE } from '../../src/staking/chain.ts'
import { annualRatePercent, annualYieldPercent, percent, rewardFeePercent } from '../../src/staking/rates.ts'

const issued = { amount: 40_000_000_000_000n * DEC_SCALE }
const hub = {
  bonded: 250_000_000_000_000n,
  communityTax: DEC_SCALE / 50n,
  commission: DEC_SCALE / 20n,
}

t.test('fee, rate and yield of an example that can be worked out by hand', async (t) => {
  t.equal(rewardFeePercent(hub), 6.9)
  t.equal(annualRatePercent(issued, hub), 14.896)
  t.equal(annualYieldPercent(14.896).toFixed(6), '16.059129')
  t.equal(percent(DEC_SCALE / 20n), 5)
  t.equal(percent(DEC_SCALE / 10_000n), 0.01)
})

t.test('the edges: nothing bonded, all taken, nothing taken', async (t) => {
  t.equal(annualRatePercent(issued, { ...hub, bonded: 0n }), 0)
  t.equal(annualYieldPercent(0), 0)
  t.equal(rewardFeePercent({ communityTax: DEC_SCALE, commission: 0n }), 100)
  t.equal(annualRatePercent(issued, { ...hub, commission: DEC_SCALE }), 0)
  t.equal(rewardFeePercent({ communityTax: 0n, commission: 0n }), 0)
  t.equal(annualRatePercent(issued, { ...hub, communityTax: 0n, commission: 0n }), 16)
})

t.test('whoever takes more leaves less, and nobody takes more than all', async (t) => {
  const share = fc.bigInt(0n, DEC_SCALE)
  const property = fc.property(share, share, share, (communityTax, commission, more) => {
    const [low, high] = commission < more ? [commission, more] : [more, commission]
    const fee = (of: bigint) => rewardFeePercent({ communityTax, commission: of })
    const rate = (of: bigint) => annualRatePercent(issued, { ...hub, communityTax, commission: of }) ?? Number.NaN
    return fee(low) <= fee(high) && rate(low) >= rate(high) && fee(low) >= 0 && fee(high) <= 100 && rate(high) >= 0 && rate(low) <= 16
  })
  t.doesNotThrow(() => fc.assert(property))
})
