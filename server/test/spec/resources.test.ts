import { evmWallets } from '@svc/sandbox-evm'
import t from 'tap'
import { control, freshWallet, get, land, post, sign, VALIDATOR } from '../support/service.ts'
import { CRAFT, hasShape, PAYLOAD, STAKING_BALANCE, STAKING_INFO, STAKING_OBJECT, WITHDRAWAL, WITHDRAWALS } from '../support/shape.ts'

const EMPTY = '0x00000000000000000000000000000000000000aB'.toLowerCase()
const balanceOf = async (address: string) => (await get(`staking-balance/${address}`)).json

t.test('StakingInfo has all its fields', async (t) => {
  const { status, json, text } = await get('staking-info')
  t.equal(status, 200)
  hasShape(t, json, STAKING_INFO, 'the info')
  t.match(json, {
    // 50,000 blocks of 0.3 seconds are 250 minutes: at most 1.1 epochs to activate, 2 to deactivate.
    stake_activation_max_time: 275,
    stake_deactivation_max_time: 500,
    withdrawal_max_time: 0,
    staking_reward_fee: 10,
    withdrawal_fee: 0,
    max_slashing_percentage: 0,
    min_stake_amount: '0.000000001',
    max_stake_amount: null,
    users: 1,
    // At the sandbox's price of 0.0345 dollars.
    tvl_usd: 3_450_000,
    tvl_token: 100_000_000,
  })
  // Rewards of 18 a block over 12 billion of stake, less a commission of a tenth.
  t.ok(Math.abs(json.staking_apr - 14.1912) < 1e-9, `${json.staking_apr}`)
  t.ok(Math.abs(json.staking_apy - 15.24697067) < 1e-6, `${json.staking_apy}`)
  t.equal((await get('staking-info')).text, text, 'and comes from a snapshot')
})

t.test('StakingBalance of an address that holds nothing has zeros and an empty array, since objects exist on this protocol', async (t) => {
  const { status, json } = await get(`staking-balance/${EMPTY}`)
  t.equal(status, 200)
  const { control, ...balance } = json
  t.same(control, [], 'beyond the specification: nobody else has power over it')
  hasShape(t, balance, STAKING_BALANCE, 'the balance')
  t.same(balance, {
    staked_amount: 0,
    stake_activation_amount: 0,
    stake_deactivation_amount: 0,
    stake_withdrawing_amount: 0,
    stake_rewards_amount: 0,
    staking_objects: [],
  })
})

t.test('a craft response is the bytes, their hash, and the payload with each member as a hex string', async (t) => {
  const { address } = evmWallets[0]!
  const { status, json } = await post('action/delegate', { address, amount: 1 })
  t.equal(status, 200)
  hasShape(t, json, CRAFT, 'the craft')
  hasShape(t, json.payload, PAYLOAD, 'the payload')
  for (const [name, value] of Object.entries(json.payload)) t.match(value, /^0x[0-9a-fA-F]+$/, name)
  t.match(json.serialized_tx_hex, /^0x[0-9a-f]+$/)
  t.match(json.unsigned_tx_hash_hex, /^0x[0-9a-f]{64}$/)
})

