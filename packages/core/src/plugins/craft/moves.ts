import type { MadeMove } from '@svc/contract/host'
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
    description: 'In base units of the asset, as decimal text; null where the bytes, or the chain afterwards, do not say how much.',
    examples: ['100000000000000000000'],
  }),
  reason: Type.Optional(
    Type.String({
      description: 'Only of a move that was made and whose `units` are null: why the chain does not tell them any more.',
      examples: ['A later transaction names the stake account, and no node keeps how it was before.'],
    }),
  ),
})

/** Writes moves of value for callers. */
export function movesToWire(moves: readonly MadeMove[]): Static<typeof MoveSchema>[] {
  return moves.map(({ kind, asset, amount, reason }) => ({
    kind,
    asset,
    units: amount === null ? null : amount.toString(),
    ...(reason === undefined ? {} : { reason }),
  }))
}
