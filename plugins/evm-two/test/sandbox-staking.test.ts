import type { SandboxError } from '@svc/sandbox'
import { type EvmChain, startEvmChain } from '@svc/sandbox-evm'
import { concat, dataSlice, Interface, id as keccakText, parseEther, toBeHex, zeroPadValue } from 'ethers'
import t, { type Test } from 'tap'
import {
  advanceEpoch,
  configure,
  control,
  epochAdmin,
  epochOf,
  epochSeconds,
  genesisInflation,
  poolId,
  putStaking,
  stakingAbi,
  stakingAddress,
} from '../sandbox/index.ts'
import run from './vectors/run.json' with { type: 'json' }

const calls = new Interface(stakingAbi)
const account = (digits: string) => `0x${digits.padStart(40, '0')}`
const [OWNER, D0, D1] = [account('aa'), account('d0'), account('d1')] as const
const NOBODY = account('')

/** A chain with one pool: stake one million of OWNER, commission a tenth, all of it in the genesis' words; epoch 1. */
async function start(t: Test) {
  const chain = await startEvmChain({ chainId: 1672 })
  t.teardown(() => chain.close())
  await putStaking(chain)
  await control(chain, 'addPool', poolId, OWNER, parseEther('1000000'), 1_000)
  await advanceEpoch(chain)
  for (const owner of [OWNER, D0, D1]) await chain.fund(owner, parseEther('60000000'))
  return { chain, ...driver(chain) }
}

function driver(chain: EvmChain) {
  const read = async (name: string, ...args: unknown[]) =>
    calls.decodeFunctionResult(name, await chain.call({ to: stakingAddress, data: calls.encodeFunctionData(name, args) }))
  const act = (from: string, name: string, value = 0n) =>
    chain.send({ from, to: stakingAddress, data: calls.encodeFunctionData(name, [poolId]), value })
  return {
    read,
    act,
    /** The one answer of a getter. */
    ask: async (name: string, ...args: unknown[]) => (await read(name, ...args))[0],
    delegator: async (owner: string) => (await read('getDelegator', poolId, owner))[0].toObject(),
    /** What a claim would pay, by a call that changes nothing. */
    claimable: async (from: string) =>
      BigInt(await chain.call({ from, to: stakingAddress, data: calls.encodeFunctionData('claimReward', [poolId]) })),
    pass: async (epochs = 1) => {
      for (let passed = 0; passed < epochs; passed++) {
        await chain.moveTime(epochSeconds)
        await advanceEpoch(chain)
      }
    },
    logs: (receipt: { logs: readonly { topics: readonly string[]; data: string }[] }) =>
      receipt.logs.map((log) => {
        const { name, args } = calls.parseLog(log)!
        return [name, args.toObject()]
      }),
  }
}

/** The refusal is Solidity's `Error(string)` with this text. */
function refuses(t: Test, attempt: Promise<unknown>, text: string) {
  return t.rejects(
    attempt.catch((error: SandboxError) => {
      throw Object.assign(error, { text: error.data?.startsWith('0x08c379a0') ? calls.parseError(error.data)?.args[0] : error.data })
    }),
    { code: 'RPC_ERROR', text },
    text,
  )
}

