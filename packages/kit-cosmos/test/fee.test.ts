import t from 'tap'
import { eventsOf, feeIn } from '../src/life/events.ts'
import { event } from './support/history.ts'
import { one } from './support/vectors.ts'

const fees = (told: readonly ReturnType<typeof event>[], payer: string | null = one.address) => feeIn(eventsOf(told), 'uatom', payer)
const used = event('tx', { acc_seq: `${one.address}/7` })
const spent = (spender: string, amount: string, more: Readonly<Record<string, string>> = {}) =>
  event('coin_spent', { spender, amount, ...more })

t.test("a fee is the payer's, and nobody else's", async (t) => {
  t.equal(fees([spent('another', '9uatom'), spent(one.address, '5uatom'), used]), 5n, 'what another spent outside of the messages is none')
  t.equal(fees([spent('another', '9uatom'), used]), null)
  t.equal(fees([spent('another', '9uatom'), spent(one.address, '5uatom'), used], null), 5n, 'who signed pays')
  t.equal(fees([spent(one.address, '5uatom')], null), null, 'nobody is known to have signed')
  t.equal(fees([spent(one.address, '5uatom', { msg_index: '0' }), used]), null, 'of a message')
  t.equal(fees([event('tx', { fee: '9uatom', fee_payer: 'another' }), spent(one.address, '5uatom')]), 5n)
  t.equal(fees([event('tx', { fee: '7uatom', fee_payer: one.address }), spent(one.address, '5uatom')]), 7n)
  t.equal(fees([event('tx', { fee: '7uatom' })]), 7n, 'a chain that does not say whose')
  t.equal(fees([event('tx', { fee: '7ibc/AB', fee_payer: one.address })]), 0n, 'of another token')
})
