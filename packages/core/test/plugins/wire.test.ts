import type { Balance } from '@svc/contract'
import { NO_TERMS } from '@svc/testing/paper-protocol'
import t from 'tap'
import { balanceToWire, infoToWire } from '../../src/plugins/routes/wire.ts'

const balance: Balance = {
  staked: 100_000_000_000_000_000_001n,
  activating: 0n,
  deactivating: null,
  withdrawing: null,
  rewards: 1n,
  objects: null,
}

t.test('amounts are written to the last digit, and a bucket that does not apply is null, not zero', async (t) => {
  t.equal(
    JSON.stringify(balanceToWire(balance, 18)),
    '{"staked_amount":100.000000000000000001,"stake_activation_amount":0,"stake_deactivation_amount":null,"stake_withdrawing_amount":null,"stake_rewards_amount":0.000000000000000001,"staking_objects":null}',
  )
  t.match(JSON.parse(JSON.stringify(balanceToWire({ ...balance, objects: [] }, 18))), { staking_objects: [] })
})

t.test('what no position can be is the word of a node that answers nonsense', async (t) => {
  const object = {
    ...({ id: '7', type: 'delegation', status: 'active', amount: 1n, rewards: null, validator: null } as const),
    ...{ activationEpoch: null, withdrawableEpoch: null, withdrawableAt: null },
  }
  for (const wrong of [
    { staked: -1n },
    { staked: 1n << 128n },
    { rewards: -1n },
    { objects: [{ ...object, amount: 1n << 255n }] },
    { objects: [{ ...object, rewards: -1n }] },
    { objects: [{ ...object, activationEpoch: 2 ** 60 }] },
    { objects: [{ ...object, withdrawableEpoch: Number.NaN }] },
    { objects: [{ ...object, withdrawableAt: new Date(Number.NaN) }] },
  ])
    t.throws(() => balanceToWire({ ...balance, ...wrong }, 18), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  t.doesNotThrow(() => balanceToWire({ ...balance, staked: (1n << 128n) - 1n, objects: [object] }, 18))
})

t.test('an object carries its nulls and its instant', async (t) => {
  const object = {
    id: '7',
    type: 'withdrawal_request',
    status: 'unknown',
    amount: null,
    rewards: 5n,
    validator: null,
    activationEpoch: null,
    withdrawableEpoch: 0,
    withdrawableAt: new Date('2026-12-12T09:30:00Z'),
  } as const
  t.same(
    JSON.parse(JSON.stringify(balanceToWire({ ...balance, objects: [object, { ...object, withdrawableAt: null }] }, 1))).staking_objects,
    [
      {
        id: '7',
        type: 'withdrawal_request',
        status: 'unknown',
        amount: null,
        rewards_amount: 0.5,
        validator_address: null,
        activation_epoch: null,
        withdrawable_epoch: 0,
        withdrawable_at: '2026-12-12T09:30:00.000Z',
      },
      {
        id: '7',
        type: 'withdrawal_request',
        status: 'unknown',
        amount: null,
        rewards_amount: 0.5,
        validator_address: null,
        activation_epoch: null,
        withdrawable_epoch: 0,
        withdrawable_at: null,
      },
    ],
  )
})

t.test('terms that never were known are null, and zeros stay zeros', async (t) => {
  const names = [
    'stake_activation_max_time',
    'stake_deactivation_max_time',
    'withdrawal_max_time',
    'staking_reward_fee',
    'withdrawal_fee',
    'staking_apr',
    'staking_apy',
    'max_slashing_percentage',
    'min_stake_amount',
    'max_stake_amount',
    'users',
    'tvl_usd',
    'tvl_token',
  ]
  t.same(infoToWire(NO_TERMS, 18, null), Object.fromEntries(names.map((name) => [name, null])))
  const zeros = infoToWire(
    {
      activationMinutes: 0,
      deactivationMinutes: 0,
      withdrawalMinutes: 0,
      rewardFeePercent: 0,
      withdrawalFeePercent: 0,
      aprPercent: 0,
      apyPercent: 0,
      maxSlashingPercent: 0,
      minStake: 0n,
      maxStake: 0n,
      users: 0,
      tvl: 0n,
    },
    18,
    null,
  )
  t.same(JSON.parse(JSON.stringify(zeros)), {
    ...Object.fromEntries(names.map((name) => [name, 0])),
    min_stake_amount: '0',
    max_stake_amount: '0',
    tvl_usd: null,
  })
})

t.test('bounds of a stake are decimal texts, the value staked an exact number', async (t) => {
  t.equal(
    JSON.stringify(
      infoToWire({ ...NO_TERMS, minStake: 1n, maxStake: 15n * 10n ** 17n, tvl: 30_000_000_000_000_000_000_000_001n }, 18, null),
    ).replace(/"[a-z_]+":null,?/g, ''),
    '{"min_stake_amount":"0.000000000000000001","max_stake_amount":"1.5","tvl_token":30000000.000000000000000001}',
  )
})

t.test('who else has power over a position is shown where the protocol reads it', async (t) => {
  const bare = { staked: 1n, activating: null, deactivating: null, withdrawing: null, rewards: null, objects: null }
  const shown = (control?: object[]) =>
    JSON.parse(JSON.stringify(balanceToWire({ ...bare, ...(control && { control }) } as never, 1))).control
  t.equal(shown(), undefined)
  t.same(shown([]), [])
  t.same(shown([{ aspect: 'lockup', holder: 'h', objectId: '7', terms: 'until epoch 9' }]), [
    { aspect: 'lockup', holder: 'h', object_id: '7', terms: 'until epoch 9', limit_amount: null },
  ])
  t.match(shown([{ aspect: 'grant_send', holder: 'h', objectId: null, terms: null, limit: 1_500_000n }]), [{ limit_amount: 150_000 }])
})