t.test('a position walks through the buckets, and its withdrawal slots are its objects', async (t) => {
  const wallet = await freshWallet()
  const delegated = await land('delegate', { amount: '100.000000000000000003' }, wallet)
  t.equal(delegated.status, 200, delegated.text)
  t.match((await get(`staking-balance/${wallet.address}`)).text, /"stake_activation_amount":100\.000000000000000003,/, 'to the last digit')
  t.match(await balanceOf(wallet.address), {
    staked_amount: 0,
    stake_deactivation_amount: 0,
    stake_withdrawing_amount: 0,
    staking_objects: [],
  })

  await control('advance', { epochs: 1 })
  const active = await get(`staking-balance/${wallet.address}`)
  t.match(active.text, /^\{"staked_amount":100\.000000000000000003,"stake_activation_amount":0,/)
  const { epoch } = await control('advance', { epochs: 1 })
  t.ok((await balanceOf(wallet.address)).stake_rewards_amount > 0, 'rewards are claimable, and not part of the stake')

  for (const [withdrawId, amount] of [
    [255, 10],
    [7, '20.000000000000000001'],
  ] as const)
    t.equal((await land('undelegate', { amount, withdrawId }, wallet)).status, 200)
  const leaving = await get(`staking-balance/${wallet.address}`)
  t.match(
    leaving.text,
    /"staked_amount":70\.000000000000000002,.*"stake_deactivation_amount":30\.000000000000000001,"stake_withdrawing_amount":0,/,
  )
  for (const object of leaving.json.staking_objects) hasShape(t, object, STAKING_OBJECT, 'an object')
  const object = {
    type: 'withdrawal_request',
    status: 'deactivating',
    rewards_amount: null,
    validator_address: String(VALIDATOR),
    activation_epoch: null,
    withdrawable_epoch: epoch + 2,
    withdrawable_at: null,
  }
  t.same(leaving.json.staking_objects, [
    { id: '7', ...object, amount: 20 },
    { id: '255', ...object, amount: 10 },
  ])

  await control('advance', { epochs: 1 })
  t.match(await balanceOf(wallet.address), {
    stake_withdrawing_amount: 0,
    staking_objects: [{ status: 'deactivating' }, { status: 'deactivating' }],
  })
  await control('advance', { epochs: 1 })
  const matured = await balanceOf(wallet.address)
  t.match(matured, { stake_deactivation_amount: 0, staking_objects: [{ status: 'withdrawable' }, { status: 'withdrawable' }] })
  const sum = matured.staking_objects.reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
  t.equal(matured.stake_withdrawing_amount, sum, 'objects that share a status add up to its bucket')

  const list = await get(`withdrawals/${wallet.address}`)
  hasShape(t, list.json, WITHDRAWALS, 'the list')
  for (const record of list.json.validRequests) hasShape(t, record, WITHDRAWAL, 'a record')
  t.match(list.json, {
    validatorId: VALIDATOR,
    delegator: wallet.address,
    startWithdrawId: 0,
    endWithdrawId: 255,
    // The chain's own word: the epoch in which the stake deactivates, one before the first in which it can be withdrawn.
    validRequests: [
      { withdrawId: 7, withdrawalAmount: 20, withdrawEpoch: epoch + 1 },
      { withdrawId: 255, withdrawalAmount: 10, withdrawEpoch: epoch + 1 },
    ],
    errors: [],
  })
  t.match(list.text, /"withdrawalAmount":20\.000000000000000001,/)
  const one = await get(`withdrawal/${wallet.address}/7`)
  hasShape(t, one.json, WITHDRAWAL, 'the record')
  t.same(one.json, list.json.validRequests[0])
  t.same((await get(`withdrawals/${wallet.address}?startWithdrawId=8&endWithdrawId=254`)).json.validRequests, [])

  t.equal((await land('withdraw', { withdrawId: 7 }, wallet)).status, 200)
  t.match(await balanceOf(wallet.address), { stake_withdrawing_amount: 10, staking_objects: [{ id: '255' }] })
  t.same((await get(`withdrawal/${wallet.address}/7`)).json, { withdrawId: 7, withdrawalAmount: 0, accRewardPerToken: 0, withdrawEpoch: 0 })
})

t.test('prepare answers signed_tx_hex, broadcast tx_hash', async (t) => {
  const wallet = await freshWallet()
  const crafted = await post('action/delegate', { address: wallet.address, amount: 1 })
  const prepared = await post('action/prepare', {
    serialized_tx_hex: crafted.json.serialized_tx_hex,
    ...sign(crafted.json.unsigned_tx_hash_hex, wallet),
  })
  t.equal(prepared.status, 200)
  hasShape(t, prepared.json, { signed_tx_hex: 'string' }, 'the answer of prepare')
  t.match(prepared.json.signed_tx_hex, /^0x[0-9a-f]+$/)
  const sent = await post('action/broadcast', prepared.json)
  t.equal(sent.status, 200)
  hasShape(t, sent.json, { tx_hash: 'string' }, 'the answer of broadcast')
  t.match(sent.json.tx_hash, /^0x[0-9a-f]{64}$/)
})
