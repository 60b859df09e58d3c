import { type Answer, numberText, type Player } from '@svc/conformance'
import { exactNumber, formatAmount } from '@svc/contract'
import { Interface, parseEther } from 'ethers'
import t, { type Test } from 'tap'
import { configure, control, poolId, poolOwners, stakingAbi, stakingAddress } from '../sandbox/index.ts'
import { startObserved } from './support.ts'

const { stage, chain } = await startObserved()
t.teardown(() => stage.close())
const staking = new Interface(stakingAbi)
const NOBODY = `0x${'0'.repeat(40)}`

/** Room of the pool, in wei, as the chain's parameter and the pool's stake make it. */
async function setRoom(room: bigint): Promise<void> {
  const data = staking.encodeFunctionData('getValidator', [poolId])
  const [pool] = staking.decodeFunctionResult('getValidator', await chain.call({ to: stakingAddress, data }))
  await configure(chain, 'staking.max_staking_pool_value', String(pool.totalStake + room))
}

/** Changes the chain for one test, and changes it back. */
async function during(t: Test, change: () => Promise<void>, back: () => Promise<void>): Promise<void> {
  t.teardown(back)
  await change()
}

function refused(t: Test, answer: Answer, code: string, sentence: RegExp, status = 400): void {
  t.match(answer.json, { statusCode: status, code, error: sentence }, `${code}: ${answer.text}`)
}

/** What the contract itself answers to the same transaction, so that a precondition never refuses what the chain would take. */
async function chainSays(player: Player, name: string, value = 0n): Promise<string> {
  const data = staking.encodeFunctionData(name, [poolId])
  try {
    await chain.call({ from: player.wallet.address, to: stakingAddress, data, value })
    return 'taken'
  } catch (error) {
    const revert = staking.parseError((error as { data?: string }).data ?? '0x')
    return revert?.name === 'Error' ? String(revert.args[0]) : (revert?.name ?? 'no reason')
  }
}

const one = parseEther('1')

t.test("an amount below the chain's minimum is refused with the minimum, whatever it is", async (t) => {
  const player = await stage.player()
  refused(t, await player.craft('delegate', { amount: '0.999999999999999999' }), 'AMOUNT_TOO_SMALL', /minimum of 1 PROS\.$/)
  t.equal(await chainSays(player, 'delegate', one - 1n), 'Insufficient stake')
  t.equal((await player.craft('delegate', { amount: 1 })).status, 200)
  await during(
    t,
    () => configure(chain, 'staking.min_delegator_stake', String(2n * one)),
    () => configure(chain, 'staking.min_delegator_stake', String(one)),
  )
  refused(t, await player.craft('delegate', { amount: '1.999999999999999999' }), 'AMOUNT_TOO_SMALL', /minimum of 2 PROS\.$/)
  t.equal((await player.craft('delegate', { amount: 2 })).status, 200)
  await configure(chain, 'staking.min_delegator_stake', '')
  t.equal((await player.craft('delegate', { amount: 1 })).status, 200, "a parameter that is not set is the contract's default")
  await configure(chain, 'staking.min_delegator_stake', 'one')
  refused(t, await player.craft('delegate', { amount: 1 }), 'STAKING_UNREADABLE', /staking\.min_delegator_stake.*another form/, 502)
})

t.test("a pool that is not there is the operator's fault", async (t) => {
  const service = await stage.serve({ settings: { pool_id: `0x${'77'.repeat(32)}` } })
  t.teardown(() => service.close())
  const client = await service.client()
  const player = await stage.player()
  const answer = await client.post('/action/delegate', player.body({ amount: 1 }))
  refused(t, answer, 'POOL_UNKNOWN', /0x7777.* is not registered/, 502)
  const undelegated = await client.post('/action/undelegate', player.body())
  refused(t, undelegated, 'NOTHING_TO_UNDELEGATE', /no stake/)
})

