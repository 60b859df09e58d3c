import t from 'tap'
import { readInflationRewards } from '../src/index.ts'
import { connect, nodeOf } from './support/node.ts'

const accountOf = (at: number) => `account${at}`

t.test('rewards that are asked for in one turn are asked for together, each of an epoch and some accounts in a call', async (t) => {
  const calls: (readonly [readonly string[], number])[] = []
  const ctx = connect(
    nodeOf({
      getInflationReward([accounts, { epoch }]: [string[], { epoch: number }]) {
        calls.push([accounts, epoch])
        return accounts.map((account) =>
          account === accountOf(3)
            ? null
            : { epoch, effectiveSlot: 7, amount: Number(account.slice(7)) + 100, postBalance: 1, commission: 5 },
        )
      },
    }),
  )
  const read = (from: number, to: number, epoch: number) =>
    readInflationRewards(
      ctx.client,
      Array.from({ length: to - from }, (_, at) => accountOf(from + at)),
      epoch,
    )
  const [first, second, other] = await Promise.all([read(0, 5, 9), read(4, 40, 9), read(1, 2, 10)])
  t.same(
    calls.map(([accounts, epoch]) => [accounts.length, epoch]),
    [
      [32, 9],
      [8, 9],
      [1, 10],
    ],
  )
  t.same(
    first.map(({ account, amount }) => [account, amount]),
    [0, 1, 2, 4].map((at) => [accountOf(at), BigInt(at + 100)]),
    'each gets its own, and none where none was paid',
  )
  t.equal(second.length, 36)
  t.same(other, [{ account: accountOf(1), epoch: 10, slot: 7n, amount: 101n }])
  await read(0, 1, 9)
  t.equal(calls.length, 4, 'and what is asked later is asked anew')
})

t.test('what could not be read is an error for all that asked, and for nobody later', async (t) => {
  let isAway = true
  const ctx = connect(
    nodeOf({
      getInflationReward: ([accounts]: [string[]]) => (isAway ? 'nonsense' : accounts.map(() => null)),
    }),
  )
  const read = () => readInflationRewards(ctx.client, [accountOf(1)], 9)
  for (const result of await Promise.allSettled([read(), read()])) t.match(result, { status: 'rejected', reason: { statusCode: 502 } })
  isAway = false
  t.same(await read(), [])
})
