import fc from 'fast-check'
import t from 'tap'
import { type ExitBooks, unstake } from '../src/index.ts'
import { ADDRESS, all, type CallTrial, data, ETHER, harvest, harvestArgs, network, REFERRER, reviewed, THIEF, told } from './support.ts'

const deposit = data('deposit', ADDRESS, REFERRER)
const update = data('updateState', harvestArgs)
const staked = { amount: '3', value: 3n * ETHER }
const exit = (shares: bigint, receiver = ADDRESS) => data('enterExitQueue', shares, receiver)
const claim = (ticket: bigint) => data('claimExitedAssets', ticket, 1700000000, 4)
const PROTECTED =
  'the vault takes a report with the proof of the oracles alone, and anybody may bring it; without one it refuses what has to wait for it'
const EITHER = 'the vault has one of the two and refuses the other; either is for the address alone'
const PRICE = 'from 50 to 125 shares, since one is worth from 0.8 to 2 ETH'
const PAID = 'one at least; the vault pays each to the address alone, which has to have asked for it, and refuses any other'

t.test('whatever follows neither from request nor from terms is told, with its value and its bound', async (t) => {
  const none = { fact: 'harvest', value: 'none', bound: PROTECTED }
  const report = { fact: 'harvest', value: told, bound: PROTECTED }
  const shares = { fact: 'shares', value: '100 shares', bound: PRICE }
  const queue = { fact: 'way', value: 'through the exit queue', bound: EITHER }
  const first = 'ticket 7 of second 1700000000 at checkpoint 4'
  const cases: readonly (readonly [name: string, tried: CallTrial, assumed: readonly object[]])[] = [
    ['stake', { ...staked, data: deposit }, [none]],
    ['stake', { ...staked, data: data('updateStateAndDeposit', ADDRESS, REFERRER, harvestArgs) }, [report]],
    ['unstake', { amount: '100', data: exit(100n * ETHER) }, [shares, queue, none]],
    ['unstake', { amount: '100', data: all(update, exit(100n * ETHER)) }, [shares, queue, report]],
    ['unstake', { amount: '100', data: data('redeem', 100n * ETHER, ADDRESS) }, [shares, { ...queue, value: 'paid at once' }, none]],
    ['withdraw', { data: claim(7n) }, [{ fact: 'claims', value: first, bound: PAID }, none]],
    [
      'withdraw',
      { data: all(update, claim(7n), claim(8n)) },
      [{ fact: 'claims', value: `${first}, ${first.replace('7', '8')}`, bound: PAID }, report],
    ],
  ]
  for (const [name, tried, assumed] of cases) {
    const found = reviewed(name, tried)
    t.same('assumed' in found && found.assumed.slice(0, 3).map(({ fact }) => fact), ['nonce', 'gasLimit', 'gasPrice'], name)
    t.same('assumed' in found && found.assumed.slice(3), assumed, name)
  }
})

t.test('shares are taken within what one may be worth, and refused just beyond', async (t) => {
  for (const shares of [50n * ETHER, 125n * ETHER]) t.match(reviewed('unstake', { amount: '100', data: exit(shares) }), { known: true })
  for (const shares of [0n, 50n * ETHER - 1n, 125n * ETHER + 1n]) {
    for (const call of [exit(shares), all(update, exit(shares)), data('redeem', shares, ADDRESS)])
      t.match(reviewed('unstake', { amount: '100', data: call }), { mismatches: [{ path: 'facts.shares', expected: PRICE }] })
  }
})

t.test('facts that the caller knows are compared exactly and not assumed', async (t) => {
  const books: ExitBooks = { owned: 900n * ETHER, totalAssets: 4000n * ETHER, totalShares: 1000n * ETHER, minted: null }
  const own = { shares: books, way: 'queue', harvest: null }
  // A price far beyond the bound, which the caller has read himself.
  const right = reviewed('unstake', { amount: '100', data: exit(25n * ETHER), facts: own })
  t.match(right, { known: true, assumed: [{ fact: 'nonce' }, { fact: 'gasLimit' }, { fact: 'gasPrice' }] })
  t.equal('assumed' in right && right.assumed.length, 3, 'which are of every transaction')
  const lies: readonly (readonly [string, CallTrial, string])[] = [
    ['unstake', { amount: '100', data: exit(25n * ETHER + 1n), facts: own }, 'calls[0].args.shares'],
    ['unstake', { amount: '100', data: exit(25n * ETHER), facts: { ...own, shares: 25n * ETHER - 1n } }, 'calls[0].args.shares'],
    ['unstake', { amount: '100', data: data('redeem', 25n * ETHER, ADDRESS), facts: own }, 'calls[0].method'],
    ['unstake', { amount: '100', data: all(update, exit(25n * ETHER)), facts: own }, 'calls[0].method'],
    ['unstake', { amount: '100', data: exit(25n * ETHER), facts: { ...own, harvest } }, 'calls[0].method'],
    ['stake', { ...staked, data: deposit, facts: { harvest } }, 'calls[0].method'],
    [
      'stake',
      { ...staked, data: data('updateStateAndDeposit', ADDRESS, REFERRER, harvestArgs), facts: { harvest: { ...harvest, reward: 5n } } },
      'calls[0].args.harvest[1]',
    ],
    ['withdraw', { data: claim(7n), facts: { claims: [{ ticket: 8n, timestamp: 1700000000n, index: 4n }] } }, 'calls[0].args.ticket'],
  ]
  for (const [name, tried, path] of lies) t.match(reviewed(name, tried), { mismatches: [{ path }] }, `${name} ${path}`)
})