t.test('a pool that is closed takes from its owner alone', async (t) => {
  const player = await stage.player()
  const delegate = () => player.craft('delegate', { amount: 1 })
  await during(
    t,
    () => control(chain, 'setDelegationEnabled', poolId, false),
    async () => {
      await control(chain, 'setOwner', poolId, poolOwners[0])
      await control(chain, 'setDelegationEnabled', poolId, true)
      await control(chain, 'setApprover', poolId, NOBODY)
      await control(chain, 'setKnowsApprovers', true)
    },
  )
  refused(t, await delegate(), 'DELEGATION_DISABLED', /takes no delegations/)
  t.equal(await chainSays(player, 'delegate', one), 'Delegation disabled')
  await control(chain, 'setDelegationEnabled', poolId, true)
  await control(chain, 'setApprover', poolId, poolOwners[1])
  refused(t, await delegate(), 'APPROVAL_REQUIRED', /0x[0-9a-fA-F]{40} has approved/)
  t.equal(await chainSays(player, 'delegate', one), 'Approval required: use delegateWithApproval')

  await control(chain, 'setDelegationEnabled', poolId, false)
  await control(chain, 'setOwner', poolId, player.wallet.address)
  t.equal((await delegate()).status, 200, 'its owner needs neither')
  refused(t, await player.craft('undelegate'), 'POOL_OWNER', /owns the pool/)
  t.equal(await chainSays(player, 'undelegate'), 'Use exitValidator/withdrawStake instead')

  await control(chain, 'setOwner', poolId, poolOwners[0])
  await control(chain, 'setDelegationEnabled', poolId, true)
  await control(chain, 'setApprover', poolId, NOBODY)
  await control(chain, 'setKnowsApprovers', false)
  t.equal((await delegate()).status, 200, 'a version without approvers asks for none')
})

t.test('a validator that leaves, joins or is not active earns nothing, and takes stake of its owner alone', async (t) => {
  const [player, owner, earns] = [await stage.player(), await stage.player(), await stage.player()]
  await earns.act('delegate', { amount: 100 })
  await earns.advance({ epochs: 2 })
  const delegate = (of = player) => of.craft('delegate', { amount: 1 })
  const rate = async () => {
    const service = await stage.serve()
    t.teardown(() => service.close())
    return ((await (await service.client()).get('/staking-info')).json as { staking_apr: number }).staking_apr
  }
  t.not(await rate(), 0, 'it earns to begin with')
  await during(
    t,
    () => control(chain, 'setStatus', poolId, 3),
    async () => {
      await control(chain, 'setStatus', poolId, 2)
      await control(chain, 'setOwner', poolId, poolOwners[0])
    },
  )
  for (const [status, code, sentence, chains] of [
    [3, 'POOL_LEAVING', /about to leave/, 'Validator is pending exit'],
    [4, 'POOL_INACTIVE', /is not active, so that stake earns nothing/, 'Validator status invalid'],
    [1, 'POOL_INACTIVE', /waits to join/, 'taken'],
  ] as const) {
    await control(chain, 'setStatus', poolId, status)
    await control(chain, 'setOwner', poolId, poolOwners[0])
    refused(t, await delegate(), code, sentence)
    t.equal(await chainSays(player, 'delegate', one), chains)
    t.equal(await rate(), 0, 'the rate shown is the same rule')
    refused(t, await earns.craft('compound-rewards'), code, sentence)
    t.equal((await earns.craft('claim-rewards')).status, 200, 'rewards can be had')
    t.equal((await earns.craft('undelegate')).status, 200, 'and everything can leave')
    await control(chain, 'setOwner', poolId, owner.wallet.address)
    t.equal((await delegate(owner)).status, 200, 'the owner brings it in, or back')
    t.equal(await chainSays(owner, 'delegate', one), 'taken')
  }
})

