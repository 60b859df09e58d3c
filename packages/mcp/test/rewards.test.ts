import t from 'tap'
import type { BoundProtocol } from '../src/protocols.ts'
import { rewardsTool } from '../src/tools/watch.ts'

const sum = (kind: string, asset: string, amount: string | null) => ({ kind, asset, amount, amount_base: '7' })
/** What the service answers of a validator whose delegators a stranger pays in 60 coins of his own. */
const SUMS = [
  ...Array.from({ length: 60 }, (_, index) => sum('reward', `denom:coin${index}`, null)),
  sum('deposit', 'native', '5'),
  sum('reward', 'native', '0.000007'),
]

t.test('what a wallet earned in the native token is never hidden behind coins of strangers, nor added to them', async (t) => {
  const end = { time: '2026-11-28T00:00:00.000Z' }
  const intervals = [{ opening: end, closing: end, sums: SUMS, rate_percent: '7.1', complete: false, reasons: ['not_declared'] }]
  const body = { opened_at: null, complete: false, totals: SUMS, intervals }
  const bound = { name: 'hub', terms: { caip2: 'cosmos:x', symbol: 'ATOM' }, calls: { read: async () => body } }
  let run: ((args: object, context: object) => Promise<{ structuredContent: any }>) | undefined
  rewardsTool([bound as unknown as BoundProtocol])({
    registerTool: (_name: string, _shape: object, call: typeof run) => (run = call),
    server: { getClientCapabilities: () => ({}) },
  } as never)
  const answer = await run?.({ protocol: 'hub', address: 'cosmos1' }, { mcpReq: { envelope: {}, signal: null } })
  const { totals, totals_in_all, intervals: shown } = answer?.structuredContent ?? {}
  t.same(totals.slice(0, 3), [
    { kind: 'deposit', asset: 'native', amount: '5', units: '7' },
    { kind: 'reward', asset: 'native', amount: '0.000007', units: '7' },
    { kind: 'reward', asset: 'denom:coin0', amount: null, units: '7' },
  ])
  t.same([totals.length, totals_in_all, shown[0].sums.length, shown[0].sums_in_all], [40, 62, 40, 62])
  t.match(shown[0], { rate_percent: '7.1', complete: false, reasons: ['not_declared'] })
})
