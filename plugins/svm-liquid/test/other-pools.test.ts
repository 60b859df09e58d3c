import { startStage, testPlugin } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import t from 'tap'
import { type PoolAddresses, scenarioOn } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'
import { optionsOf } from './options.ts'

/**
 * Pools by address: one of the program that is known for the cluster, and one of Sanctum's, which has the same instructions under another id. On the local chain both run
 * the same stand-in; what Sanctum deployed was not seen.
 *
 * @see https://github.com/igneous-labs/sanctum-lst-list (8b33c8c, read 2026-11-23)
 */
const POOLS: Readonly<Record<string, Required<PoolAddresses>>> = {
  JitoSOL: {
    program: 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
    pool: 'Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb',
    mint: 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn',
  },
  dSOL: {
    program: 'SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY',
    pool: '9mhGNSPArRMHpLDMSmxAvuoizBqtBGqYdT8WGuqgxNdn',
    mint: 'Dso1bDeDjCQxTrWHqUUi63oBvV7Mdm6WaobLbQ7gnPQ',
  },
}
// Every group, as for the pool that is known; without the callers besides the client, which are told no address of a pool but by the trust document.
for (const [name, addresses] of Object.entries(POOLS))
  await t.test(`${name} by its addresses`, (t) => testPlugin(t, optionsOf(onChain(scenarioOn('mainnet-beta', addresses)))))

t.test('a pool of another program or with another token than the settings say is not served', async (t) => {
  const { JitoSOL, dSOL } = POOLS
  const stage = await startStage({ plugin, scenario: scenarioOn('mainnet-beta', dSOL), family: svmFamily })
  t.teardown(() => stage.close())
  const inspected = (settings: object) => {
    const ctx = stage.connect()
    t.teardown(() => stage.kit.close?.(ctx.client))
    return stage.protocol.inspect({ ...ctx, network: { ...ctx.network, ...settings } } as never)
  }
  await t.resolves(inspected({}))
  await t.rejects(inspected({ program: JitoSOL?.program }), { code: 'SETTINGS_INVALID' })
  await t.rejects(inspected({ mint: JitoSOL?.mint }), { code: 'SETTINGS_INVALID' })
  await t.rejects(inspected({ pool: JitoSOL?.pool }), { code: 'SETTINGS_INVALID' })
})
