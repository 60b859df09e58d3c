import t from 'tap'
import { onBoth } from '../support/databases.ts'
import { faultsOf, keeping, shortOf } from './booking.ts'

const memory = { memory: true }
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

await t.test('a watched wallet has a book: a first reading, and what has happened since, to the unit', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { chain, watch, later, lines } = await keeping(t, state)
      t.equal((await watch()).statusCode, 200)
      await later(2_000)
      t.match(await lines(), [
        { n: 0, opening: null, isComplete: true, closing: {}, entries: [], mark: { height: 100n, hash: 'b100', epoch: 7 } },
      ])
      chain.block(['deposit', 10n ** 30n + 1n, 'wallet', 'stake'])
      chain.pay(7n)
      chain.block(['claim', 5n, 'rewards', 'wallet'])
      await later(2 * DAY)
      const book = await lines()
      t.same(shortOf(book).slice(0, 3), [
        `1: deposit ${10n ** 30n + 1n} wallet > stake`,
        '1: claim 5 rewards > wallet',
        '1: reward 7 chain > rewards',
      ])
      t.match(book[1], { opening: 0, isComplete: true, reasons: [], source: 0, closing: { stake: 10n ** 30n + 1n, rewards: 2n } })
      t.match(book[1]?.entries[0], { height: 101n, tx: 'tx-101', index: 0, asset: 'native', corrects: null })
      t.same(faultsOf(book), [])
    },
    memory,
  ),
)

await t.test('rewards alone make a line an hour, and a day without anything one a day', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { chain, watch, later, lines, call } = await keeping(t, state)
      await watch()
      await later(2_000)
      const read = async () => {
        await call('DELETE', '/api/v1/watch/paper/p001')
        await watch()
        await later(2_000)
      }
      chain.pay(3n)
      await read()
      t.equal((await lines()).length, 1, 'within the hour')
      chain.time = new Date(chain.time.getTime() + HOUR)
      chain.pay(4n)
      await read()
      t.same(shortOf(await lines()), ['1: reward 7 chain > rewards'])
      chain.block(['claim', 7n, 'rewards', 'wallet'])
      await read()
      t.same(shortOf(await lines()).slice(1), ['2: claim 7 rewards > wallet'], 'what moved is written at once')
      t.same(faultsOf(await lines()), [])
    },
    memory,
  ),
)

await t.test('what nothing explains is written as such, and explained by itself when the next answer comes', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { chain, watch, later, lines, log } = await keeping(t, state)
      await watch()
      await later(2_000)
      chain.lie = (_host, word, answer) => (word === 'flows' ? ([] as never) : answer)
      chain.block(['deposit', 9n, 'wallet', 'stake'])
      chain.pay(2n)
      await later(2 * DAY)
      const open = await lines()
      t.same(shortOf(open.slice(0, 2)), ['1: unexplained 9 unknown > stake', '1: reward 2 chain > rewards'])
      t.match(open[1], { isComplete: false, reasons: ['flow_missing'], entries: [{ reason: 'flow_missing' }, {}] })
      t.ok(log.some(({ alert }) => alert === 'LEDGER_UNEXPLAINED'))
      t.same(faultsOf(open), [])
      chain.lie = (_host, _word, answer) => answer
      chain.block()
      await later(2 * HOUR)
      const book = await lines()
      t.same(faultsOf(book), [])
      const last = book.at(-1)
      t.match(last, { opening: 0, isComplete: true, isSuperseded: false })
      const back = last?.entries.filter(({ corrects }) => corrects !== null) ?? []
      t.same(
        back
          .map(({ kind, amount }) => `${kind} ${amount}`)
          .toSorted()
          .slice(0, 2),
        ['reward -2', 'unexplained -9'],
      )
      t.same(
        last?.entries.filter(({ corrects }) => corrects === null).map(({ kind, amount }) => `${kind} ${amount}`),
        ['deposit 9', 'reward 2'],
      )
      t.ok(book.slice(1, -1).every(({ isSuperseded }) => isSuperseded))
      const total = (kind: string) =>
        book.flatMap(({ entries }) => entries).reduce((sum, each) => (each.kind === kind ? sum + each.amount : sum), 0n)
      t.equal(total('unexplained'), 0n)
      t.equal(total('reward'), 2n)
      t.equal(total('deposit'), 9n)
    },
    memory,
  ),
)

