import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { readDelegates } from '@svc/kit-evm'
import { observe } from '@svc/sandbox'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const observed = observe(scenario)
const stage = await startStage({ plugin, scenario: observed.scenario, family: evmFamily })
t.teardown(() => stage.close())
const CONTRACT = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const OTHER = '0x7777777777777777777777777777777777777777'
const walletOf = (number: number) => `0x${(0xabc0000 + number).toString(16).padStart(40, '0')}`

t.test('a chain runs the code that reads what a thousand wallets are delegated to in one call', async (t) => {
  const { evm } = { evm: observed.chain() }
  const wallets = Array.from({ length: 1_100 }, (_, index) => walletOf(index))
  const codes: Readonly<Record<number, string>> = {
    0: `0xef0100${CONTRACT.slice(2)}`,
    7: '0x60006000fd',
    8: `0x${'60'.repeat(40)}`,
    999: `0xef0100${OTHER.slice(2)}`,
    1099: `0xef0100${CONTRACT.slice(2)}`,
  }
  for (const [index, code] of Object.entries(codes)) await evm.setCode(walletOf(Number(index)), code)
  const { result, usage } = await stage.upstream.measure(() => readDelegates(stage.direct as never, wallets))
  t.equal(result.length, wallets.length)
  t.same(
    result.flatMap((delegate, index) => (delegate === null ? [] : [[index, delegate]])),
    [
      [0, CONTRACT],
      [999, OTHER],
      [1_099, CONTRACT],
    ],
  )
  t.ok(usage.calls <= 4, `${usage.calls} calls, with those that say which chain it is`)
  t.same(await readDelegates(stage.direct as never, []), [])
})
