import { bcs } from '@mysten/sui/bcs'
import fc from 'fast-check'
import t from 'tap'
import { rateId } from '../src/chain/layouts.ts'
import { nothingLearned } from '../src/chain/learned.ts'
import { rateKey, readRates, readSeries } from '../src/chain/rates.ts'
import type { Reading } from '../src/network.ts'

const TABLE = `0x${'66'.repeat(32)}`
const pool = {
  id: `0x${'55'.repeat(32)}`,
  activationEpoch: 100n,
  deactivationEpoch: null,
  suiBalance: 9_000n,
  poolTokenBalance: 8_000n,
  rewardsPool: 0n,
  exchangeRatesId: TABLE,
  extraFieldsId: `0x${'77'.repeat(32)}`,
  pendingStake: 0n,
  pendingTotalSuiWithdraw: 0n,
  pendingPoolTokenWithdraw: 0n,
}

/** A node that knows the rates of some epochs, of which more may come, and how often it was asked. */
function nodeWith(epochs: Iterable<bigint>) {
  const entries = new Map([...epochs].map((epoch) => [rateId(TABLE, epoch), epoch]))
  const asked: string[][] = []
  const sui = {
    async getObjects({ objectIds }: { objectIds: string[] }) {
      asked.push(objectIds)
      const objects = objectIds.map((objectId) => {
        const epoch = entries.get(objectId)
        if (epoch === undefined) return Object.assign(new Error('gone'), { reason: 'notFound' })
        const fields = [epoch, epoch * 10n, epoch * 9n].map((value) => bcs.u64().serialize(value).toBytes())
        return { objectId, content: new Uint8Array(Buffer.concat([Buffer.alloc(32), ...fields])) }
      })
      return { objects }
    },
  }
  const comes = (epoch: bigint) => void entries.set(rateId(TABLE, epoch), epoch)
  return { ctx: { node: { sui }, memo: {}, learned: nothingLearned() } as unknown as Reading, asked, comes }
}

/** As the chain looks a rate up. */
function lookedUp(epochs: ReadonlySet<bigint>, epoch: bigint, now: bigint) {
  if (epoch >= now) return { sui: pool.suiBalance, tokens: pool.poolTokenBalance }
  for (let at = epoch; at >= pool.activationEpoch; at--) if (epochs.has(at)) return { sui: at * 10n, tokens: at * 9n }
  return { sui: 0n, tokens: 0n }
}

t.test('rates are found as the chain finds them, whatever epochs have none', async (t) => {
  const epochs = fc.uniqueArray(fc.bigInt(100n, 180n), { maxLength: 60 })
  const wanted = fc.uniqueArray(fc.bigInt(90n, 200n), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(epochs, wanted, async (known, epochs) => {
      const { ctx, asked } = nodeWith(known)
      const set = new Set(known)
      // Twice, so that what was remembered is looked at too.
      for (const _ of [1, 2]) {
        const rates = await readRates(
          ctx,
          190n,
          epochs.map((epoch) => ({ pool, epoch })),
        )
        for (const epoch of epochs) {
          const { sui, tokens } = rates.get(rateKey({ pool, epoch }))!
          const expected = lookedUp(set, epoch, 190n)
          if (sui !== expected.sui || tokens !== expected.tokens) return false
        }
      }
      return asked.every((ids) => ids.length <= 50 && new Set(ids).size === ids.length)
    }),
  )
  t.pass('no counter-example')
})

t.test('two missing epochs cost no further request, and a rate is read once', async (t) => {
  const { ctx, asked } = nodeWith([110n, 120n])
  await readRates(ctx, 190n, [{ pool, epoch: 112n }])
  t.equal(asked.length, 1)
  await readRates(ctx, 190n, [
    { pool, epoch: 120n },
    { pool, epoch: 120n },
  ])
  await readRates(ctx, 190n, [{ pool, epoch: 120n }])
  t.equal(asked.length, 2)
  await readRates(ctx, 190n, [{ pool, epoch: 190n }])
  t.equal(asked.length, 2, 'the current one stands in the pool')
  await readRates(ctx, 190n, [{ pool, epoch: 99n }])
  t.equal(asked.length, 2, 'and one before the pool is one to one')
})

t.test('what a node misses is not taken for missing for good, however far it is behind', async (t) => {
  const behind = nodeWith([120n])
  const rateOf = async (epoch: bigint) => (await readRates(behind.ctx, 190n, [{ pool, epoch }])).get(rateKey({ pool, epoch }))
  t.same(await rateOf(122n), { sui: 1200n, tokens: 1080n })
  t.same(await rateOf(119n), { sui: 0n, tokens: 0n })
  for (const epoch of [119n, 122n]) behind.comes(epoch)
  t.same(await rateOf(122n), { sui: 1220n, tokens: 1098n }, 'it has come meanwhile')
  t.same(await rateOf(119n), { sui: 1190n, tokens: 1071n })
  const before = behind.asked.length
  for (const epoch of [119n, 122n]) await rateOf(epoch)
  t.equal(behind.asked.length, before, 'what was read is not asked for again')
  await readRates(behind.ctx, 191n, [{ pool, epoch: 122n }])
  t.equal(behind.asked.length, before + 1, 'in the same epoch')
})

t.test('more than a hundred missing epochs are an answer that cannot be true', async (t) => {
  const { ctx } = nodeWith([])
  const rates = await readRates(ctx, 1000n, [{ pool, epoch: 900n }])
  t.equal(rates.get(rateKey({ pool, epoch: 900n })), null)
  t.equal(await readSeries(ctx, 1000n, pool, { first: 0n, most: 50 }), null)
})

t.test('a series goes back to the epoch that counts, to the pool, or as far as was asked', async (t) => {
  const { ctx } = nodeWith(Array.from({ length: 100 }, (_, index) => BigInt(100 + index)))
  const lengthOf = async (now: bigint, first: bigint, most: number) => (await readSeries(ctx, now, pool, { first, most }))?.length
  t.equal(await lengthOf(199n, 0n, 50), 50)
  t.equal(await lengthOf(120n, 0n, 50), 21)
  t.equal(await lengthOf(120n, 115n, 50), 6)
  t.equal(await lengthOf(120n, 130n, 50), 0)
})
