import { type Context, emit } from '../context.ts'
import { type Dec, parseDec } from '../dec.ts'
import { status, type Validator } from '../state.ts'
import { recordSlash } from './distribution.ts'
import { slash, validatorOf } from './validators.ts'

/**
 * Slashes a validator without jailing it. Its delegators lose the fraction, and so do exits that began at the height of the infraction or later.
 *
 * @returns base units that ceased
 */
export function slashValidator(ctx: Context, operator: string, fraction: Dec, infractionHeight: bigint): bigint {
  return slash(ctx, operator, fraction, infractionHeight, (validator, effective) => recordSlash(ctx, validator, effective))
}

/** Jails a validator until a time. */
export function jail(ctx: Context, operator: string, jailedUntil: number): void {
  change(ctx, operator, { jailed: true, jailedUntil })
  emit(ctx, 'jail', { validator: operator })
}

/** Lets a jailed validator in again. */
export function unjail(ctx: Context, operator: string): void {
  change(ctx, operator, { jailed: false, jailedUntil: 0 })
}

/** Blocks until a change of the set is in force: `sdk.ValidatorUpdateDelay`. See cosmos-sdk types/staking.go (read 2026-11-22). */
const updateDelay = 1n

/**
 * Punishes a validator that signed twice: it is slashed, jailed and never let in again, only once. Returns the base units that were burnt. Those are liable who had stake
 * when the validator set of the evidence's block was made, a block before; see cosmos-sdk x/evidence handleEquivocationEvidence (read 2026-11-22).
 *
 * @param evidenceHeight of the block that was signed twice
 */
export function tombstone(ctx: Context, operator: string, evidenceHeight: bigint): bigint {
  const { tombstoned, status: standing } = validatorOf(ctx.state, operator)
  if (tombstoned) return 0n
  const fraction = parseDec(ctx.genesis.slashing.doubleSignFraction)
  const burned = standing === status.unbonded ? 0n : slashValidator(ctx, operator, fraction, evidenceHeight - updateDelay)
  jail(ctx, operator, forever)
  change(ctx, operator, { tombstoned: true })
  return burned
}

/** 9999-12-31, the chain's own word for never. See cosmos-sdk x/evidence, DoubleSignJailEndTime (read 2026-11-21). */
const forever = 253_402_300_799_000

function change(ctx: Context, operator: string, what: Partial<Validator>): void {
  ctx.state.validators.set(operator, { ...validatorOf(ctx.state, operator), ...what })
}
