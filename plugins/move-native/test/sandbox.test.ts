import { SuiGrpcClient } from '@mysten/sui/grpc'
import { startSandbox } from '@svc/sandbox'
import t from 'tap'
import { operatorName, scenarios } from '../sandbox/index.ts'

const sandbox = await startSandbox({ scenarios, controlPort: 0 })
t.teardown(() => sandbox.close())

t.test('both networks have ten validators, the operator among them, and a past', async (t) => {
  t.same(Object.keys(sandbox.chains), ['move:mainnet', 'move:testnet'])
  for (const [index, { rpcUrl }] of Object.values(sandbox.chains).entries()) {
    const sui = new SuiGrpcClient({ network: 'localnet', baseUrl: rpcUrl, format: 'binary' })
    const { response } = await sui.ledgerService.getEpoch({ readMask: { paths: ['epoch', 'system_state'] } })
    const validators = response.epoch?.systemState?.validators?.activeValidators ?? []
    t.equal(validators.length, 10)
    const operator = validators.find(({ address }) => address === sandbox.settings[index]?.validator)
    t.equal(operator?.name, operatorName)
    t.equal(operator?.commissionRate, 400n)
    t.ok(operator!.stakingPool!.exchangeRates!.size! > 31n, 'with rates enough for a yield')
  }
})
