import t from 'tap'
import { callLine } from '../src/cli/call-line.ts'

const NETWORK = { decimals: 6, symbol: 'ATOM' }

t.test('a call is one line, with all of its arguments and what is sent along', (t) => {
  const call = { target: '0xab', method: 'stake(uint256)', args: {}, value: 0n }
  for (const [change, line] of [
    [{}, 'stake(uint256) on 0xab'],
    [{ method: '' }, 'a plain transfer on 0xab'],
    [{ method: '', value: 1_500_000n }, 'a plain transfer on 0xab, with 1.5 ATOM (1500000 base units) sent along'],
    [{ value: 1n }, 'stake(uint256) on 0xab, with 0.000001 ATOM (1 base units) sent along'],
    [{ args: { amount: 5n, to: '0xcd', open: true } }, 'stake(uint256) on 0xab (amount: 5, to: 0xcd, open: true)'],
    [
      { args: { ids: [1n, [2n, '3']], none: [] }, value: 2n },
      'stake(uint256) on 0xab (ids: [1, [2, 3]], none: []), with 0.000002 ATOM (2 base units) sent along',
    ],
  ] as const)
    t.equal(callLine({ ...call, ...change }, NETWORK), line)
  t.end()
})
