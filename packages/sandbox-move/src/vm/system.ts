import { bcs } from '@mysten/sui/bcs'
import { frameworkPackage, minStake, rateType, systemPackage } from '../constants.ts'
import { fungibleDataId, madeId } from '../ids.ts'
import { addFungible, addStake, type Pool, redeemFungible, rewardOf, tokensOf, withdrawActive, withdrawPending } from '../pool.ts'
import type { Validator } from '../state.ts'
import type { Arguments } from './arguments.ts'
import { abort } from './failure.ts'
import type { MoveFunction } from './function.ts'
import { addressValue, type ObjectValue, u64Value, type Value } from './values.ts'
import type { World } from './world.ts'

/**
 * Functions of `0x3::sui_system` for stakers. The abort codes are those of validator_set.move and staking_pool.move.
 *
 * @see MystenLabs/sui sui-framework/packages/sui-system (read 2026-11-21)
 */
export const systemFunctions: Readonly<Record<string, MoveFunction>> = {
  request_add_stake: {
    parameters: 3,
    run(world, args) {
      args.lend(0, 'system')
      const coin = args.takeObject(1, 'coin')
      world.destroy(coin)
      world.transfer(addedStake(world, coin.content.balance, args.address(2)), world.sender)
      return []
    },
  },
  request_add_stake_non_entry: {
    parameters: 3,
    run(world, args) {
      args.lend(0, 'system')
      const coin = args.takeObject(1, 'coin')
      world.destroy(coin)
      return [addedStake(world, coin.content.balance, args.address(2))]
    },
  },
  request_add_stake_mul_coin: {
    parameters: 4,
    run(world, args) {
      args.lend(0, 'system')
      const coins = args.takeVector(1, 'coin')
      for (const coin of coins) world.destroy(coin)
      const total = coins.reduce((sum, { content }) => sum + content.balance, 0n)
      const amount = args.optionU64(2) ?? total
      if (amount > total) throw abort('balance', 'split', 2n, frameworkPackage)
      if (total > amount) world.transfer(world.create({ kind: 'coin', balance: total - amount }), world.sender)
      world.transfer(addedStake(world, amount, args.address(3)), world.sender)
      return []
    },
  },
  request_withdraw_stake: {
    parameters: 2,
    run(world, args) {
      const paid = withdrawn(world, args)
      world.transfer(world.create({ kind: 'coin', balance: paid }), world.sender)
      return []
    },
  },
  request_withdraw_stake_non_entry: {
    parameters: 2,
    run: (world, args) => [{ kind: 'balance', amount: withdrawn(world, args) }],
  },
  convert_to_fungible_staked_sui: { parameters: 2, run: (world, args) => [converted(world, args)] },
  redeem_fungible_staked_sui: { parameters: 2, run: (world, args) => [{ kind: 'balance', amount: redeemed(world, args) }] },
  validator_address_by_pool_id: {
    parameters: 2,
    run(world, args) {
      args.lend(0, 'system')
      const validator = world.validatorOfPool(args.address(1))
      if (validator === undefined) throw noField()
      return [addressValue(validator.address)]
    },
  },
  pool_exchange_rates: {
    parameters: 2,
    run(world, args) {
      args.lend(0, 'system')
      const pool = world.state.pools.get(args.address(1))
      if (pool === undefined) throw noField()
      const bytes = [bcs.Address.serialize(pool.exchangeRatesId).toBytes(), bcs.u64().serialize(pool.rates).toBytes()]
      const type = `&${frameworkPackage}::table::Table<u64,${rateType}>`
      return [{ kind: 'data', type, bytes: new Uint8Array(Buffer.concat(bytes)) }]
    },
  },
  calculate_rewards: {
    parameters: 2,
    private: true,
    run(world, args) {
      args.lend(0, 'system')
      const { poolId, activationEpoch, principal } = args.readObject(1, 'staked').content
      const { pool } = poolOf(world, poolId, 'calculate_rewards')
      if (activationEpoch > world.epoch) return [u64Value(0n)]
      const tokens = tokensOf(world.rate(pool, activationEpoch), principal)
      return [u64Value(rewardOf(pool, principal, tokens, world.rate(pool, world.epoch)))]
    },
  },
}

function addedStake(world: World, amount: bigint, address: string): ObjectValue {
  if (amount < minStake) throw abort('validator_set', 'request_add_stake', 10n)
  const validator = world.state.validators.get(address)
  if (validator === undefined) throw abort('validator_set', 'get_validator_mut', 4n)
  const pool = world.state.pools.existing(validator.poolId)
  world.state.pools.set(pool.id, addStake(pool, amount))
  emit(world, 'StakingRequestEvent', [
    bcs.Address.serialize(pool.id).toBytes(),
    bcs.Address.serialize(address).toBytes(),
    bcs.Address.serialize(world.sender).toBytes(),
    bcs.u64().serialize(world.epoch).toBytes(),
    bcs.u64().serialize(amount).toBytes(),
  ])
  return world.create({ kind: 'staked', poolId: pool.id, activationEpoch: world.epoch + 1n, principal: amount })
}

