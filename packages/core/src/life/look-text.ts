import { effectsToJson } from '../db/json.ts'
import type { Look, Looks } from '../plugins/life/follow.ts'

/** Chain and token in whose base units the amounts of a look are counted. */
export type Units = Pick<Looks, 'caip2' | 'decimals' | 'symbol'>

/** A look as a row keeps it. */
export interface KeptLook {
  readonly look: Look
  readonly units: Units
}

/** Writes a look as JSON for a row, with nothing lost: amounts are decimal text, times ISO-8601 with milliseconds. */
export function textOfLook({ look, units: { caip2, decimals, symbol } }: KeptLook): string {
  return JSON.stringify(effectsToJson({ look, units: { caip2, decimals, symbol } }))
}

/** Reads the text that `textOfLook` wrote. */
export function lookOfText(text: string): KeptLook {
  const { look, units } = JSON.parse(text) as { look: Written; units: Units }
  const { block, fee, moved, validUntil, lookedAt } = look
  return {
    units,
    look: {
      ...look,
      block: block && { ...block, height: bigintOf(block.height), time: dateOf(block.time) },
      fee: bigintOf(fee),
      moved: moved && movedOf(moved),
      validUntil: validUntil && validUntilOf(validUntil),
      lookedAt: bigintOf(lookedAt),
    },
  }
}

/** Reads the moves of a look. Members keep their order: two texts of one look are compared. */
function movedOf(moved: WrittenMoved): NonNullable<Look['moved']> {
  const { adds, ...others } = { ...moved, moves: movesOf(moved.moves) }
  if (adds === undefined) return others
  return { ...moved, moves: others.moves, adds: Object.fromEntries(Object.entries(adds).map(([kind, units]) => [kind, BigInt(units)])) }
}

type WrittenMoved = Omit<NonNullable<Look['moved']>, 'moves' | 'adds'> & {
  readonly moves: WrittenMoves
  readonly adds?: Readonly<Record<string, string>>
}

/** Moves as JSON has them. */
export type WrittenMoves = readonly (Omit<Moves[number], 'amount'> & { readonly amount: string | null })[]
/** Moves of a transaction. */
export type Moves = NonNullable<Look['moved']>['moves']

/** Moves of a row, exact. */
export function movesOf(moves: WrittenMoves): Moves {
  return moves.map((move) => ({ ...move, amount: bigintOf(move.amount) }))
}

/** A look as JSON has it. */
type Written = Omit<Look, 'block' | 'fee' | 'moved' | 'validUntil' | 'lookedAt'> & {
  readonly block: { readonly height: string | null; readonly hash: string | null; readonly time: string | null } | null
  readonly fee: string | null
  readonly moved: WrittenMoved | null
  readonly validUntil: WrittenValidUntil | null
  readonly lookedAt: string | null
}

type Until = NonNullable<Look['validUntil']>
type End = NonNullable<Until['also']>
type WrittenEnd = Omit<End, 'estimatedAt'> & { readonly estimatedAt: string | null }
/** The end of a transaction as JSON has it. */
export type WrittenValidUntil = WrittenEnd & { readonly also?: WrittenEnd }

/** Reads the end of a transaction's validity from the JSON of a row. */
export function validUntilOf({ also, ...until }: WrittenValidUntil): Until {
  const endOf = (end: WrittenEnd): End => ({ ...end, estimatedAt: dateOf(end.estimatedAt) })
  return { ...endOf(until), ...(also ? { also: endOf(also) } : {}) }
}

function bigintOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}

/** Reads a time of a row's JSON. */
function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