t.test('the run of the reference: activation, lazy rewards, compounding, exit and payment', async (t) => {
  const { chain, ask, act, delegator, claimable, pass, logs, read } = await start(t)
  t.equal(await epochOf(chain), 1)
  const amount = parseEther(run.delegated)
  const delegated = await act(D0, 'delegate', amount)
  t.match(logs(delegated), [['StakeDelegated', { poolId, amount, effectiveEpoch: 2n }]])
  t.match(await delegator(D0), { principalStake: amount, stake: 0n, pendingStake: amount, isPendingUndelegate: false })
  t.equal(await ask('pendingActivationEpoch', poolId, D0), 2n)
  await refuses(t, act(D0, 'delegate', amount), 'Cannot delegate while pending stake exists')
  await refuses(t, act(D0, 'undelegate'), 'delegator has pending stake, not allowed to undelegate')

  await pass()
  t.same([...(await read('getPendingStakeInfo', poolId, D0))], [amount, 2n, true])
  await refuses(t, act(D0, 'claimReward'), 'No rewards to claim')
  // The refused call changed nothing: it is not settled yet.
  t.match(await delegator(D0), { stake: 0n, pendingStake: amount })

  await pass()
  t.equal(await ask('getDelegatorReward', poolId, D0), 0n, "the contract's own sum leaves out what nobody has settled")
  t.equal(await claimable(D0), parseEther(run.firstRewards))
  const acc: bigint = await ask('accumulatedRewardPerShares', poolId)
  const since: bigint = await ask('getHistoricalRPS', 2n, poolId)
  t.equal(((acc - since) * amount) / 10n ** 27n, parseEther(run.firstRewards), 'both paths lead to the same rewards')

  const compounded = await act(D0, 'compoundRewards')
  t.match(logs(compounded), [['RewardsCompounded', { poolId, amount: parseEther(run.firstRewards) }]])
  t.match(await delegator(D0), {
    principalStake: amount,
    stake: amount,
    rewards: 0n,
    pendingStake: parseEther(run.firstRewards),
  })
  t.same([...(await read('getHistoricalRPS', 2n, poolId))], [0n, 0n], 'the record of the epoch is dropped with its last user')
  await refuses(t, act(D0, 'compoundRewards'), 'No rewards to compound')
  await refuses(t, act(D0, 'delegate', amount), 'Cannot delegate while pending stake exists')

  await pass(2)
  await act(D0, 'settleReward')
  t.match(await delegator(D0), { stake: parseEther(run.compounded), rewards: parseEther(run.secondRewards), pendingStake: 0n })

  const total = (await ask('getValidator', poolId)).totalStake
  const exited = await act(D0, 'undelegate')
  const exit = parseEther(run.exit)
  t.match(logs(exited), [['StakeUndelegated', { poolId, amount: exit, unlockEpoch: 5n + 84n }]])
  t.match(await delegator(D0), { principalStake: 0n, stake: 0n, rewards: 0n, pendingWithdrawStake: exit, isPendingUndelegate: true })
  t.equal((await ask('getValidator', poolId)).totalStake, total - parseEther(run.compounded))
  const [entry] = await ask('getUserPendingUndelegations', D0)
  t.match(entry.toObject(), { amount: exit, unlockEpoch: 89n, processed: false, principalAmount: amount, rewardAmount: exit - amount })
  await refuses(t, act(D0, 'claimStake'), 'No withdrawable stake')
  await refuses(t, act(D0, 'delegate', amount), 'Cannot delegate while pending undelegate')
  await refuses(t, act(D0, 'undelegate'), 'No stake to undelegate')

  await pass(83)
  await refuses(t, act(D0, 'claimStake'), 'No withdrawable stake')
  await pass()
  const before = await chain.balance(D0)
  const paid = await act(D0, 'claimStake')
  t.match(logs(paid), [
    ['CoinMinted', { reason: 1n, amount: exit - amount }],
    ['DelegatorWithdrawClaimed', { poolId, amount: exit, epochNumber: 89n }],
    ['StakeClaimed', { amount: exit }],
  ])
  t.ok((await chain.balance(D0)) - before > exit - parseEther('1'), 'it is paid')
  t.match(await delegator(D0), { pendingWithdrawStake: 0n, pendingWithdrawWindow: 0n, isPendingUndelegate: false })
  t.equal((await ask('getUserPendingUndelegations', D0)).length, 0, 'what was paid is not shown')
  await refuses(t, act(D0, 'claimStake'), 'No withdrawable stake')
  await pass()
  t.equal((await ask('getUserPendingUndelegations', D0)).length, 0)
  await act(D0, 'delegate', amount)
})

t.test('a second delegation leaves what the first has earned, and both earn from then on', async (t) => {
  const { ask, act, claimable, pass, delegator } = await start(t)
  await act(D0, 'delegate', parseEther('1000'))
  await act(D1, 'delegate', parseEther('1000'))
  await pass(2)
  const both = await claimable(D0)
  t.equal(await claimable(D1), both)
  await act(D0, 'delegate', parseEther('500'))
  t.equal(await claimable(D0), both, 'nothing is lost')
  t.equal(await ask('delegatorCounts', poolId), 3n, 'the owner, and each delegator once')
  await pass()
  t.equal(await claimable(D0), await claimable(D1), 'the addition does not earn in the epoch in which it was made')
  await pass()
  const [more, less] = [(await claimable(D0)) - both, (await claimable(D1)) - both]
  t.ok(more > less, `${more} for 1500 against ${less} for 1000`)
  await act(D0, 'claimReward')
  t.match(await delegator(D0), { stake: parseEther('1500'), pendingStake: 0n, rewards: 0n, totalRewardsClaimed: both + more })
  await act(D1, 'undelegate')
  t.equal(await ask('delegatorCounts', poolId), 2n)
})

