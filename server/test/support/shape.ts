import type { Test } from 'tap'

/** Members of an object and their types: `string`, `number`, `boolean`, `array`, `object`, any of them with `|null`. */
export type Shape = Readonly<Record<string, string>>

/** An object has exactly these members, of these types. */
export function hasShape(t: Test, value: unknown, shape: Shape, what = 'the object'): void {
  t.same(Object.keys(Object(value)).toSorted(), Object.keys(shape).toSorted(), `${what} has the members of the specification`)
  for (const [name, types] of Object.entries(shape)) {
    const found = typeOf((value as Record<string, unknown>)[name])
    t.ok(types.split('|').includes(found), `${what}: ${name} is ${found}, one of ${types}`)
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

export const NETWORK: Shape = { name: 'string', type: 'string', chain_id: 'string', is_default: 'boolean' }

export const STAKING_INFO: Shape = {
  stake_activation_max_time: 'number|null',
  stake_deactivation_max_time: 'number|null',
  withdrawal_max_time: 'number|null',
  staking_reward_fee: 'number|null',
  withdrawal_fee: 'number|null',
  staking_apr: 'number|null',
  staking_apy: 'number|null',
  max_slashing_percentage: 'number|null',
  min_stake_amount: 'string|null',
  max_stake_amount: 'string|null',
  users: 'number|null',
  tvl_usd: 'number|null',
  tvl_token: 'number|null',
}

export const STAKING_BALANCE: Shape = {
  staked_amount: 'number',
  stake_activation_amount: 'number|null',
  stake_deactivation_amount: 'number|null',
  stake_withdrawing_amount: 'number|null',
  stake_rewards_amount: 'number|null',
  staking_objects: 'array|null',
}

export const STAKING_OBJECT: Shape = {
  id: 'string',
  type: 'string',
  status: 'string',
  amount: 'number|null',
  rewards_amount: 'number|null',
  validator_address: 'string|null',
  activation_epoch: 'number|null',
  withdrawable_epoch: 'number|null',
  withdrawable_at: 'string|null',
}

export const CRAFT: Shape = { serialized_tx_hex: 'string', unsigned_tx_hash_hex: 'string', payload: 'object' }

/** The seven members of the specification, and the chain with them. */
export const PAYLOAD: Shape = {
  type: 'string',
  nonce: 'string',
  gasLimit: 'string',
  to: 'string',
  value: 'string',
  data: 'string',
  gasPrice: 'string',
  chainId: 'string',
}

export const WITHDRAWAL: Shape = { withdrawId: 'number', withdrawalAmount: 'number', accRewardPerToken: 'number', withdrawEpoch: 'number' }

export const WITHDRAWALS: Shape = {
  validatorId: 'number',
  delegator: 'string',
  startWithdrawId: 'number',
  endWithdrawId: 'number',
  validRequests: 'array',
  errors: 'array',
}

/** The three of the specification, and a stable word for programs. */
export const ERROR: Shape = { statusCode: 'number', message: 'string', error: 'string', code: 'string' }

export const HEALTH: Shape = { status: 'string', info: 'object|null', error: 'object|null', details: 'object' }

export const KEY: Shape = {
  ulid: 'string',
  name: 'string',
  description: 'string|null',
  expirationDate: 'string|null',
  active: 'boolean',
  createdAt: 'string',
  lastUsedAt: 'string|null',
  prefix: 'string',
}
