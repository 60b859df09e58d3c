import { evmWallets } from '@svc/sandbox-evm'
import { Interface, Transaction } from 'ethers'
import t from 'tap'
import { control, freshWallet, get, land, post, VALIDATOR } from '../support/service.ts'

const STAKING = '0x0000000000000000000000000000000000001000'
const MON = 10n ** 18n
/** The precompile's calls, written down from its documentation. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
const precompile = new Interface([
  'function delegate(uint64 validatorId) payable returns (bool success)',
  'function undelegate(uint64 validatorId, uint256 amount, uint8 withdrawId) returns (bool success)',
  'function withdraw(uint64 validatorId, uint8 withdrawId) returns (bool success)',
  'function claimRewards(uint64 validatorId) returns (bool success)',
  'function compound(uint64 validatorId) returns (bool success)',
])

/** What a crafted transaction calls, by another reader than the service's. */
function called(serialized: string) {
  const { to, value, data, chainId, type } = Transaction.from(serialized)
  const call = precompile.parseTransaction({ data, value })
  return { to, value, chainId, type, name: call?.name, args: [...(call?.args ?? [])] }
}

t.test('delegate calls the precompile for the operator with the amount as value', async (t) => {
  const { address } = await freshWallet()
  const { status, json } = await post('action/delegate', { address, amount: 1.5 })
  t.equal(status, 200)
  t.same(called(json.serialized_tx_hex), {
    to: STAKING,
    value: (3n * MON) / 2n,
    chainId: 143n,
    type: 0,
    name: 'delegate',
    args: [BigInt(VALIDATOR)],
  })
})

t.test('an amount is in ether units and exact to 18 decimals, as a number and as a text', async (t) => {
  const { address } = await freshWallet()
  for (const [literal, wei] of [
    ['100.000000000000000001', 100n * MON + 1n],
    ['"100.000000000000000001"', 100n * MON + 1n],
    ['1e-9', 10n ** 9n],
    ['12345.678901234567890123', 12_345_678_901_234_567_890_123n],
  ] as const) {
    const { json, status } = await post('action/delegate', `{"address":"${address}","amount":${literal}}`)
    t.equal(status, 200, literal)
    t.equal(called(json.serialized_tx_hex).value, wei, literal)
  }
})

t.test('delegate refuses amounts that are none, too fine, too small or not covered', async (t) => {
  const { address } = await freshWallet()
  const refused = async (literal: string, code: string, error: RegExp = /amount/) =>
    t.match(await post('action/delegate', `{"address":"${address}","amount":${literal}}`), { status: 400, json: { code, error } }, literal)
  await refused('0', 'AMOUNT_INVALID')
  await refused('-1', 'AMOUNT_INVALID')
  await refused('1.0000000000000000001', 'AMOUNT_INVALID', /more decimals than the token, which has 18/)
  await refused('0.000000000999999999', 'AMOUNT_TOO_SMALL', /below the minimum of 0\.000000001/)
  await refused('"much"', 'AMOUNT_INVALID')
  await refused('1e400', 'REQUEST_INVALID')
  await refused('null', 'REQUEST_INVALID')
  await refused('1000001', 'INSUFFICIENT_BALANCE', /holds 1000000 MON, which does not cover 1000001 MON/)
  await refused('1000000', 'INSUFFICIENT_BALANCE', /in fees/)
})

t.test('each action requires its members, and knows no other', async (t) => {
  const { address } = evmWallets[0]!
  const members: Record<string, object> = {
    delegate: { address, amount: 1 },
    undelegate: { address, amount: 1, withdrawId: 0 },
    withdraw: { address, withdrawId: 0 },
    'claim-rewards': { address },
    compound: { address },
  }
  for (const [action, body] of Object.entries(members)) {
    for (const name of Object.keys(body)) {
      const { [name]: _, ...rest } = body as Record<string, unknown>
      t.match(await post(`action/${action}`, rest), { status: 400, json: { error: `${name} is missing.` } }, `${action} without ${name}`)
    }
    t.match(await post(`action/${action}`, { ...body, validator: 1 }), { status: 400, json: { error: /no member "validator"/ } }, action)
  }
})