function withdrawn(world: World, args: Arguments): bigint {
  args.lend(0, 'system')
  const stake = args.takeObject(1, 'staked')
  world.destroy(stake)
  const { poolId, activationEpoch, principal } = stake.content
  const { pool, validator } = poolOf(world, poolId, 'request_withdraw_stake')
  const left =
    activationEpoch > world.epoch
      ? withdrawPending(pool, principal)
      : withdrawActive(pool, principal, { activation: world.rate(pool, activationEpoch), now: world.rate(pool, world.epoch) })
  world.state.pools.set(pool.id, left.pool)
  emit(world, 'UnstakingRequestEvent', [
    bcs.Address.serialize(pool.id).toBytes(),
    bcs.Address.serialize(validator.address).toBytes(),
    bcs.Address.serialize(world.sender).toBytes(),
    bcs.u64().serialize(activationEpoch).toBytes(),
    bcs.u64().serialize(world.epoch).toBytes(),
    bcs.u64().serialize(principal).toBytes(),
    bcs.u64().serialize(left.reward).toBytes(),
  ])
  return left.paid
}

function converted(world: World, args: Arguments): Value {
  args.lend(0, 'system')
  const stake = args.takeObject(1, 'staked')
  const { poolId, activationEpoch, principal } = stake.content
  const { pool } = poolOf(world, poolId, 'convert_to_fungible_staked_sui')
  if (activationEpoch > world.epoch) throw abort('staking_pool', 'convert_to_fungible_staked_sui', 19n)
  if (pool.deactivationEpoch !== undefined) throw abort('staking_pool', 'convert_to_fungible_staked_sui', 15n)
  world.destroy(stake)
  const { data, value } = addFungible(fungibleData(world, pool), principal, world.rate(pool, activationEpoch))
  putFungibleData(world, pool, data)
  emit(world, 'ConvertingToFungibleStakedSuiEvent', [
    bcs.Address.serialize(pool.id).toBytes(),
    bcs.u64().serialize(activationEpoch).toBytes(),
    bcs.u64().serialize(principal).toBytes(),
    bcs.u64().serialize(value).toBytes(),
  ])
  return world.create({ kind: 'fungible', poolId, value })
}

function redeemed(world: World, args: Arguments): bigint {
  args.lend(0, 'system')
  const stake = args.takeObject(1, 'fungible')
  const { poolId, value } = stake.content
  const { pool } = poolOf(world, poolId, 'redeem_fungible_staked_sui')
  world.destroy(stake)
  const left = redeemFungible(pool, fungibleData(world, pool), value, world.rate(pool, world.epoch))
  if (left === undefined) throw abort('balance', 'split', 2n, frameworkPackage)
  world.state.pools.set(pool.id, left.pool)
  putFungibleData(world, left.pool, left.data)
  emit(world, 'RedeemingFungibleStakedSuiEvent', [
    bcs.Address.serialize(pool.id).toBytes(),
    bcs.u64().serialize(value).toBytes(),
    bcs.u64().serialize(left.paid).toBytes(),
  ])
  return left.paid
}

function fungibleData(world: World, pool: Pool): { totalSupply: bigint; principal: bigint } {
  const content = world.field(fungibleDataId(pool.extraFieldsId))
  return content?.kind === 'fungible-data' ? content : { totalSupply: 0n, principal: 0n }
}

function putFungibleData(world: World, pool: Pool, data: { totalSupply: bigint; principal: bigint }): void {
  const id = fungibleDataId(pool.extraFieldsId)
  if (world.field(id) === undefined) world.state.pools.set(pool.id, { ...world.state.pools.existing(pool.id), extraFields: 1n })
  const content = { kind: 'fungible-data', dataId: madeId('fungible-data', pool.id), ...sums(data) } as const
  world.putField(id, pool.extraFieldsId, content)
}

const sums = ({ totalSupply, principal }: { totalSupply: bigint; principal: bigint }) => ({ totalSupply, principal })

function poolOf(world: World, poolId: string, functionName: string): { pool: Pool; validator: Validator } {
  const pool = world.state.pools.get(poolId)
  const validator = world.validatorOfPool(poolId)
  if (pool === undefined || validator === undefined) throw abort('validator_set', functionName, 3n)
  return { pool, validator }
}

/** Makes the error that a table answers to a key that it has not. */
function noField(): Error {
  return abort('dynamic_field', 'borrow_child_object_mut', 1n, frameworkPackage)
}

function emit(world: World, name: string, fields: readonly Uint8Array[]): void {
  const contents = new Uint8Array(Buffer.concat(fields))
  world.events.push({ package: systemPackage, module: 'sui_system', type: `${systemPackage}::validator::${name}`, contents })
}
