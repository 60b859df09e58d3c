import t from 'tap'
import { inspectedEvm } from '../src/evm/inspected.ts'
import { inspect } from '../src/inspect/index.ts'
import { type Intent, warningsOf } from '../src/intent/index.ts'

const network = { chainId: 'x', caip2: 'x:main', decimals: 9, symbol: 'TOY', max_fee: '5' }
const told = (maxFee: bigint, usualFee?: string) =>
  warningsOf({ path: '/toy', ...(usualFee === undefined ? {} : { usualFee }) }, network, {
    chainId: 'x',
    signers: [],
    calls: [],
    terms: {},
    maxFee,
  })

t.test('beyond ten times the usual fee a person is told, with both', async (t) => {
  t.same(told(20_000_000n, '0.002'), [], 'ten times it is not beyond')
  t.same(told(20_000_001n, '0.002'), [
    'The fee is at most 0.020000001 TOY. An action of /toy usually costs 0.002 TOY and less; this may be more than 10 times that.',
  ])
  t.same(told(5_000_000_000n), [], 'an intent that calls nothing usual')
})

/** A transfer on Monad of 21,000 gas, which costs ten times 0.3 MON at 142,857,142,857,142 wei. */
const transfer = (gasPrice: string) => `0xe68086${gasPrice}82520894${'11'.repeat(20)}8080818f8080`

t.test('the Inspector takes what is usual from the intent of a protocol that knows the transaction, else from the network', async (t) => {
  const found = async (text: string, protocols: readonly Intent[] = []) => {
    const inspected = await inspect({ text, protocols, families: [inspectedEvm], now: new Date() })
    return inspected.kind === 'read'
      ? inspected.readings.flatMap(({ unusual }) => unusual.map(({ title, why }) => `${title}: ${why}`))
      : inspected
  }
  const far = /The fee is far above usual: The fee is at most 3\.0\d+ MON\. Staking on Monad usually costs 0\.3 MON and less/
  t.match(await found(transfer(142_857_142_857_143n.toString(16))), [/plain transfer/, far])
  t.notMatch(await found(transfer(142_857_142_857_142n.toString(16))), /far above usual/)
})