t.test('a whole life: delegate, earn, compound, claim, undelegate into slots, wait, withdraw', async (t) => {
  const wallet = await freshWallet()
  const { address } = wallet
  const balance = async () => (await get(`staking-balance/${address}`)).json
  const refusal = async (action: string, body: object, code: string, error: RegExp) =>
    t.match(
      await post(`action/${action}`, { address, ...body }),
      { status: 400, json: { statusCode: 400, message: 'Bad Request', code, error } },
      `${action} ${code}`,
    )

  await refusal('undelegate', { amount: 1, withdrawId: 3 }, 'INSUFFICIENT_STAKE', /more than the active stake of 0 MON\./)
  await refusal('claim-rewards', {}, 'NOTHING_TO_CLAIM', /no claimable rewards/)
  await refusal('compound', {}, 'NOTHING_TO_COMPOUND', /has 0 MON of rewards/)
  await refusal('withdraw', { withdrawId: 3 }, 'NOTHING_TO_WITHDRAW', /withdrawId 3 is not in use/)

  t.equal((await land('delegate', { amount: 1000 }, wallet)).status, 200)
  await refusal('undelegate', { amount: 1, withdrawId: 3 }, 'INSUFFICIENT_STAKE', /active stake of 0 MON; 1000 MON more is not active yet/)
  await control('advance', { epochs: 2 })
  const earned = (await balance()).stake_rewards_amount
  t.ok(earned > 0)

  const compounding = await post('action/compound', { address })
  t.match(called(compounding.json.serialized_tx_hex), { to: STAKING, value: 0n, name: 'compound', args: [BigInt(VALIDATOR)] })
  t.equal((await land('compound', {}, wallet)).status, 200)
  t.match(await balance(), { staked_amount: 1000, stake_rewards_amount: 0 })
  t.ok((await balance()).stake_activation_amount >= earned, 'compounded rewards become stake as a new delegation does')

  await control('advance', { epochs: 2 })
  const claiming = await post('action/claim-rewards', { address })
  t.match(called(claiming.json.serialized_tx_hex), { to: STAKING, value: 0n, name: 'claimRewards', args: [BigInt(VALIDATOR)] })
  t.equal((await land('claim-rewards', {}, wallet)).status, 200)
  t.match(await balance(), { stake_rewards_amount: 0 })

  const undelegating = await post('action/undelegate', { address, amount: '10.000000000000000001', withdrawId: 200 })
  t.match(called(undelegating.json.serialized_tx_hex), {
    to: STAKING,
    value: 0n,
    name: 'undelegate',
    args: [BigInt(VALIDATOR), 10n * MON + 1n, 200n],
  })
  t.equal((await land('undelegate', { amount: 10, withdrawId: 3 }, wallet)).status, 200)
  await refusal('undelegate', { amount: 1, withdrawId: 3 }, 'SLOT_IN_USE', /withdrawId 3 is in use: it can be withdrawn from epoch \d+ on/)
  await refusal('withdraw', { withdrawId: 3 }, 'WITHDRAWAL_NOT_READY', /from epoch \d+ on; it is epoch \d+/)
  await control('advance', { epochs: 1 })
  await refusal('withdraw', { withdrawId: 3 }, 'WITHDRAWAL_NOT_READY', /from epoch \d+ on/)
  await control('advance', { epochs: 1 })
  const withdrawing = await post('action/withdraw', { address, withdrawId: 3 })
  t.match(called(withdrawing.json.serialized_tx_hex), { to: STAKING, value: 0n, name: 'withdraw', args: [BigInt(VALIDATOR), 3n] })
  t.equal((await land('withdraw', { withdrawId: 3 }, wallet)).status, 200)
  await refusal('withdraw', { withdrawId: 3 }, 'NOTHING_TO_WITHDRAW', /not in use/)
  t.equal((await land('undelegate', { amount: 1, withdrawId: 3 }, wallet)).status, 200, 'a slot that was withdrawn can be used again')
})

t.test('an amount that exceeds the stake by less than the precision of a JSON number means all of it, by more it is 400', async (t) => {
  const wallet = await freshWallet()
  const { address } = wallet
  t.equal((await land('delegate', { amount: '1.230000000000000001' }, wallet)).status, 200)
  await control('advance', { epochs: 1 })
  const whole = 1_230_000_000_000_000_001n
  const crafted = async (amount: string) => post('action/undelegate', `{"address":"${address}","amount":${amount},"withdrawId":0}`)
  for (const amount of ['1.230000000000000001', '1.230000000000000223', '"1.230000000000000223"'])
    t.equal(called((await crafted(amount)).json.serialized_tx_hex).args[1], whole, amount)
  t.equal(called((await crafted('1.23')).json.serialized_tx_hex).args[1], whole - 1n, 'below the stake it is what was asked')
  t.match(await crafted('1.230000000000000224'), { status: 400, json: { code: 'INSUFFICIENT_STAKE' } })
  t.match(await crafted('1.24'), {
    status: 400,
    json: { code: 'INSUFFICIENT_STAKE', error: '1.24 MON is more than the active stake of 1.230000000000000001 MON.' },
  })
})

t.test('withdrawals lists the slots in use within the range, and withdrawal one slot', async (t) => {
  const wallet = await freshWallet()
  const { address } = wallet
  t.equal((await land('delegate', { amount: 5 }, wallet)).status, 200)
  await control('advance', { epochs: 1 })
  for (const withdrawId of [0, 128, 255]) t.equal((await land('undelegate', { amount: 1, withdrawId }, wallet)).status, 200)
  const listed = async (query = '') => {
    const { json } = await get(`withdrawals/${address.toLowerCase()}${query}`)
    t.match(json, { validatorId: VALIDATOR, delegator: address, errors: [] })
    return json.validRequests.map(({ withdrawId }: { withdrawId: number }) => withdrawId)
  }
  t.same(await listed(), [0, 128, 255])
  t.same(await listed('?startWithdrawId=1'), [128, 255])
  t.same(await listed('?endWithdrawId=127'), [0])
  t.same(await listed('?startWithdrawId=128&endWithdrawId=128'), [128])
  t.match(await get(`withdrawals/${address}?startWithdrawId=5&endWithdrawId=4`), { status: 400, json: { code: 'RANGE_INVALID' } })
  t.match(await get(`withdrawal/${address}/128`), { status: 200, json: { withdrawId: 128, withdrawalAmount: 1 } })
  t.match(await get(`withdrawal/${address}/1`), {
    status: 200,
    json: { withdrawId: 1, withdrawalAmount: 0, accRewardPerToken: 0, withdrawEpoch: 0 },
  })
  t.match(await get('withdrawal/nobody/1'), { status: 400, json: { code: 'ADDRESS_INVALID' } })
  t.match(await get('withdrawals/nobody'), { status: 400, json: { code: 'ADDRESS_INVALID' } })
})