await t.test('one endpoint that lies about a single fact writes nothing wrong while another tells the truth', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const lies: [string, (word: string, answer: never) => unknown][] = [
        [
          'withholds a claim',
          (word, answer) => (word === 'flows' ? (answer as { kind: string }[]).filter(({ kind }) => kind !== 'claim') : answer),
        ],
        [
          'withholds a deposit',
          (word, answer) => (word === 'flows' ? (answer as { kind: string }[]).filter(({ kind }) => kind !== 'deposit') : answer),
        ],
        [
          'says more stake',
          (word, answer) => (word === 'reading' ? { ...(answer as object), amounts: { stake: '11', rewards: '2' } } : answer),
        ],
        [
          'says more rewards',
          (word, answer) => (word === 'reading' ? { ...(answer as object), amounts: { stake: '10', rewards: '3' } } : answer),
        ],
        ['says that more was paid', (word, answer) => (word === 'reading' ? { ...(answer as object), paid: '8' } : answer)],
        ['says that the last block is gone', (word, answer) => (word === 'holds' ? false : answer)],
        ['is silent', () => new Error('gone')],
      ]
      for (const [index, [name, lie]] of lies.entries()) {
        const wallet = `p10${index}`
        const { chain, watch, later, lines } = await keeping(t, state, { wallet })
        await watch()
        await later(2_000)
        chain.block(['deposit', 10n, 'wallet', 'stake'])
        chain.pay(7n)
        chain.block(['claim', 5n, 'rewards', 'wallet'])
        chain.lie = (host, word, answer) => (host === 'desk.invalid' ? (lie(word, answer as never) as never) : answer)
        await later(2 * DAY)
        const book = await lines()
        t.same(
          shortOf(book.slice(1, 2)),
          ['1: deposit 10 wallet > stake', '1: claim 5 rewards > wallet', '1: reward 7 chain > rewards'],
          name,
        )
        t.same(
          book.filter(({ isComplete }) => !isComplete),
          [],
          name,
        )
      }
    },
    memory,
  ),
)

await t.test('a reading of a block that disappeared is superseded, by entries that say so', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { chain, watch, later, lines } = await keeping(t, state)
      await watch()
      await later(2_000)
      chain.block(['deposit', 10n, 'wallet', 'stake'])
      await later(1.5 * DAY)
      t.match((await lines()).at(-1), { closing: { stake: 10n }, isComplete: true })
      const { length } = await lines()
      // Another block, and another deposit in it.
      for (let height = 101n; height <= chain.height; height++) chain.hashes.set(height, `other${height}`)
      chain.flows = []
      chain.amounts.stake = 0n
      chain.block(['deposit', 4n, 'wallet', 'stake'])
      await later(1.5 * DAY)
      const book = await lines()
      t.same(faultsOf(book), [])
      t.same(shortOf(book.slice(length)).slice(0, 2), [
        `${length}: deposit -10 wallet > stake (takes back 1-0)`,
        `${length}: deposit 4 wallet > stake`,
      ])
      t.match(book[1], { isSuperseded: true, entries: [{ amount: 10n }] })
      t.match(book[length], { opening: 0, isComplete: true })
    },
    memory,
  ),
)

await t.test('a plugin that tells no book has readings and remainders, and says that it knows no more', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { chain, watch, later, lines } = await keeping(t, state, { bare: true })
      await watch()
      await later(2_000)
      chain.amounts = { stake: 9n, rewards: 2n }
      await later(8 * DAY)
      const book = await lines()
      t.same(faultsOf(book), [])
      t.same(shortOf(book.slice(0, 2)), ['1: unexplained 2 unknown > rewards', '1: unexplained 9 unknown > staked'])
      t.match(book[1], { isComplete: false, reasons: ['not_declared'], mark: { height: null, hash: null } })
      t.equal(book.filter(({ isSuperseded }) => isSuperseded).length, 0)
      t.same(chain.asked, [], 'and the chain is asked for nothing more than its balance')
    },
    memory,
  ),
)

