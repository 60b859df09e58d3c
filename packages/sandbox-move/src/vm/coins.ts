import { frameworkPackage } from '../constants.ts'
import type { Arguments } from './arguments.ts'
import { abort, ExecutionFailure } from './failure.ts'
import type { MoveFunction } from './function.ts'
import { u64Value } from './values.ts'
import type { World } from './world.ts'

/** Functions of `0x2::coin` for SUI. @see sui-framework/sources/coin.move (read 2026-11-21) */
export const coinFunctions: Readonly<Record<string, MoveFunction>> = {
  zero: { parameters: 0, generic: true, run: (world) => [world.newCoin(0n)] },
  value: { parameters: 1, generic: true, run: (_, args) => [u64Value(args.readObject(0, 'coin').content.balance)] },
  from_balance: { parameters: 1, generic: true, run: (world, args) => [world.newCoin(args.takeBalance(0))] },
  into_balance: { parameters: 1, generic: true, run: (world, args) => [{ kind: 'balance', amount: takenCoin(world, args, 0) }] },
  redeem_funds: { parameters: 1, generic: true, run: (world, args) => [world.newCoin(redeemed(world, args))] },
  send_funds: {
    parameters: 2,
    generic: true,
    run(world, args) {
      world.deposit(args.address(1), takenCoin(world, args, 0))
      return []
    },
  },
  split: {
    parameters: 2,
    generic: true,
    run(world, args) {
      const coin = args.lend(0, 'coin')
      const amount = args.u64(1)
      coin.content = { kind: 'coin', balance: lessened(coin.content.balance, amount) }
      return [world.newCoin(amount)]
    },
  },
  join: {
    parameters: 2,
    generic: true,
    run(world, args) {
      const coin = args.lend(0, 'coin')
      coin.content = { kind: 'coin', balance: coin.content.balance + takenCoin(world, args, 1) }
      return []
    },
  },
  destroy_zero: {
    parameters: 1,
    generic: true,
    run(world, args) {
      if (takenCoin(world, args, 0) > 0n) throw abort('balance', 'destroy_zero', 0n, frameworkPackage)
      return []
    },
  },
}

/** Functions of `0x2::balance` for SUI. @see sui-framework/sources/balance.move (read 2026-11-21) */
export const balanceFunctions: Readonly<Record<string, MoveFunction>> = {
  zero: { parameters: 0, generic: true, run: () => [{ kind: 'balance', amount: 0n }] },
  value: { parameters: 1, generic: true, run: (_, args) => [u64Value(args.readBalance(0))] },
  redeem_funds: { parameters: 1, generic: true, run: (world, args) => [{ kind: 'balance', amount: redeemed(world, args) }] },
  send_funds: {
    parameters: 2,
    generic: true,
    run(world, args) {
      world.deposit(args.address(1), args.takeBalance(0))
      return []
    },
  },
  split: {
    parameters: 2,
    generic: true,
    run(_, args) {
      const amount = args.u64(1)
      args.setBalance(0, lessened(args.readBalance(0), amount))
      return [{ kind: 'balance', amount }]
    },
  },
  join: {
    parameters: 2,
    generic: true,
    run(_, args) {
      const sum = args.readBalance(0) + args.takeBalance(1)
      args.setBalance(0, sum)
      return [u64Value(sum)]
    },
  },
  destroy_zero: {
    parameters: 1,
    generic: true,
    run(_, args) {
      if (args.takeBalance(0) > 0n) throw abort('balance', 'destroy_zero', 0n, frameworkPackage)
      return []
    },
  },
}

/** `0x2::transfer::public_transfer`, for any type. */
export const transferFunctions: Readonly<Record<string, MoveFunction>> = {
  public_transfer: {
    parameters: 2,
    generic: true,
    anyType: true,
    run(world, args) {
      world.transfer(args.takeAny(0), args.address(1))
      return []
    },
  },
}

function takenCoin(world: World, args: Arguments, at: number): bigint {
  const coin = args.takeObject(at, 'coin')
  world.destroy(coin)
  return coin.content.balance
}

function redeemed(world: World, args: Arguments): bigint {
  const { amount, from } = args.takeWithdrawal(0)
  const holdings = world.state.balance(from)
  if (amount > holdings) throw new ExecutionFailure('INSUFFICIENT_FUNDS_FOR_WITHDRAW', `Insufficient funds for withdrawal from ${from}`)
  world.state.balances.set(from, holdings - amount)
  return amount
}

function lessened(balance: bigint, amount: bigint): bigint {
  if (amount > balance) throw abort('balance', 'split', 2n, frameworkPackage)
  return balance - amount
}
