import type { Look, Looks } from '@svc/contract'
import { effectsToJson } from '../db/json.ts'

/** What a look's amounts are counted in. */
export type Units = Pick<Looks, 'caip2' | 'decimals' | 'symbol'>

/** A look as a row keeps it. */
export interface KeptLook {
  readonly look: Look
  readonly units: Units
}

/** Exact: amounts are decimal text, times ISO-8601 with milliseconds. */
export function textOfLook({ look, units: { caip2, decimals, symbol } }: KeptLook): string {
  return JSON.stringify(effectsToJson({ look, units: { caip2, decimals, symbol } }))
}

/** What `textOfLook` wrote. */
export function lookOfText(text: string): KeptLook {
  const { look, units } = JSON.parse(text) as { look: Written; units: Units }
  const { block, fee, moved, validUntil, lookedAt } = look
  return {
    units,
    look: {
      ...look,
      block: block && { ...block, height: bigintOf(block.height), time: dateOf(block.time) },
      fee: bigintOf(fee),
      moved: moved && { ...moved, moves: movesOf(moved.moves) },
      validUntil: validUntil && { ...validUntil, estimatedAt: dateOf(validUntil.estimatedAt) },
      lookedAt: bigintOf(lookedAt),
    },
  }
}

/** Moves as JSON has them. */
export type WrittenMoves = readonly (Omit<Moves[number], 'amount'> & { readonly amount: string | null })[]
/** What a transaction moves. */
export type Moves = NonNullable<Look['moved']>['moves']

/** Moves of a row, exact. */
export function movesOf(moves: WrittenMoves): Moves {
  return moves.map((move) => ({ ...move, amount: bigintOf(move.amount) }))
}

/** A look as JSON has it. */
type Written = Omit<Look, 'block' | 'fee' | 'moved' | 'validUntil' | 'lookedAt'> & {
  readonly block: { readonly height: string | null; readonly hash: string | null; readonly time: string | null } | null
  readonly fee: string | null
  readonly moved: { readonly moves: WrittenMoves; readonly objectIds: readonly string[] } | null
  readonly validUntil: (Omit<NonNullable<Look['validUntil']>, 'estimatedAt'> & { readonly estimatedAt: string | null }) | null
  readonly lookedAt: string | null
}

function bigintOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}

/** A time of a row's JSON. */
export function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