t.test('the pool takes its room to the wei and no more', async (t) => {
  const player = await stage.player()
  const room = parseEther('1234.567890123456789')
  const text = formatAmount(room, 18)
  await during(
    t,
    () => setRoom(room),
    () => configure(chain, 'staking.max_staking_pool_value', String(parseEther('50000000'))),
  )
  refused(
    t,
    await player.craft('delegate', { amount: '1234.567890123456789001' }),
    'POOL_ROOM_EXCEEDED',
    new RegExp(`than the ${text} PROS that`),
  )
  // The nearest double is 1234.567890123457, and above the room: what would come back is not what was asked for.
  refused(t, await player.craft('delegate', { amount: Number(text) }), 'POOL_ROOM_EXCEEDED', new RegExp(`than the ${text} PROS that`))
  const exact = await player.craft('delegate', { amount: exactNumber(text) })
  t.match(exact.json, { payload: { value: `0x${room.toString(16)}` } }, 'the maximum as a JSON number, digit by digit')

  await player.act('delegate', { amount: text })
  const other = await stage.player()
  refused(t, await other.craft('delegate', { amount: 1 }), 'POOL_FULL', /as much as the chain allows/)
  t.equal(await chainSays(other, 'delegate', one), 'Pool stake already at maximum')
  await setRoom(3n)
  refused(
    t,
    await other.craft('delegate', { amount: exactNumber('4e-18') }),
    'AMOUNT_TOO_SMALL',
    /exactly 0\.000000000000000003 PROS, which is all/,
  )
  t.equal((await other.craft('delegate', { amount: exactNumber('3e-18') })).status, 200, 'the last of the room may be below the minimum')
})

t.test('a paused contract lets out what is due, and takes nothing', async (t) => {
  const [stakes, leaves, waits] = [await stage.player(), await stage.player(), await stage.player()]
  await stakes.act('delegate', { amount: 100 })
  await leaves.act('delegate', { amount: 100 })
  await stakes.advance({ epochs: 2 })
  await configure(chain, 'staking.delegation_withdraw_effective_epoch', '1')
  await leaves.act('undelegate')
  await configure(chain, 'staking.delegation_withdraw_effective_epoch', '')
  await waits.advance({ epochs: 1 })
  await during(
    t,
    () => control(chain, 'setPaused', true),
    () => control(chain, 'setPaused', false),
  )
  refused(t, await waits.craft('delegate', { amount: 1 }), 'STAKING_PAUSED', /paused/)
  t.equal(await chainSays(waits, 'delegate', one), 'EnforcedPause')
  refused(t, await stakes.craft('undelegate'), 'STAKING_PAUSED', /paused/)
  refused(t, await waits.craft('delegate', { amount: '0.5' }), 'AMOUNT_TOO_SMALL', /minimum/)
  const position = await leaves.position()
  t.not(position.withdrawing, '0', 'positions are read all the same')
  await leaves.act('withdraw')
  for (const [action, method] of [
    ['claim-rewards', 'claimReward'],
    ['compound-rewards', 'compoundRewards'],
  ] as const) {
    refused(t, await stakes.craft(action), 'STAKING_PAUSED', /paused: until it is resumed, only what was undelegated/)
    t.equal(await chainSays(stakes, method), 'EnforcedPause')
  }
  refused(t, await waits.craft('claim-rewards'), 'NOTHING_TO_CLAIM', /no claimable/)
})

t.test('who has undelegated can claim what is left, and compounds nothing', async (t) => {
  // Rewards during an exit exist for owners alone: commission goes on.
  const player = await stage.player()
  await player.act('delegate', { amount: 100 })
  await player.advance({ epochs: 1 })
  await player.act('undelegate')
  await during(
    t,
    () => control(chain, 'setOwner', poolId, player.wallet.address),
    () => control(chain, 'setOwner', poolId, poolOwners[0]),
  )
  await player.advance({ epochs: 1 })
  t.not((await player.position()).rewards, '0')
  refused(t, await player.craft('compound-rewards'), 'UNDELEGATION_PENDING', /must be withdrawn/)
  t.equal(await chainSays(player, 'compoundRewards'), 'Cannot compound while pending undelegate')
  await player.act('claim-rewards')
  t.equal((await player.position()).rewards, '0')
})

