import type { Bucket } from '@svc/contract/book'
import t from 'tap'
import { statementText } from '../../src/ledger/statement-file.ts'

const BUCKETS: readonly Bucket[] = [
  { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['reward'] },
  { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: ['claim'] },
  { name: 'foreign', asset: null, kind: 'accrual', movedBy: ['claim'] },
]
const book = { account: 'acme', wallet: 'w', protocol: 'paper', network: '1', id: 1 }
const units = { caip2: 'paper:1', decimals: 0, symbol: 'PAP' }

/** Rows of a foreign layout for one entry. */
function rowsOf(kind: string, from: string, to: string, recognise: 'accrual' | 'claim'): number {
  const entry = { kind, amount: 5n, asset: 'native', from, to, corrects: null, time: new Date(0), tx: null }
  const line = { isSuperseded: false, entries: [entry], mark: { time: new Date(0) } }
  return statementText('koinly', { book, line } as never, units, recognise, BUCKETS).split('\r\n').length - 1
}

t.test('a reward is income once: as it accrues, or as it comes to where nobody has to claim it', (t) => {
  for (const [kind, from, to, accrual, claim] of [
    ['reward', 'chain', 'rewards', 1, 0],
    ['reward', 'chain', 'stake', 1, 1],
    ['reward', 'chain', 'stake:7', 1, 1],
    ['reward', 'chain', 'wallet', 1, 1],
    ['claim', 'rewards', 'wallet', 0, 1],
    ['compound', 'rewards', 'stake', 0, 1],
    ['slash', 'stake', 'chain', 1, 1],
    ['deposit', 'wallet', 'stake', 0, 0],
    ['revaluation', 'chain', 'stake', 0, 0],
  ] as const)
    t.same([rowsOf(kind, from, to, 'accrual'), rowsOf(kind, from, to, 'claim')], [accrual, claim], `${kind} to ${to}`)
  t.end()
})

t.test('a coin of a stranger is a row of its own in base units, under a name that is no symbol', (t) => {
  const texts = (['own', 'koinly', 'cointracking'] as const).map((layout) => {
    const entry = { kind: 'reward', amount: 5n, from: 'chain', to: 'foreign:denom:BTC', asset: 'denom:BTC', corrects: null, reason: null }
    const place = { height: 7n, tx: null, index: null, name: 'r0', bookedAt: new Date(0), time: new Date(0) }
    const line = {
      n: 1,
      isComplete: true,
      isSuperseded: false,
      reasons: [],
      entries: [{ ...entry, ...place }],
      mark: { time: new Date(0) },
    }
    return statementText(layout, { book, line } as never, { ...units, decimals: 6 }, 'accrual', BUCKETS)
  })
  const [own = '', koinly = '', cointracking = ''] = texts
  t.match(own, ',paper,reward,denom:BTC,,5,,chain,foreign:denom:BTC,')
  t.match(koinly, ',5,paper:1/denom:BTC,,,,,reward,')
  t.match(cointracking, 'Staking,5,paper:1/denom:BTC,,,,,paper,w,')
  t.end()
})
