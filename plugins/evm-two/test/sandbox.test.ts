import { startSandbox } from '@svc/sandbox'
import { startEvmChain } from '@svc/sandbox-evm'
import { Interface, parseEther } from 'ethers'
import t, { type Test } from 'tap'
import { epochSeconds, poolId, poolOwners, scenario, stakingAbi, stakingAddress } from '../sandbox/index.ts'

const calls = new Interface(stakingAbi)
const owner = '0x00000000000000000000000000000000000000d0'

async function start(t: Test) {
  const chain = await startEvmChain({ chainId: 1672 })
  t.teardown(() => chain.close())
  const { settings } = await scenario.install(chain)
  const ask = async (name: string, ...args: unknown[]) =>
    calls.decodeFunctionResult(name, await chain.call({ to: stakingAddress, data: calls.encodeFunctionData(name, args) }))[0]
  return { chain, settings, ask }
}

t.test('the scenario has twenty pools in epoch 1, with the pool of the settings among them', async (t) => {
  const { settings, ask } = await start(t)
  t.same(settings, { staking: stakingAddress, pool_id: poolId })
  t.equal(await ask('currentEpoch'), 1n)
  t.equal(await ask('totalStake'), parseEther('500000000'))
  const pool = await ask('getValidator', settings.pool_id)
  t.equal(pool.totalStake, parseEther('25000000'))
  t.equal(pool.owner.toLowerCase(), poolOwners[0])
  t.equal(await ask('isValidatorActive', poolId), true)
  t.equal(await ask('getCommissionRate', poolId), 1_000n)
})

t.test('an epoch takes four hours and pays its share of a year', async (t) => {
  const { chain, ask } = await start(t)
  const before = await chain.latest()
  const after = await chain.advance({ epochs: 3 })
  t.match(after, { epoch: 4 })
  const drift = Number(after.timestamp) - before.timestamp - 3 * epochSeconds
  // Each block that the boundary makes moves the clock by a second at most.
  t.ok(drift >= 0 && drift < 600, `${drift}`)
  // The twentieth part of 41666.666666666666666666 for each pool and epoch; all of its stake and the commission are the owner's.
  const earned = await ask('getDelegatorReward', poolId, poolOwners[0])
  const expected = (parseEther('41666.666666666666666666') * 3n) / 20n
  t.ok(earned <= expected && earned >= expected - 100n, `${earned} of ${expected}`)
})

t.test('advancing by seconds passes the epochs that end in them', async (t) => {
  const { chain } = await start(t)
  t.match(await chain.advance({ seconds: 14_000 }), { epoch: 1 })
  t.match(await chain.advance({ seconds: 500 }), { epoch: 2 })
  t.match(await chain.advance({ seconds: 10 * epochSeconds }), { epoch: 12 })
  t.match(await chain.advance({ epochs: 1 }), { epoch: 13 })
})

t.test('a tick alone leaves the epoch, since no time has passed', async (t) => {
  const { chain, ask } = await start(t)
  await chain.tick()
  t.equal(await ask('currentEpoch'), 1n)
})

t.test('the control port moves a whole sandbox on by the withdraw window', async (t) => {
  const sandbox = await startSandbox({ scenarios: [scenario], controlPort: 0, clock: true })
  t.teardown(() => sandbox.close())
  const response = await fetch(`${sandbox.controlUrl}/chains/evm/1672/advance`, { method: 'POST', body: '{ "epochs": 84 }' })
  t.equal(response.status, 200)
  t.match(await response.json(), { epoch: 85, block: Number, timestamp: Number })
})

t.test('someone without a record has zeros and an empty list', async (t) => {
  const { ask } = await start(t)
  t.equal((await ask('getUserPendingUndelegations', owner)).length, 0)
  t.ok((await ask('getDelegator', poolId, owner)).toArray().every((value: unknown) => value === 0n || value === false))
})
