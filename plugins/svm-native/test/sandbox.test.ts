import { startSandbox } from '@svc/sandbox'
import t from 'tap'
import { commissionBps, delegatedByOthers, scenarios } from '../sandbox/index.ts'

t.test('each cluster has the validator of the settings, with its commission and stake', async (t) => {
  const sandbox = await startSandbox({ scenarios, controlPort: 0 })
  t.teardown(() => sandbox.close())
  t.same(Object.keys(sandbox.chains), ['svm:mainnet-beta', 'svm:devnet'])
  for (const [index, { chain }] of scenarios.entries()) {
    const { validator } = sandbox.settings[index]!
    const response = await fetch(sandbox.chains[chain]!.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getVoteAccounts', params: [{ votePubkey: validator }] }),
    })
    const { result } = (await response.json()) as { result: { current: object[] } }
    t.match(result.current, [
      { votePubkey: validator, inflationRewardsCommissionBps: commissionBps, activatedStake: Number(delegatedByOthers) },
    ])
  }
})