await t.test('what stays unexplained for a week is left as it is, and the book goes on', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { chain, watch, later, lines } = await keeping(t, state)
      await watch()
      await later(2_000)
      chain.lie = (_host, word, answer) =>
        word === 'flows' ? ((answer as never[]).filter(({ amount }) => amount !== 9n) as never) : answer
      chain.block(['deposit', 9n, 'wallet', 'stake'])
      for (let day = 0; day < 10; day++) {
        chain.pay(1n)
        await later(DAY)
      }
      chain.lie = (_host, _word, answer) => answer
      chain.pay(1n)
      await later(2 * DAY)
      const book = await lines()
      t.same(faultsOf(book), [])
      const all = book.flatMap(({ entries }) => entries)
      t.same(
        all.filter(({ kind }) => kind === 'unexplained').map(({ amount }) => amount),
        [9n],
        'once, and not taken back',
      )
      t.equal(
        all.reduce((sum, { kind, amount }) => (kind === 'reward' ? sum + amount : sum), 0n),
        11n,
      )
      t.equal(book.at(-1)?.isComplete, true)
    },
    memory,
  ),
)

await t.test('a wallet that is given up keeps its book, which is read no more until it is watched again', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { chain, watch, later, lines, call } = await keeping(t, state)
      await watch()
      await later(2_000)
      await call('DELETE', '/api/v1/watch/paper/p001')
      chain.block(['deposit', 5n, 'wallet', 'stake'])
      chain.asked.length = 0
      await later(3 * DAY)
      t.same(chain.asked, [])
      t.equal((await lines()).length, 1)
      await watch()
      await later(2_000)
      t.same(shortOf(await lines()), ['1: deposit 5 wallet > stake'])
    },
    memory,
  ),
)

await t.test(
  'where the position of a wallet is read each day its book is read with it, sixteen at once, and not once more by itself',
  (t) =>
    onBoth(
      t,
      async (t, state) => {
        const { chain, call, later } = await keeping(t, state)
        chain.amounts.stake = 5n
        for (let wallet = 1; wallet <= 16; wallet++)
          await call('PUT', `/api/v1/watch/paper/p0${String(wallet).padStart(2, '0')}`, undefined, undefined)
        await later(2_000)
        let [open, most] = [0, 0]
        const readings = () => chain.asked.filter((each) => each.endsWith(' reading')).length
        const before = readings()
        t.equal(before, 16)
        chain.wait = async (word) => {
          if (word !== 'reading') return
          most = Math.max(most, ++open)
          for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
          open--
        }
        for (let day = 0; day < 9; day++) {
          chain.pay(1n)
          await later(1.2 * DAY)
        }
        const count = readings() - before
        t.ok(count >= 16 * 8 && count <= 16 * 11, `${count} readings of sixteen wallets in eleven days`)
        t.equal(most, 16)
      },
      memory,
    ),
)

await t.test('a book of which something is still being read is read again when that says so, not later each time', (t) =>
  onBoth(
    t,
    async (t, state) => {
      const { chain, watch, later, lines, pass } = await keeping(t, state)
      await watch()
      await later(2_000)
      chain.block(['deposit', 5n, 'wallet', 'stake'])
      chain.unread = 15
      await later(7.9 * DAY)
      t.equal((await lines()).length, 1)
      const began = chain.unread
      t.ok(began < 15, 'it was asked for')
      await pass((began + 2) * MINUTE, MINUTE / 2)
      t.same(shortOf(await lines()), ['1: deposit 5 wallet > stake'])
      t.equal((await lines()).at(-1)?.isComplete, true)
    },
    memory,
  ),
)
