import { bookSince, startStage } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { observe } from '@svc/sandbox'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const observed = observe(scenario)
const stage = await startStage({ plugin, scenario: observed.scenario, family: svmFamily })
t.teardown(() => stage.close())

const vote = String(stage.world.settings.validator)
/** Blocks on top of one before it is final, and some more. */
const FINAL_BLOCKS = 40

/** A wallet with a stake that has begun to earn, and the first reading of its book. */
async function opened(name: string) {
  const { wallet, advance } = await stage.player()
  await observed.chain().giveStake({ name, wallet: wallet.address, vote, amount: 1_000_000_000_000n, cooledDown: false })
  await advance({ epochs: 2 })
  await observed.chain().mine(FINAL_BLOCKS)
  const first = await bookSince(stage, wallet.address, null)
  const later = async (epochs: number) => {
    await advance({ epochs })
    await observed.chain().mine(FINAL_BLOCKS)
    const result = await bookSince(stage, wallet.address, first)
    if (result.kind !== 'closed') throw new TypeError('epochs have passed')
    return result.closing
  }
  return { later }
}

t.test('a wallet whose turn comes after forty days has each epoch of them explained', async (t) => {
  const { later } = await opened('forty days')
  const { complete, entries } = await later(20)
  t.same([complete, entries.map(({ kind }) => kind)], [true, Array.from({ length: 20 }, () => 'reward')])
  t.equal(new Set(entries.map(({ height }) => height)).size, 20)
})

t.test('epochs are not asked for without end', async (t) => {
  const { later } = await opened('for long')
  const { complete, reasons } = await later(33)
  t.same([complete, reasons[0]], [false, 'pruned'])
})
