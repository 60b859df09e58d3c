import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { AbiCoder } from 'ethers'
import t from 'tap'
import { control, coreControl, coreVaultAddress, scenario, vaultAddress } from '../sandbox/index.ts'
import { explainRefusal } from '../src/actions/refusals.ts'
import plugin from '../src/index.ts'
import { onChain } from './chain.ts'
import calldata from './vectors/calldata.json' with { type: 'json' }

const { scenario: observed, chain } = onChain(scenario)
const stage = await startStage({ plugin, scenario: observed, family: evmFamily })
t.teardown(() => stage.close())
const player = await stage.player()
await player.act('delegate', { amount: 1000 })

const MON = 10n ** 18n
const revertData = (name: string, ...args: unknown[]) => {
  const types = name
    .slice(name.indexOf('(') + 1, -1)
    .split(',')
    .filter(Boolean)
  return calldata.errors[name as keyof typeof calldata.errors] + AbiCoder.defaultAbiCoder().encode(types, args).slice(2)
}

/** What a simulation may be refused with, in which action, and what the caller is told. */
const FAILURES = [
  ['undelegate', revertData('ErrRequestPending()'), /has an open redeem request; withdraw it first/],
  ['withdraw', revertData('ErrRequestPending()'), /cannot be claimed yet/],
  ['withdraw', revertData('ErrRequestInexistent()'), /no such redeem request/],
  ['delegate', revertData('ErrZeroShares()'), /smallest part of a share/],
  ['withdraw', revertData('ErrNotAuthorized()'), /neither owner nor operator/],
  ['undelegate', revertData('ErrInsufficientShares(uint256,uint256)', 3n * MON, MON / 2n), /3 gMON are asked for and 0\.5 gMON are there/],
  ['delegate', revertData('ErrZeroAddress()'), /an address is zero/],
  ['withdraw', revertData('ErrNativeTransferFailed()'), /does not accept the payment/],
  ['undelegate', revertData('ErrBelowMinWithdraw(uint256)', 25n * MON), /at least 25 MON/],
  ['undelegate', revertData('ErrInsufficientDelegated(uint256,uint256)', 20n * MON, 7n * MON), /20 MON are asked for and only 7 MON/],
  ['undelegate', revertData('ErrExistingWithdrawalInProgress()'), /undelegating from a validator already/],
  ['withdraw', revertData('ErrNoPendingWithdrawRequest()'), /nothing undelegated/],
  ['delegate', revertData('ErrNoValidators()'), /no validators at present/],
  ['undelegate', revertData('ErrRewardsClaimOverdue()'), /rewards is overdue/],
  ['delegate', revertData('EnforcedPause()'), /paused/],
  [
    'delegate',
    revertData('ERC4626ExceededMaxDeposit(address,uint256,uint256)', player.wallet.address, 200n * MON, 150n * MON),
    /takes at most 150 MON now/,
  ],
  ['delegate', revertData('ReentrancyGuardReentrantCall()'), /in the midst of another call/],
  ['withdraw', calldata.notReady, /has not released the stake yet \(withdrawal not ready\)/],
  // Text of the staking contract that nobody foresaw, an error unknown, and no reason at all.
  ['withdraw', '0x736f6c76656e6379206572726f72', /would refuse this transaction: solvency error\./],
  ['delegate', '0xdeadbeef', /would refuse this transaction: error 0xdeadbeef\./],
  ['delegate', '0x', /gives no reason/],
] as const

/** Answers the simulation with a revert, and lets the rest pass. */
function refuseWith(data: string, message = 'execution reverted'): void {
  stage.upstream.interfere(async ({ body }, pass) => {
    const asked = [JSON.parse(body)].flat() as { id: number; method: string }[]
    const simulated = asked.find(({ method }) => method === 'eth_estimateGas')
    if (!simulated) return pass()
    const real = [await (await pass()).json()].flat() as { id: number }[]
    const error = { code: 3, message, ...(data === '0x' ? {} : { data }) }
    const answers = real.map((each) => (each.id === simulated.id ? { jsonrpc: '2.0', id: each.id, error } : each))
    return Response.json(answers.length === 1 ? answers[0] : answers)
  })
}

const leaving = await stage.player()
await leaving.act('delegate', { amount: 1000 })
await leaving.act('undelegate', { amount: 100 })
await leaving.advance({ epochs: 3 })
const request_id = Number((await leaving.position()).objects?.[0]?.id)

for (const [action, data, sentence] of FAILURES)
  t.test(`a simulation of ${action} refused with ${data.slice(0, 50)} is a 400 with a sentence`, async (t) => {
    refuseWith(data)
    t.teardown(() => stage.upstream.interfere(null))
    const body = action === 'withdraw' ? { request_id } : { amount: action === 'delegate' ? 200 : 20 }
    const answer = await (action === 'withdraw' ? leaving : player).craft(action, body)
    t.equal(answer.code, 'CHAIN_WOULD_REFUSE', answer.text)
    t.equal(answer.status, 400)
    t.match(answer.sentence, sentence)
    t.notMatch(answer.sentence, /must keep 10 MON/, 'without a word about what it is not')
  })

t.test('a simulation that dips into the reserve is told what the reserve is', async (t) => {
  refuseWith('0x', 'reserve balance violation')
  t.teardown(() => stage.upstream.interfere(null))
  const answer = await player.craft('delegate', { amount: 200 })
  t.match(answer.json, {
    statusCode: 400,
    code: 'CHAIN_WOULD_REFUSE',
    error: /gives no reason\. An account that .* must keep 10 MON on Monad\.$/,
  })
})

