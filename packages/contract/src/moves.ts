import type { Move } from '@svc/verify/intent'
import { type Static, Type } from 'typebox'

/** Move of a transaction, on the wire. */
export const MoveSchema = Type.Object({
  kind: Type.Unsafe<Move['kind']>({
    type: 'string',
    enum: ['leaves', 'staked', 'freed', 'arrives'],
    description: 'What becomes of the amount: it leaves the wallet, is staked, is freed of its stake, or arrives in the wallet.',
  }),
  asset: Type.String({ description: '`native`, or the address of a token.', examples: ['native'] }),
  units: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'In base units of the asset, as decimal text; null where the bytes do not say how much.',
    examples: ['100000000000000000000'],
  }),
})

/** Moves as they stand on the wire. */
export function movesToWire(moves: readonly Move[]): Static<typeof MoveSchema>[] {
  return moves.map(({ kind, asset, amount }) => ({ kind, asset, units: amount === null ? null : amount.toString() }))
}
