import { SandboxError, show } from '@svc/sandbox'
import { parseAddress } from './address.ts'
import { maxU64, mistPerSui } from './constants.ts'
import { madeId, rateId } from './ids.ts'
import { makeObject } from './objects.ts'
import { initialRate, type Pool, type Rate, rateAt } from './pool.ts'
import type { State, Validator } from './state.ts'

/** A validator to be: amounts in MIST, commission in basis points. */
export interface NewValidator {
  readonly name: string
  /** Commission on rewards, 0 to 10000. */
  readonly commissionBps: number
  readonly stake?: bigint
  readonly rewardPerEpoch?: bigint
}

const defaultStake = 10_000_000n * mistPerSui
/** Stake over reward of an epoch: 1.6 % in 365 epochs, usual on mainnet in April 2026. */
const stakePerReward = 22_812n

/** A validator as it is given, in full. @throws SandboxError `INVALID_INPUT` */
function readValidator(options: NewValidator): { name: string; commissionBps: bigint; stake: bigint; rewardPerEpoch: bigint } {
  const { name, commissionBps, stake = defaultStake } = options
  if (typeof name !== 'string' || !/^[\w .-]{1,128}$/.test(name)) {
    throw new SandboxError('INVALID_INPUT', `name is ${show(name)}: it must be letters, digits, spaces, points and hyphens`)
  }
  if (!Number.isInteger(commissionBps) || commissionBps < 0 || commissionBps > 10_000) {
    throw new SandboxError('INVALID_INPUT', `commissionBps is ${show(commissionBps)}: it must be an integer from 0 to 10000`)
  }
  return {
    name,
    commissionBps: BigInt(commissionBps),
    stake: amount('stake', stake),
    rewardPerEpoch: amount('rewardPerEpoch', options.rewardPerEpoch ?? stake / stakePerReward),
  }
}

/** Checks an amount of MIST, and returns it. @throws SandboxError `INVALID_INPUT` unless it is a u64 */
export function amount(name: string, value: bigint): bigint {
  if (typeof value === 'bigint' && value >= 0n && value <= maxU64) return value
  throw new SandboxError('INVALID_INPUT', `${name} is ${show(String(value))}: it must be a bigint of MIST that fits in 64 bits`)
}

/**
 * Adds a validator to the active set, with a pool that starts now. Its own stake is active at once, as at genesis.
 *
 * @throws SandboxError `INVALID_INPUT` when the name is taken
 */
export function addValidator(state: State, options: NewValidator, at: { chainId: string; epoch: bigint; version: bigint }): Validator {
  const { name, commissionBps, stake, rewardPerEpoch } = readValidator(options)
  const address = madeId('validator', at.chainId, name)
  if (state.validators.has(address)) throw new SandboxError('INVALID_INPUT', `validator ${show(name)} is in the active set already`)
  const poolId = madeId('pool', at.chainId, name, at.epoch)
  const pool: Pool = {
    id: poolId,
    exchangeRatesId: madeId('rates', poolId),
    extraFieldsId: madeId('extra', poolId),
    activationEpoch: at.epoch,
    deactivationEpoch: undefined,
    sui: stake,
    tokens: stake,
    rewards: 0n,
    pendingStake: 0n,
    pendingSuiWithdraw: 0n,
    pendingTokenWithdraw: 0n,
    rates: 1n,
    extraFields: 0n,
  }
  const index = Math.max(-1, ...state.validators.entries().map(([, other]) => other.index)) + 1
  const validator: Validator = {
    name,
    address,
    poolId,
    commissionBps,
    nextCommissionBps: commissionBps,
    rewardPerEpoch,
    leaving: false,
    index,
  }
  state.pools.set(poolId, pool)
  state.validators.set(address, validator)
  writeRate(state, pool, at.epoch, initialRate, at.version)
  if (stake > 0n) giveStake(state, { to: address, poolId, principal: stake, activationEpoch: at.epoch, version: at.version })
  return validator
}

/** Creates a `StakedSui` that no transaction made: a validator's own, or its commission. */
export function giveStake(
  state: State,
  stake: { to: string; poolId: string; principal: bigint; activationEpoch: bigint; version: bigint },
): void {
  const { to, poolId, principal, activationEpoch, version } = stake
  const id = madeId('stake', poolId, activationEpoch, version)
  const owner = { kind: 'address', address: to } as const
  const content = { kind: 'staked', poolId, activationEpoch, principal } as const
  state.objects.set(id, makeObject({ id, version, owner, content, previousTransaction: systemDigest, storageRebate: 0n }))
}

/** Digest that stands for what no transaction of a user made: 32 zero bytes. */
export const systemDigest = '11111111111111111111111111111111'

/** Adds a rate to the table of a pool, as the end of an epoch does. */
export function writeRate(state: State, pool: Pool, epoch: bigint, rate: Rate, version: bigint): void {
  const id = rateId(pool.exchangeRatesId, epoch)
  const owner = { kind: 'object', parent: pool.exchangeRatesId } as const
  const content = { kind: 'rate', epoch, sui: rate.sui, tokens: rate.tokens } as const
  state.objects.set(id, makeObject({ id, version, owner, content, previousTransaction: systemDigest, storageRebate: 0n }))
}

/** Reads the rate of a pool at an epoch from its table. */
export function poolRate(state: State, pool: Pool, epoch: bigint): Rate {
  return rateAt(pool, epoch, (at) => {
    const content = state.objects.get(rateId(pool.exchangeRatesId, at))?.content
    return content?.kind === 'rate' ? content : undefined
  })
}

/** Returns the validator of a pool, whether active or not; undefined for an id that is no pool's. */
export function validatorOfPool(state: State, poolId: string): Validator | undefined {
  return state.inactive.get(poolId) ?? state.activeSet().find((validator) => validator.poolId === poolId)
}

/** Finds a validator of the active set, by name or address; the first when absent. @throws SandboxError `INVALID_INPUT` */
export function findValidator(state: State, nameOrAddress: string | undefined): Validator {
  const set = state.activeSet()
  const match = nameOrAddress === undefined ? set[0] : set.find(({ name, address }) => name === nameOrAddress || address === nameOrAddress)
  if (match !== undefined) return match
  if (nameOrAddress === undefined) throw new SandboxError('INVALID_INPUT', 'the chain has no validator yet: a scenario creates one')
  if (nameOrAddress.startsWith('0x')) parseAddress('validator', nameOrAddress)
  throw new SandboxError('INVALID_INPUT', `validator ${show(nameOrAddress)} is not in the active set`)
}
