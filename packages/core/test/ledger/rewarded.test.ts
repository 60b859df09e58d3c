import t from 'tap'
import { onBoth } from '../support/databases.ts'
import { keeping } from './booking.ts'

const memory = { memory: true }
const DAY = 86_400_000
const MON = 10n ** 18n

await t.test('what a line shows to have been earned is told once, to a subscription that names it', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { call, chain, watch, later, token, events, lines } = await keeping(t, state)
      const headers = { token: (await token()).value }
      const subscribe = async (names: readonly string[] | null) => {
        const reply = await call('POST', '/api/v1/webhooks', { url: 'https://receiver.example/hooks', events: names }, headers)
        t.equal(reply.statusCode, 201, reply.body)
      }
      const rewarded = async () => (await events()).filter(({ type }) => type === 'position.rewarded')
      await subscribe(null)
      await subscribe(['position.*'])
      await watch()
      await later(2_000)
      chain.block(['deposit', 1_000n * MON, 'wallet', 'stake'])
      chain.pay(3n * MON)
      await later(1.2 * DAY)
      t.same(await rewarded(), [], 'nobody has named it')

      await subscribe(['position.rewarded'])
      chain.pay(2n * MON + 1n)
      await later(1.2 * DAY)
      const [first, ...others] = await rewarded()
      t.same(others, [])
      const [before, line] = (await lines()).slice(-2)
      t.match(first, {
        account: 'acme',
        subject: 'paper:1 p001',
        data: {
          network: 'paper:1',
          protocol: 'paper',
          wallet: 'p001',
          rewards: { amount: '2.000000000000000001', unit: null },
          others: [],
          others_in_all: 0,
          from: before?.mark.time.toISOString(),
          to: line?.mark.time.toISOString(),
          complete: true,
          reasons: [],
          line: new RegExp(`^\\d+-${line?.n}$`),
          replaces: [],
        },
      })
      await later(1.2 * DAY)
      t.equal((await rewarded()).length, 1, 'nothing was earned since')

      // A claim that nobody shows for a while: the line that explains it takes the other back.
      chain.block(['claim', 4n * MON, 'rewards', 'wallet'])
      chain.pay(7n)
      chain.lie = (_host, word, answer) => (word === 'flows' ? ([] as never) : answer)
      await later(1.2 * DAY)
      t.equal((await rewarded()).length, 1, 'what is not explained is no reward')
      chain.lie = (_host, _word, answer) => answer
      chain.block()
      await later(0.2 * DAY)
      const [, second, ...more] = await rewarded()
      t.same(more, [])
      t.match(second?.data, { rewards: { amount: '0.000000000000000007' }, complete: true, replaces: [/^\d+-\d+$/] })

      // A stranger makes up as many coins as he likes: they are told by themselves, some of them by name, and the size of a body has a bound.
      for (let coin = 10; coin < 60; coin++) chain.payIn(`denom:${'x'.repeat(380)}${coin}`, 7n)
      chain.leavesOut = true
      await later(1.2 * DAY)
      const third = (await rewarded()).at(-1)
      t.match(third?.data, { rewards: { amount: '0' }, others_in_all: 50, complete: false, reasons: ['not_declared'] })
      const { others: coins } = (third?.data ?? {}) as { others: readonly { asset: string; amount_base: string }[] }
      t.match([coins.length, coins[0]?.amount_base, coins[0]?.asset], [20, '7', /^denom:x+10$/])
    },
    memory,
  ),
)