t.test('every error of the contracts has words, and data that is cut or unknown has none', async (t) => {
  for (const name of Object.keys(calldata.errors)) {
    const types = name
      .slice(name.indexOf('(') + 1, -1)
      .split(',')
      .filter(Boolean)
    const words = explainRefusal(revertData(name, ...types.map((type) => (type === 'address' ? vaultAddress : 1n))))
    t.type(words, 'string', name)
    if (types.length > 0) t.equal(explainRefusal(calldata.errors[name as keyof typeof calldata.errors]), null, `${name}, cut`)
  }
  for (const data of ['0x', '0xdeadbeef', '0x00', '0xff', `0x${'00'.repeat(40)}`]) t.equal(explainRefusal(data), null, data)
})

/** What the chain's state does not allow: each is brought about on the chain itself. */
t.test('a paused pool takes neither deposits nor requests, and pays unless it is the vault itself that is paused', async (t) => {
  for (const [pause, pays] of [
    [control, false],
    [coreControl, true],
  ] as const) {
    await chain().drive(pause('setPaused', true))
    await player.refused('delegate', { amount: 200 }, 'VAULT_PAUSED')
    await player.refused('undelegate', { amount: 20 }, 'VAULT_PAUSED')
    const claimed = await leaving.craft('withdraw', { request_id })
    if (pays) t.equal(claimed.status, 200, 'what was requested is still paid')
    else t.match(claimed.json, { statusCode: 400, code: 'VAULT_PAUSED', error: /takes no withdrawals at present; nothing is lost/ })
    await chain().drive(pause('setPaused', false))
  }
  t.equal((await player.craft('delegate', { amount: 200 })).status, 200)
})

t.test('the least redemption is what is asked for, rounded up to the share that it takes', async (t) => {
  const craft = async (amount: unknown) => player.craft('undelegate', { amount })
  const answer = await craft(1)
  t.equal(answer.status, 200, answer.text)
  const { payload } = answer.json as { payload: { data: string } }
  const shares = BigInt(`0x${payload.data.slice(10, 74)}`)
  t.ok((await chain().worth(shares)) >= MON && (await chain().worth(shares - 1n)) < MON, 'not a share more')
  await player.refused('undelegate', { amount: '0.999999999999999999' }, 'BELOW_MINIMUM_WITHDRAWAL')
  t.match(
    (await craft('0.999999999999999999')).sentence,
    /^0\.999999999999999999 MON is less than a redemption must be at present, which is 1 MON\.$/,
  )
  await chain().drive(coreControl('setMinUserWithdrawAmount', 10n ** 25n))
  const { staked } = await player.position()
  t.match((await craft(staked)).sentence, new RegExp(`^The whole position, ${staked} MON, is less than .* which is 10000000 MON\\.$`))
  await chain().drive(coreControl('setMinUserWithdrawAmount', MON))
})

t.test('a deposit of less than a share is refused before it is simulated', async (t) => {
  await chain().drive(control('setTotalAssets', 10n ** 45n))
  const answer = await player.craft('delegate', { amount: 100 })
  await chain().drive(control('setTotalAssets', 1_000_000n * MON))
  t.match(answer.json, { statusCode: 400, code: 'AMOUNT_WORTHLESS' })
})

t.test("what the pool's validators do not allow is found by the simulation", async (t) => {
  await chain().drive(coreControl('setUndelegatable', 7n * MON))
  const short = await player.craft('undelegate', { amount: 20 })
  t.match(short.json, { code: 'CHAIN_WOULD_REFUSE', error: /only 7 MON of the pool's stake can be undelegated now/ })
  await chain().drive(coreControl('setUndelegatable', 10n ** 30n), coreControl('setMaxRewardsClaimDelay', 1))
  await stage.world.advance({ seconds: 60 })
  const overdue = await player.craft('undelegate', { amount: 20 })
  t.match(overdue.json, { code: 'CHAIN_WOULD_REFUSE', error: /overdue/ })
  await chain().drive(coreControl('setMaxRewardsClaimDelay', 0), coreControl('setValidators', []))
  const nobody = await player.craft('delegate', { amount: 200 })
  t.match(nobody.json, { code: 'CHAIN_WOULD_REFUSE', error: /no validators/ })
  await chain().drive(coreControl('setValidators', [12]))
})

t.test('a vault that moved is followed at once', async (t) => {
  t.equal((await player.craft('undelegate', { amount: 20 })).status, 200)
  await chain().drive(coreControl('setMinUserWithdrawAmount', 50n * MON))
  await player.refused('undelegate', { amount: 20 }, 'BELOW_MINIMUM_WITHDRAWAL')
  const elsewhere = '0x00000000000000000000000000000000c0de0144'
  await chain().copy(coreVaultAddress, elsewhere)
  await chain().drive(control('setVaults', elsewhere, elsewhere, vaultAddress))
  await chain().drive({ ...coreControl('setValidators', [12]), target: elsewhere })
  const { result, usage } = await stage.upstream.measure(() => player.craft('undelegate', { amount: 20 }))
  t.equal(result.status, 200, result.text)
  t.equal(usage.waves, 3, 'the first craft finds it in a wave more')
  const { usage: again } = await stage.upstream.measure(() => player.craft('undelegate', { amount: 20 }))
  t.equal(again.waves, 2)
})

t.test('what the player found was as expected', async (t) => {
  t.same(
    player.check.findings.filter(({ ok }) => !ok),
    [],
  )
})
