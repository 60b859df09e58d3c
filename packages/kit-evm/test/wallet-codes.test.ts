import t from 'tap'
import { readDelegates } from '../src/index.ts'
import { contextOf, nodeOf } from './support/node.ts'

const CONTRACT = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const WALLETS = [1, 2, 3].map((number) => `0x${String(number).padStart(40, '0')}`)

/** A node that answers a call that would make a contract with some bytes, or refuses it; its second wallet is delegated. */
function nodeWith(answer: () => string) {
  const asked = { together: 0, single: 0 }
  const node = nodeOf({
    eth_call([{ to }]: [{ to?: string }]) {
      if (to !== undefined) return '0x'
      asked.together++
      return answer()
    },
    eth_getCode([wallet]: [string]) {
      asked.single++
      return wallet === WALLETS[1] ? `0xef0100${CONTRACT.slice(2)}` : '0x'
    },
  })
  const clock = { now: new Date('2026-11-29T12:00:00Z') }
  const ctx = { ...contextOf(node), memo: {}, now: () => clock.now }
  return { ctx, asked, clock }
}

t.test(
  'where an endpoint does not run the call, or answers other bytes, each code is asked for by itself, and the call again after an hour',
  async (t) => {
    const answers: readonly (() => string)[] = [
      () => {
        throw new Error('to is required')
      },
      () => '0x',
      () => `0x00${'00'.repeat(23 * 4)}`,
      () => `0x01${'00'.repeat(23 * 3)}`,
    ]
    for (const answer of answers) {
      const { ctx, asked, clock } = nodeWith(answer)
      t.teardown(() => ctx.client.destroy())
      const delegates = [null, CONTRACT, null]
      t.same(await readDelegates(ctx, WALLETS), delegates)
      t.same(asked, { together: 1, single: 3 })
      t.same(await readDelegates(ctx, WALLETS), delegates)
      t.same(asked, { together: 1, single: 6 })
      clock.now = new Date(clock.now.getTime() + 3_600_000)
      t.same(await readDelegates(ctx, WALLETS), delegates)
      t.equal(asked.together, 2)
    }
  },
)

t.test('codes that came together are read as single ones are', async (t) => {
  const slots = ['', `ef0100${CONTRACT.slice(2)}`, '6000'].map((code) => code.padEnd(46, '0'))
  const { ctx, asked } = nodeWith(() => `0x00${slots.join('')}`)
  t.teardown(() => ctx.client.destroy())
  t.same(await readDelegates(ctx, WALLETS), [null, CONTRACT, null])
  t.same(asked, { together: 1, single: 0 })
})
