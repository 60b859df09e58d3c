import type { Books } from './books.ts'

/** Amounts that a slash has taken in one block, in base units. */
export interface Slash {
  /** Amount taken from the stake. */
  readonly stake: bigint
  /** Amount taken from exits on their way: those that began at the height of the offence, or later. */
  readonly exits: bigint
}

/** Scale of shares. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-24) */
const SCALE = 10n ** 18n

const NONE: Slash = { stake: 0n, exits: 0n }

/**
 * Works out from the books on both sides of a block what a slash has taken in it.
 *
 * A share is worth less after a block only where its validator was slashed: rounding favours whoever stays. The chain slashes before it runs the block's transactions,
 * so that the shares of before are worth what a share is worth after the block, to a unit.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/keeper/slash.go (Slash, SlashUnbondingDelegation; read 2026-11-25)
 */
export function slashIn(before: Books, after: Books): Slash {
  const [worth, now] = [before.validator, after.validator]
  if (worth.shares === 0n || now.shares === 0n || now.tokens * worth.shares >= worth.tokens * now.shares) return NONE
  const earlier = new Map(before.exits.map((exit) => [exit.id, exit.begun - exit.amount]))
  return {
    stake: before.staked - (before.shares * now.tokens) / now.shares,
    exits: after.exits.reduce((sum, { id, begun, amount }) => sum + begun - amount - (earlier.get(id) ?? 0n), 0n),
  }
}

/**
 * Tells whether an exit was overtaken by a slash: it is for more than the slash has left, so that the chain refuses it in its block. Nobody can know that when it is crafted.
 *
 * @param before books of the height before its block
 * @param slash what a slash took in its block
 */
export function isOvertaken(amount: bigint, before: Books, slash: Slash): boolean {
  const wasSlashed = slash.stake > 0n || before.validator.tokens * SCALE < before.validator.shares
  return wasSlashed && amount > before.staked - slash.stake
}
