import { minStake } from '../constants.ts'
import type { Arguments } from './arguments.ts'
import { abort } from './failure.ts'
import type { MoveFunction } from './function.ts'
import type { ObjectValue } from './values.ts'
import type { World } from './world.ts'

/** Functions of `0x3::staking_pool` that work on objects alone. @see staking_pool.move (read 2026-11-21) */
export const stakingPoolFunctions: Readonly<Record<string, MoveFunction>> = {
  split: { parameters: 2, run: (world, args) => [splitStake(world, args)] },
  split_staked_sui: {
    parameters: 2,
    run(world, args) {
      world.transfer(splitStake(world, args), world.sender)
      return []
    },
  },
  join_staked_sui: {
    parameters: 2,
    run(world, args) {
      const into = args.lend(0, 'staked')
      const from = args.takeObject(1, 'staked')
      const same = into.content.poolId === from.content.poolId && into.content.activationEpoch === from.content.activationEpoch
      if (!same) throw abort('staking_pool', 'join_staked_sui', 12n)
      world.destroy(from)
      into.content = { ...into.content, principal: into.content.principal + from.content.principal }
      return []
    },
  },
  split_fungible_staked_sui: {
    parameters: 2,
    run(world, args) {
      const stake = args.lend(0, 'fungible')
      const value = args.u64(1)
      if (value > stake.content.value) throw abort('staking_pool', 'split_fungible_staked_sui', 0n)
      stake.content = { ...stake.content, value: stake.content.value - value }
      return [world.create({ ...stake.content, value })]
    },
  },
  join_fungible_staked_sui: {
    parameters: 2,
    run(world, args) {
      const into = args.lend(0, 'fungible')
      const from = args.takeObject(1, 'fungible')
      if (into.content.poolId !== from.content.poolId) throw abort('staking_pool', 'join_fungible_staked_sui', 1n)
      world.destroy(from)
      into.content = { ...into.content, value: into.content.value + from.content.value }
      return []
    },
  },
}

function splitStake(world: World, args: Arguments): ObjectValue {
  const stake = args.lend(0, 'staked')
  const amount = args.u64(1)
  const { principal } = stake.content
  if (amount > principal) throw abort('staking_pool', 'split', 3n)
  if (principal - amount < minStake || amount < minStake) throw abort('staking_pool', 'split', 18n)
  stake.content = { ...stake.content, principal: principal - amount }
  return world.create({ ...stake.content, principal: amount })
}
