import { startSandbox } from '@svc/sandbox'
import { type EvmChain, startEvmChain } from '@svc/sandbox-evm'
import { Interface, parseEther } from 'ethers'
import t, { type Test } from 'tap'
import { delayStartsAfter, epochSeconds, scenario, stakingAbi, stakingAddress, validatorId } from '../sandbox/index.ts'

const calls = new Interface(stakingAbi)
const owner = '0x00000000000000000000000000000000000000d0'

async function start(t: Test) {
  const chain = await startEvmChain({ chainId: 143 })
  t.teardown(() => chain.close())
  const { settings } = await scenario.install(chain)
  return { chain, settings, read: reader(chain) }
}

function reader(chain: EvmChain) {
  return async (name: string, args: unknown[] = []) =>
    calls.decodeFunctionResult(name, await chain.call({ to: stakingAddress, data: calls.encodeFunctionData(name, args) }))
}

async function delegate(chain: EvmChain, amount: bigint): Promise<void> {
  await chain.fund(owner, amount + parseEther('10'))
  await chain.send({ from: owner, to: stakingAddress, data: calls.encodeFunctionData('delegate', [validatorId]), value: amount })
}

t.test('the scenario has a set of two pages, with the validator of the settings in it', async (t) => {
  const { settings, read } = await start(t)
  t.same(settings, { staking: stakingAddress, validator_id: 12, block_seconds: 0.3, reward_per_block: '18', gas_price_least: 0 })
  const first = await read('getConsensusValidatorSet', [0])
  const second = await read('getConsensusValidatorSet', [first.nextIndex])
  t.same([first.isDone, first.nextIndex, first.valIds.length], [false, 100n, 100])
  t.same([second.isDone, second.nextIndex, second.valIds.length], [true, 120n, 20])
  const validator = await read('getValidator', [settings.validator_id])
  t.equal(validator.consensusStake, parseEther('100000000'))
  t.equal(validator.consensusCommission, parseEther('0.1'))
  t.equal(validator.flags, 0n)
})

t.test('an epoch takes 15,000 seconds, and pays the rewards of 50,000 blocks', async (t) => {
  const { chain, read } = await start(t)
  t.equal(epochSeconds, 15_000)
  await delegate(chain, parseEther('100000000'))
  const before = await chain.latest()
  const after = await chain.advance({ epochs: 1 })
  t.match(after, { epoch: 3, in_delay_period: false })
  const drift = Number(after.timestamp) - before.timestamp - epochSeconds
  // Each block that the boundary makes moves the clock by a second at most.
  t.ok(drift >= 0 && drift < 600, `${drift}`)
  t.equal((await read('getDelegator', [validatorId, owner])).stake, parseEther('100000000'))

  // The second epoch: 900,000 MON to 12.1 billion of stake, less a commission of a tenth. The first nine tenths go to the stakes
  // of that epoch, and so does the rest, since this delegation was in the set when it began.
  await chain.advance({ epochs: 1 })
  const earned = (await read('getDelegator', [validatorId, owner])).unclaimedRewards as bigint
  const expected = (parseEther('900000') * 9n * 100n) / (10n * 12_100n)
  // Each division may lose a wei, that of the commission in favour of the delegators.
  t.ok(earned <= expected + 10n && earned >= expected - 10n, `${earned} of ${expected}`)
})

t.test('advancing by seconds passes the boundaries that lie in them', async (t) => {
  const { chain } = await start(t)
  t.equal(delayStartsAfter, 13_500)
  t.match(await chain.advance({ seconds: 13_000 }), { epoch: 2, in_delay_period: false })
  t.match(await chain.advance({ seconds: 600 }), { epoch: 2, in_delay_period: true })
  t.match(await chain.advance({ seconds: 1_500 }), { epoch: 3, in_delay_period: false })
  t.match(await chain.advance({ seconds: 10 * 15_000 }), { epoch: 13, in_delay_period: false })
  // Within a delay period an epoch ends in the next one's.
  t.match(await chain.advance({ seconds: 13_500 }), { epoch: 13, in_delay_period: true })
  t.match(await chain.advance({ epochs: 1 }), { epoch: 14, in_delay_period: true })
})

t.test('a delegation in the delay period counts one epoch later', async (t) => {
  const { chain, read } = await start(t)
  await chain.advance({ seconds: 13_600 })
  await delegate(chain, parseEther('1'))
  t.match((await read('getDelegator', [validatorId, owner])).toObject(), { nextDeltaStake: parseEther('1'), nextDeltaEpoch: 4n })
  await chain.advance({ epochs: 1 })
  t.equal((await read('getDelegator', [validatorId, owner])).stake, 0n)
  await chain.advance({ epochs: 1 })
  t.equal((await read('getDelegator', [validatorId, owner])).stake, parseEther('1'))
})

t.test('a tick alone leaves the epoch, since no time has passed', async (t) => {
  const { chain, read } = await start(t)
  await chain.tick()
  t.equal((await read('getEpoch')).epoch, 2n)
})

t.test('the control port moves a whole sandbox on by epochs', async (t) => {
  const sandbox = await startSandbox({ scenarios: [scenario], controlPort: 0, clock: true })
  t.teardown(() => sandbox.close())
  const response = await fetch(`${sandbox.controlUrl}/chains/evm/143/advance`, { method: 'POST', body: '{ "epochs": 3 }' })
  t.equal(response.status, 200)
  t.match(await response.json(), { epoch: 5, in_delay_period: false, block: Number, timestamp: Number })
  t.match(sandbox.settings, [{ validator_id: 12 }])
})
