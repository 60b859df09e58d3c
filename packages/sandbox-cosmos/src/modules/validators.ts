import { sha256 } from '@cosmjs/crypto'
import { toAddress } from '../address.ts'
import { type Context, coinText, emit } from '../context.ts'
import { type Dec, mul, one, quoRoundUp, smaller, toDec, truncate } from '../dec.ts'
import { ChainError, staking } from '../errors.ts'
import type { CosmosGenesis } from '../genesis.ts'
import { type State, status, type Validator } from '../state.ts'
import { burnCoins, moveBetween } from './bank.ts'

/** Base units of one unit of power. */
const powerReduction = 1_000_000n

/** Returns the weight of a validator in consensus. */
export function powerOf(validator: Validator): bigint {
  return validator.tokens / powerReduction
}

/** Lists the validators that make blocks, the strongest first. */
export function bondedValidators(state: State): Validator[] {
  return byPower(state).filter((validator) => validator.status === status.bonded)
}

/** Computes the 20 bytes by which consensus knows a validator. */
export function consensusBytes(validator: Validator): Uint8Array {
  return sha256(validator.consensusKey).slice(0, 20)
}

/** Returns the address by which the slashing module knows a validator. */
export function consensusAddress(genesis: CosmosGenesis, validator: Validator): string {
  return toAddress(`${genesis.prefix}valcons`, consensusBytes(validator))
}

/** Finds a validator by its operator address. @throws ChainError when there is none */
export function validatorOf(state: State, operator: string): Validator {
  const validator = state.validators.get(operator)
  if (validator === undefined) throw new ChainError(staking.noValidator)
  return validator
}

/** Chooses the validators of the next blocks, at the end of a block. Coins move between the pools with their validators. */
export function updateValidatorSet(ctx: Context): void {
  const { state, genesis } = ctx
  const able = byPower(state).filter((validator) => !validator.jailed && powerOf(validator) > 0n)
  const chosen = new Set(able.slice(0, genesis.staking.maxValidators).map(({ operator }) => operator))
  for (const [operator, validator] of state.validators.entries()) {
    if (chosen.has(operator) && validator.status !== status.bonded) {
      moveBetween(ctx, 'not_bonded_tokens_pool', 'bonded_tokens_pool', validator.tokens)
      state.validators.set(operator, { ...validator, status: status.bonded, unbondingHeight: 0n, unbondingTime: 0 })
    } else if (!chosen.has(operator) && validator.status === status.bonded) {
      moveBetween(ctx, 'bonded_tokens_pool', 'not_bonded_tokens_pool', validator.tokens)
      const unbondingTime = ctx.time + genesis.staking.unbondingSeconds * 1000
      state.validators.set(operator, { ...validator, status: status.unbonding, unbondingHeight: ctx.height, unbondingTime })
    } else if (validator.status === status.unbonding && validator.unbondingTime <= ctx.time) {
      state.validators.set(operator, { ...validator, status: status.unbonded })
    }
  }
}

/**
 * Takes a fraction of a validator's stake, and of the stake that left it since the infraction. Nobody is paid: the coins are burnt.
 *
 * @param noteSlash is told the fraction of the validator's tokens before they go, for the distribution of rewards
 * @returns base units that were burnt
 */
export function slash(
  ctx: Context,
  operator: string,
  fraction: Dec,
  infractionHeight: bigint,
  noteSlash: (validator: Validator, fraction: Dec) => void,
): bigint {
  const validator = validatorOf(ctx.state, operator)
  let left = truncate(mul(toDec(powerOf(validator) * powerReduction), fraction))
  let burned = 0n
  if (infractionHeight < ctx.height) {
    const unbonding = slashUnbondings(ctx, operator, fraction, infractionHeight)
    left -= unbonding.counted
    burned += unbonding.burned
  }
  left = smaller(left, validator.tokens)
  if (left > 0n) {
    const effective = quoRoundUp(toDec(left), toDec(validator.tokens))
    noteSlash(validator, smaller(effective, one))
    ctx.state.validators.set(operator, { ...validator, tokens: validator.tokens - left })
    burnCoins(ctx, validator.status === status.bonded ? 'bonded_tokens_pool' : 'not_bonded_tokens_pool', left)
    burned += left
  }
  emit(ctx, 'slash', { validator: operator, burned_coins: coinText(ctx, burned) })
  return burned
}

function slashUnbondings(ctx: Context, operator: string, fraction: Dec, since: bigint): { counted: bigint; burned: bigint } {
  let total = 0n
  let burned = 0n
  for (const [key, entries] of ctx.state.unbondings.entries(`${operator}/`)) {
    const after = entries.map((entry) => {
      if (entry.creationHeight < since || entry.completionTime <= ctx.time) return entry
      const due = truncate(fraction * entry.initialBalance)
      const amount = smaller(due, entry.balance)
      total += due
      burned += amount
      return { ...entry, balance: entry.balance - amount }
    })
    ctx.state.unbondings.set(key, after)
  }
  burnCoins(ctx, 'not_bonded_tokens_pool', burned)
  return { counted: total, burned }
}

function byPower(state: State): Validator[] {
  const all = state.validators.entries().map(([, validator]) => validator)
  return all.sort((a, b) => (a.tokens === b.tokens ? 0 : a.tokens > b.tokens ? -1 : 1))
}
