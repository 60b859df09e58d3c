import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { observe } from '@svc/sandbox'
import t from 'tap'
import { delayStartsAfter, drive, epochOf, epochSeconds, scenario, setCommission, validatorId } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const MON = 10n ** 18n
const observed = observe(scenario)
const stage = await startStage({ plugin, scenario: observed.scenario, family: evmFamily })
t.teardown(() => stage.close())

/** The commission as the condition has it: what counts, what will, and from which epoch on. */
async function commission() {
  const [{ commissionPercent, terms = [] }] = (await plugin.protocol.condition!(stage.connect() as never)) as [any]
  const { value, effectiveEpoch } = terms.find(({ name }: { name: string }) => name === 'commission')
  return [commissionPercent, value, effectiveEpoch]
}

await t.test('a commission counts from the epoch for which the next snapshot is made, and is told with that epoch', async (t) => {
  const chain = observed.chain()
  const { epoch } = await epochOf(chain)
  t.same(await commission(), [10, '10', null])
  await drive(chain, setCommission(validatorId, (125n * MON) / 1000n))
  t.same(await commission(), [10, '12.5', epoch + 1], 'before the last part of an epoch it is the next one')
  await chain.advance({ seconds: delayStartsAfter + 60 })
  t.same(await commission(), [10, '12.5', epoch + 1], 'the snapshot has it')
  await drive(chain, setCommission(validatorId, MON / 20n))
  t.same(await commission(), [10, '5', epoch + 2], 'what is set after the snapshot waits for another')
  await chain.advance({ seconds: epochSeconds - delayStartsAfter })
  t.same(await commission(), [12.5, '5', epoch + 2])
  await chain.advance({ epochs: 1 })
  t.same(await commission(), [5, '5', null], 'then it counts')
})