t.test("an epoch's rewards go to the pools by stake, and commission to the owner", async (t) => {
  const { chain, ask, pass } = await start(t)
  const second = toBeHex(2, 32)
  await control(chain, 'addPool', second, D1, parseEther('3000000'), 2_000)
  await pass()
  t.equal(await ask('totalStake'), parseEther('4000000'))
  const [first, other] = [await ask('getDelegatorReward', poolId, OWNER), await ask('getDelegatorReward', second, D1)]
  const acc = await ask('accumulatedRewardPerShares', second)
  await pass()
  // 41666.666666666666666666 an epoch, a quarter and three quarters of it; owners hold all of the stake, and so get all of it.
  const epoch = (((genesisInflation.supply * 9125n) / 100_000n) * 14_400n) / 31_536_000n
  t.equal(epoch, parseEther('41666.666666666666666666'))
  for (const [found, expected] of [
    [(await ask('getDelegatorReward', poolId, OWNER)) - first, epoch / 4n],
    [(await ask('getDelegatorReward', second, D1)) - other, (epoch * 3n) / 4n],
  ] as const)
    t.ok(found <= expected && found >= expected - 10n, `${found} of ${expected}`)
  // A fifth of what the second pool gets is commission, so the accumulator grows by the rest over its three million.
  const grown = (await ask('accumulatedRewardPerShares', second)) - acc
  const expected = (epoch * 3n * 8n * 10n ** 27n) / (4n * 10n * parseEther('3000000'))
  t.ok(grown <= expected && grown >= expected - 10n ** 9n, `${grown} of ${expected}`)
})

t.test('switched off, nothing is earned; any other text is on', async (t) => {
  const { chain, act, ask, pass } = await start(t)
  await act(D0, 'delegate', parseEther('1000'))
  await pass()
  const acc = () => ask('accumulatedRewardPerShares', poolId)
  for (const off of ['false', 'False']) {
    await configure(chain, 'chain.enable_pos_staking', off)
    const before = await acc()
    await pass()
    t.equal(await acc(), before, off)
  }
  for (const on of ['true', 'FALSE', '']) {
    await configure(chain, 'chain.enable_pos_staking', on)
    const before = await acc()
    await pass()
    t.ok((await acc()) > before, `"${on}"`)
  }
})

t.test('an epoch lasts its time, and only the system sender ends it', async (t) => {
  const { chain, act, logs, pass } = await start(t)
  await refuses(t, advanceEpoch(chain), 'The epoch is not over')
  await chain.moveTime(epochSeconds - 60)
  await refuses(t, advanceEpoch(chain), 'The epoch is not over')
  await chain.moveTime(60)
  const data = calls.encodeFunctionData('advanceEpoch')
  await refuses(t, chain.send({ from: D0, to: stakingAddress, data }), 'Only the epoch admin')
  t.match(logs(await advanceEpoch(chain)), [
    ['EpochChange', { epochNumber: 2n, totalStake: parseEther('1000000'), activeValidators: [poolId] }],
  ])
  await configure(chain, 'chain.epoch_duration', '60000')
  await chain.moveTime(60)
  await advanceEpoch(chain)
  for (const nonsense of ['', '0', '999']) {
    await configure(chain, 'chain.epoch_duration', nonsense)
    await refuses(t, advanceEpoch(chain), 'The epoch is not over')
  }
  await pass()
  await configure(chain, 'staking.delegation_withdraw_effective_epoch', '2')
  await act(D0, 'delegate', parseEther('1'))
  await pass()
  await act(D0, 'undelegate')
  await pass()
  await refuses(t, act(D0, 'claimStake'), 'No withdrawable stake')
  await pass()
  await act(D0, 'claimStake')
})

t.test('every condition of a delegation is the refusal of the contract', async (t) => {
  const { chain, act } = await start(t)
  const refused = (text: string, value = parseEther('1')) => refuses(t, act(D0, 'delegate', value), text)
  await refused('Insufficient stake', parseEther('1') - 1n)
  await refused('Insufficient stake', 0n)
  const elsewhere = (method: string, value = 0n) =>
    chain.send({ from: D0, to: stakingAddress, data: calls.encodeFunctionData(method, [toBeHex(7, 32)]), value })
  await refuses(t, elsewhere('delegate', parseEther('1')), 'Delegation disabled')
  for (const method of ['undelegate', 'compoundRewards']) await refuses(t, elsewhere(method), 'Validator does not exist')

  await control(chain, 'setDelegationEnabled', poolId, false)
  await refused('Delegation disabled')
  await act(OWNER, 'delegate', parseEther('1'))
  await control(chain, 'setDelegationEnabled', poolId, true)
  await control(chain, 'setApprover', poolId, D1)
  await refused('Approval required: use delegateWithApproval')
  await control(chain, 'setApprover', poolId, NOBODY)

  await control(chain, 'setStatus', poolId, 3)
  await refused('Validator is pending exit')
  await control(chain, 'setStatus', poolId, 4)
  await refused('Validator status invalid')
  await control(chain, 'setStatus', poolId, 1)
  await act(D1, 'delegate', parseEther('1'))
  await control(chain, 'setStatus', poolId, 2)

  await configure(chain, 'staking.max_staking_pool_value', String(parseEther('1000002')))
  await refused('Pool stake already at maximum')
})

