import type { Move } from './types.ts'

/**
 * Makes one move of a clause.
 *
 * @param amount base units; null where the bytes do not say how much
 * @param asset address of the token. @default the chain's own coin
 */
export function move(kind: Move['kind'], amount: bigint | null, asset = 'native'): Move {
  return { kind, asset, amount }
}