t.test('each refusal of a record is one of the contract, and names its epoch', async (t) => {
  const player = await stage.player()
  await player.act('delegate', { amount: 5 })
  const { epoch } = (await player.advance({ seconds: 1 })) as { epoch: number }
  const waiting = new RegExp(`^5 PROS waits for epoch ${epoch + 1}, .* it is epoch ${epoch}\\.$`)
  refused(t, await player.craft('delegate', { amount: 1 }), 'DELEGATION_PENDING', waiting)
  t.equal(await chainSays(player, 'delegate', one), 'Cannot delegate while pending stake exists')
  refused(t, await player.craft('undelegate'), 'DELEGATION_PENDING', waiting)
  t.equal(await chainSays(player, 'undelegate'), 'delegator has pending stake, not allowed to undelegate')
  refused(t, await player.craft('claim-rewards'), 'NOTHING_TO_CLAIM', /no claimable rewards/)
  t.equal(await chainSays(player, 'claimReward'), 'No rewards to claim')
  refused(t, await player.craft('compound-rewards'), 'NOTHING_TO_COMPOUND', /no rewards/)
  t.equal(await chainSays(player, 'compoundRewards'), 'No rewards to compound')
  refused(t, await player.craft('withdraw'), 'NOTHING_TO_WITHDRAW', /nothing to withdraw/)
  t.equal(await chainSays(player, 'claimStake'), 'No withdrawable stake')

  await player.advance({ epochs: 2 })
  await player.act('delegate', { amount: 1 })
  refused(t, await player.craft('compound-rewards'), 'DELEGATION_PENDING', /^1 PROS waits for epoch/)
  t.equal(await chainSays(player, 'compoundRewards'), 'Cannot compound while pending stake exist')
  await player.advance({ epochs: 1 })
  await player.act('undelegate')
  refused(t, await player.craft('delegate', { amount: 1 }), 'UNDELEGATION_PENDING', /must be withdrawn/)
  t.equal(await chainSays(player, 'delegate', one), 'Cannot delegate while pending undelegate')
  refused(t, await player.craft('undelegate'), 'UNDELEGATION_PENDING', /has undelegated/)
  t.equal(await chainSays(player, 'undelegate'), 'No stake to undelegate')
  refused(
    t,
    await player.craft('withdraw'),
    'WITHDRAWAL_NOT_READY',
    new RegExp(`until epoch ${epoch + 3 + 84}; it is epoch ${epoch + 3}\\.$`),
  )
  t.equal(await chainSays(player, 'claimStake'), 'No withdrawable stake')
})

t.test('what a node says beyond all that is passed on by the simulation', async (t) => {
  const player = await stage.player()
  await player.act('delegate', { amount: 100 })
  await player.advance({ epochs: 2 })
  const data = staking.encodeErrorResult('EnforcedPause', [])
  for (const [error, sentence] of [
    [{ code: 3, message: 'execution reverted', data }, /refuse this transaction: the staking contract is paused\.$/],
    [
      { code: 3, message: 'execution reverted: No rewards to claim', data: staking.encodeErrorResult('Error', ['No rewards to claim']) },
      /: No rewards to claim\./,
    ],
  ] as const) {
    stage.upstream.interfere(async ({ body }, pass) => {
      const estimate = [JSON.parse(body)].flat().find(({ method }) => method === 'eth_estimateGas')
      const answers = [await (await pass()).json()].flat() as { id: number }[]
      return Response.json(answers.map((each) => (each.id === estimate?.id ? { jsonrpc: '2.0', id: each.id, error } : each)))
    })
    const answer = await player.craft('claim-rewards')
    stage.upstream.interfere(null)
    refused(t, answer, 'CHAIN_WOULD_REFUSE', sentence)
  }
})

t.test('an amount is delegated to its last digit, in any spelling', async (t) => {
  const player = await stage.player()
  for (const amount of ['1.000000000000000001', exactNumber('1.000000000000000001'), exactNumber('1000000000000000001e-18')])
    t.match((await player.craft('delegate', { amount })).json, { payload: { value: '0xde0b6b3a7640001' } })
  refused(
    t,
    await player.craft('delegate', { amount: exactNumber('1.0000000000000000001') }),
    'AMOUNT_INVALID',
    /more decimals than the token/,
  )
  await player.act('delegate', { amount: exactNumber('1.000000000000000001') })
  const { json } = await player.client.get(`/staking-balance/${player.wallet.address}`)
  t.equal(numberText(json, 'stake_activation_amount'), '1.000000000000000001')
})