t.test('what does not fit into the pool is sent back, and the last of its room may be below the minimum', async (t) => {
  const { chain, act, ask, delegator } = await start(t)
  await configure(chain, 'staking.max_staking_pool_value', String(parseEther('1000005')))
  const before = await chain.balance(D0)
  await act(D0, 'delegate', parseEther('1000'))
  t.ok(before - (await chain.balance(D0)) < parseEther('5.1'), 'the rest came back')
  t.match(await delegator(D0), { pendingStake: parseEther('5'), principalStake: parseEther('5') })
  await configure(chain, 'staking.max_staking_pool_value', String(parseEther('1000005') + 1n))
  await refuses(t, act(D1, 'delegate', 2n), 'Insufficient stake')
  await act(D1, 'delegate', 1n)
  t.equal((await ask('getValidator', poolId)).totalStake, parseEther('1000005') + 1n)
})

t.test('a pause stops everything but the payment of what is due, and the reads of states', async (t) => {
  const { chain, act, read, delegator, pass } = await start(t)
  await act(D0, 'delegate', parseEther('1000'))
  await configure(chain, 'staking.delegation_withdraw_effective_epoch', '1')
  await act(D1, 'delegate', parseEther('1'))
  await pass(2)
  await act(D1, 'undelegate')
  await pass()
  await control(chain, 'setPaused', true)
  t.same([...(await read('paused'))], [true])
  const paused = { code: 'RPC_ERROR', data: calls.getError('EnforcedPause')!.selector }
  await t.rejects(act(D0, 'delegate', parseEther('1')), paused)
  for (const name of ['undelegate', 'claimReward', 'compoundRewards', 'settleReward']) await t.rejects(act(D0, name), paused, name)
  for (const name of ['isValidatorActive', 'isValidatorPendingAdd', 'isValidatorPendingExit'])
    await t.rejects(read(name, poolId), paused, name)
  t.match(await delegator(D0), { pendingStake: parseEther('1000') })
  await act(D1, 'claimStake')
})

t.test("a pool's owner does not leave through undelegate", async (t) => {
  const { act } = await start(t)
  await refuses(t, act(OWNER, 'undelegate'), 'Use exitValidator/withdrawStake instead')
  await refuses(t, act(D0, 'undelegate'), 'No stake to undelegate')
})

t.test('a payment that calls back is refused', async (t) => {
  const { chain, act, pass } = await start(t)
  await act(D0, 'delegate', parseEther('1000'))
  await pass(2)
  await chain.setCode(D0, callsBack())
  await act(D0, 'claimReward')
  const kept = (await chain.rpc('eth_getStorageAt', [D0, '0x0', 'latest'])) as string
  t.equal(dataSlice(kept, 28), calls.getError('ReentrancyGuardReentrantCall')!.selector)
})

/** Code that, when it is paid, claims once more and keeps the first four bytes of the answer in its storage. */
function callsBack(): string {
  const data = calls.encodeFunctionData('claimReward', [poolId])
  const push = (hex: string) => concat([toBeHex(0x5f + (hex.length - 2) / 2), hex])
  const store = (word: string, at: number) => concat([push(word), push(toBeHex(at)), '0x52'])
  return concat([
    store(dataSlice(data, 0, 32), 0),
    store(concat([dataSlice(data, 32), zeroPadValue('0x', 28)]), 32),
    // call(gas, staking, 0, 0, 36, 0, 0)
    '0x5f5f6024', // out size, out offset, in size
    '0x5f5f', // in offset, value
    push(stakingAddress),
    '0x5af150', // gas, call, pop
    '0x60045f60403e', // returndatacopy(64, 0, 4)
    '0x60405160e01c5f5500', // sstore(0, mload(64) >> 224), stop
  ])
}

t.test('a version without approvers reverts without a word when asked for one', async (t) => {
  const { chain, read, act } = await start(t)
  t.same([...(await read('getDelegationApprover', poolId))], [NOBODY])
  await control(chain, 'setKnowsApprovers', false)
  await t.rejects(read('getDelegationApprover', poolId), { code: 'RPC_ERROR', data: '0x' })
  await act(D0, 'delegate', parseEther('1'))
})

t.test('events and errors have the topics of the real contract', async (t) => {
  for (const [name, topic] of Object.entries(run.topics)) t.equal(calls.getEvent(name)?.topicHash, topic, name)
  t.equal(calls.getError('EnforcedPause')?.selector, '0xd93c0665')
  t.equal(calls.getEvent('EpochChange')?.topicHash, keccakText('EpochChange(uint256,uint256,uint256,uint256,bytes32[])'))
  t.equal(calls.getFunction('advanceEpoch')?.selector, '0x3cf80e6c')
  t.equal(calls.getFunction('settleReward')?.selector, '0x73512734')
  t.equal(epochAdmin, `0x${'11'.repeat(20)}`)
})
