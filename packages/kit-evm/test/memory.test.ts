import type { Facts } from '@svc/contract'
import t from 'tap'
import { early, type LifeNode, seen, word } from './support/life.ts'

/** Long after the first look, with its nonce used by another, or by itself: the node finds nothing. */
const GONE = { head: 300, final: 298, used: [1, 1, 1] } as const satisfies LifeNode
const UNSEEN = { statusCode: 503, code: 'TRANSACTION_UNSEEN' }

t.test('a first look at an empty block takes its witness from the nearest that has a transaction', async (t) => {
  const empty = (number: number) => number > 90 && number < 250
  const { keep } = await seen({ at: 'pool', empty })
  t.same(keep, { seen: 'free', height: '90', hash: word(90), witness: word(7090) })
  t.same((await seen({ empty })).keep, keep, 'and where no pool shows it')
  t.match(await seen({ ...GONE, empty }, { keep }), { status: 'replaced', certainty: 'proven' })
  await t.rejects(seen({ ...GONE, empty, indexed: 91 }, { keep }), UNSEEN, 'an index that is a block too short')
  await t.rejects(seen({ ...GONE, empty, indexed: 280 }, { keep }), UNSEEN, 'a node with --history.transactions 20')
})

t.test('without a witness no memory: it is searched for at each look, and nothing is told as replaced before', async (t) => {
  const empty = (number: number) => number > 60
  let keep: Facts = (await seen({ at: 'pool', empty })).keep
  t.same(keep, { seen: 'free', height: '98', hash: word(98), searched: '82' })
  const second = await seen({ ...GONE, empty }, { keep })
  t.match(second, { status: 'pending', certainty: 'likely', keep: { height: '98', searched: '66' } })
  keep = second.keep
  t.match(
    await seen({ ...GONE, empty, first: 70 }, { keep }).catch((error: unknown) => error),
    UNSEEN,
    'a node that lacks the blocks of then',
  )
  const third = await seen({ ...GONE, empty }, { keep })
  t.match(third, { status: 'pending', certainty: 'likely', keep: { height: '60', witness: word(7060) } })
  t.match(await seen({ ...GONE, empty }, { keep: third.keep }), { status: 'replaced' })
  await t.rejects(seen({ ...GONE, empty, indexed: 280 }, { keep: third.keep }), UNSEEN)
})

t.test('what was kept without a witness proves nothing', async (t) => {
  const keep = { seen: 'free', height: '98', hash: word(98) }
  const pending = { status: 'pending', certainty: 'likely' } as const
  t.match(await seen(GONE, { keep }), { ...pending, keep: { height: '97', witness: word(7097) } })
  const empty = () => true
  await t.rejects(seen({ ...GONE, empty }, { keep }, { index_depth: 217 }), UNSEEN, 'further back than any node has to look')
  t.match(await seen({ ...GONE, empty }, { keep }, { index_depth: 218 }), { ...pending, keep: { searched: '82' } })
  t.match((await seen(GONE, { keep: { ...keep, searched: '99' } })).keep, { seen: 'free', height: '0' }, 'a search that cannot be is none')
})

t.test('where the chain had no transaction before, its first one is the witness', async (t) => {
  const empty = (number: number) => number < 20
  let keep: Facts = { seen: 'free', height: '10', hash: word(10) }
  for (const searched of ['0', '0']) {
    const look = await seen({ ...GONE, empty, final: 12 }, { keep })
    t.match(look, { status: 'pending', keep: { searched } })
    keep = look.keep
  }
  t.match(keep, { height: '12' }, 'no further than what is final')
  await t.rejects(seen({ ...GONE, empty, final: 12 }, { keep }), UNSEEN)
  keep = (await seen({ ...GONE, empty }, { keep })).keep
  t.same(keep, { seen: 'free', height: '20', hash: word(20), witness: word(7020) })
  t.match(await seen({ ...GONE, empty }, { keep }), { status: 'replaced' })
  await t.rejects(seen({ ...GONE, empty, indexed: 21 }, { keep }), UNSEEN)
  await t.rejects(
    seen({ ...GONE, empty: () => true, final: 98 }, { keep: { seen: 'free', height: '98', hash: word(98), searched: '0' } }),
    UNSEEN,
  )
})

t.test('a witness of a later block shows a shorter memory than is needed', async (t) => {
  const keep = await early()
  await t.rejects(seen(GONE, { keep: { ...keep, witness: word(7099) } }), UNSEEN)
  await t.rejects(seen(GONE, { keep: { ...keep, witness: word(7097) } }), UNSEEN)
})
