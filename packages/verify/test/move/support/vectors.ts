import type { Bounds, Call, Effects } from '../../../src/index.ts'
import type { MoveCraft, MoveNetwork } from '../../../src/move/index.ts'
import { argsOf, fromJson, type JsonArgs, type JsonValue, readVectors } from '../../support/vectors.ts'
import {
  address,
  type Draft,
  epoch,
  GAS,
  input,
  moveCall,
  NONE,
  nested,
  owned,
  pure,
  reference,
  SUI,
  shared,
  split,
  transfer,
  u64,
  validDuring,
  withdrawal,
} from './write.ts'

/** A transaction as it stands in the vector file. */
export interface MoveVector {
  readonly name: string
  readonly unsigned_tx_b64: string
  readonly digest: string
  readonly intentHash?: string
  readonly signature: string
  readonly signers: readonly string[]
  readonly chainId: string | null
  readonly maxFee: string
  readonly calls: readonly { readonly target: string; readonly method: string; readonly args: JsonArgs }[]
  readonly terms: Readonly<Record<string, JsonValue>>
}

interface File {
  readonly networks: { readonly mainnet: string; readonly testnet: string }
  readonly coinReservation: { readonly id: string; readonly version: JsonValue; readonly digest: string }
  readonly vectors: readonly MoveVector[]
}

export const { vectors, networks, coinReservation } = readVectors<File>('move-transactions')

export const MAINNET: MoveNetwork = { chainId: 'mainnet', chainIdentifier: networks.mainnet }
export const TESTNET: MoveNetwork = { chainId: 'testnet', chainIdentifier: networks.testnet }

export function vectorOf(name: string): MoveVector {
  return vectors.find((vector) => vector.name.startsWith(name))!
}

export function craft({ unsigned_tx_b64 }: MoveVector): MoveCraft {
  return { unsigned_tx_b64 }
}

export function callsOf({ calls }: MoveVector): readonly Call[] {
  return calls.map((call) => ({ ...call, args: argsOf(call.args), value: 0n }))
}

export function termsOf({ terms }: MoveVector): Record<string, string | bigint> {
  return Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, fromJson(value) as string | bigint]))
}

export function promiseOf(vector: MoveVector): { effects: Effects; bounds: Bounds } {
  return {
    effects: { signers: vector.signers, calls: callsOf(vector) },
    bounds: { chainId: 'mainnet', maxFee: BigInt(vector.maxFee), terms: termsOf(vector) },
  }
}

export const SENDER = vectors[0]!.signers[0]!
export const VALIDATOR = `0x${'ab'.repeat(32)}`
export const THIEF = `0x${'ee'.repeat(32)}`
export const COIN = `0x${'11'.repeat(32)}`
export const STAKED = `0x${'33'.repeat(32)}`
export const FUNGIBLE = `0x${'44'.repeat(32)}`
export const AMOUNT = 1_500_000_000n
/** Base58 of 32 bytes that are all 1, 2, 3 and 4. */
export const STATES = [
  '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi',
  '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR',
  'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8',
  'GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq',
] as const

export const system = shared('0x5', 1n)
export const staked = owned(STAKED, 12n, STATES[2])
export const fungible = owned(FUNGIBLE, 15n, STATES[3])
export const validator = pure(address(VALIDATOR))
export const amount = pure(u64(AMOUNT))
export const coins = [reference(COIN, 7n, STATES[0]), reference(`0x${'22'.repeat(32)}`, 9n, STATES[1])]

const common = { sender: SENDER, payment: coins, owner: SENDER, price: 500n, budget: 20_000_000n, expiration: NONE }

export const addStake = '0x3::sui_system::request_add_stake'
export const withdrawStake = '0x3::sui_system::request_withdraw_stake'

const stake: Draft = {
  ...common,
  inputs: [amount, system, validator],
  commands: [split(GAS, [input(0)]), moveCall(addStake, [input(1), nested(0, 0), input(2)])],
}

/** The same transactions as the vectors, in the same order, written down a second time. */
export const drafts: readonly Draft[] = [
  stake,
  { ...stake, expiration: epoch(1000n) },
  {
    ...common,
    inputs: [withdrawal(AMOUNT, SUI), system, validator],
    commands: [moveCall('0x2::coin::redeem_funds', [input(0)], [SUI]), moveCall(addStake, [input(1), nested(0, 0), input(2)])],
    payment: [],
    expiration: validDuring([999n, 1000n, null, null], networks.mainnet, 0x01020304),
  },
  { ...common, inputs: [system, staked], commands: [moveCall(withdrawStake, [input(0), input(1)])] },
  {
    ...common,
    inputs: [system, fungible, pure(address(SENDER))],
    commands: [
      moveCall('0x3::sui_system::redeem_fungible_staked_sui', [input(0), input(1)]),
      moveCall('0x2::coin::from_balance', [nested(0, 0)], [SUI]),
      transfer([nested(1, 0)], input(2)),
    ],
  },
]

export function draftOf(vector: MoveVector): Draft {
  return drafts[vectors.indexOf(vector)]!
}