t.test('what a thief would want is refused', async (t) => {
  const unstaked = { amount: '100' }
  const whole = exit(100n * ETHER)
  const lies: readonly (readonly [string, CallTrial, string])[] = [
    ['stake', { ...staked, data: data('deposit', THIEF, REFERRER) }, 'calls[0].args.receiver'],
    ['stake', { ...staked, data: data('deposit', ADDRESS, THIEF) }, 'calls[0].args.referrer'],
    ['stake', { ...staked, data: data('updateStateAndDeposit', THIEF, REFERRER, harvestArgs) }, 'calls[0].args.receiver'],
    ['stake', { ...staked, data: deposit, value: 3n * ETHER + 1n }, 'calls[0].value'],
    ['stake', { ...staked, data: deposit, to: THIEF }, 'calls[0].target'],
    ['stake', { ...staked, data: all(whole) }, 'calls'],
    ['unstake', { ...unstaked, data: exit(100n * ETHER, THIEF) }, 'calls[0].args.receiver'],
    ['unstake', { ...unstaked, data: data('redeem', 100n * ETHER, THIEF) }, 'calls[0].args.receiver'],
    ['unstake', { ...unstaked, data: all(update, exit(100n * ETHER, THIEF)) }, 'calls[0].args.calls[1]'],
    ['unstake', { ...unstaked, data: all(update, whole, exit(100n * ETHER, THIEF)) }, 'calls[0].args.calls'],
    ['unstake', { ...unstaked, data: all(whole, update) }, 'calls[0].args.calls[0]'],
    ['unstake', { ...unstaked, data: all(whole) }, 'calls[0].method'],
    ['unstake', { ...unstaked, data: all(update) }, 'args.calls'],
    ['unstake', { ...unstaked, data: all(update, whole), value: 1n }, 'calls[0].value'],
    ['withdraw', { data: all() }, 'facts.claims'],
    ['withdraw', { data: all(update) }, 'facts.claims'],
    ['withdraw', { data: all(claim(7n)) }, 'calls[0].method'],
    ['withdraw', { data: all(claim(7n), exit(1n, THIEF)) }, 'calls[0].method'],
    ['withdraw', { data: all(claim(7n), update) }, 'calls[0].args.calls[0]'],
    ['withdraw', { data: all(update, update, claim(7n)) }, 'calls[0].args.calls'],
    ['withdraw', { data: all(claim(7n), all(claim(8n))) }, 'args.calls'],
    ['withdraw', { data: all(claim(7n), '0xdeadbeef') }, 'args.calls'],
    ['withdraw', { data: claim(7n), to: THIEF }, 'calls[0].target'],
  ]
  for (const [name, tried, path] of lies) t.match(reviewed(name, tried), { mismatches: [{ path }] }, `${name} ${path}`)
})

t.test('what the books of an honest vault make of an amount is within the bound', async (t) => {
  const amounts = (min: bigint) => fc.bigInt({ min, max: 10n ** 27n })
  fc.assert(
    fc.property(amounts(100n), amounts(10n ** 18n), fc.bigInt({ min: 801n, max: 1999n }), (amount, totalShares, permille) => {
      const books: ExitBooks = { owned: 10n ** 28n, totalAssets: (totalShares * permille) / 1000n, totalShares, minted: null }
      const { calls } = unstake.effects(network, { address: ADDRESS, amount }, { shares: books, way: 'queue', harvest: null })
      return 'sentence' in reviewed('unstake', { amount, data: exit(BigInt(String(calls[0]?.args.shares))) })
    }),
  )
  t.pass('held')
})
