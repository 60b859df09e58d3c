import type { Balance, TransactionStatus } from '@svc/client'
import { ASSUMED, MOVES } from '../../realm/inspection.ts'
import { bytes, list, members, nullable, number, type Of, type Shape, text, units, word } from '../../realm/shape.ts'

/** A transaction that was checked where the intent runs. */
export type Draft = Of<typeof DRAFT>
export const DRAFT = members({ draft: number, sentence: text, moves: MOVES, assumed: ASSUMED, payload: bytes })

/** The same with a signature. */
export type SignedDraft = Of<typeof SIGNED>
export const SIGNED = members({ signed: number, txHash: text })

const AMOUNT = members({ text, units })
const OBJECT = members({ id: text, type: text, status: text, amount: nullable(AMOUNT) })

/** The parts of a position that are shown. */
export const BALANCE = members({
  staked: AMOUNT,
  activating: nullable(AMOUNT),
  deactivating: nullable(AMOUNT),
  withdrawing: nullable(AMOUNT),
  rewards: nullable(AMOUNT),
  objects: nullable(list(OBJECT)),
}) as Shape<unknown> as Shape<Balance>

/** The parts of a transaction's state that are shown. */
export const STATUS = members({
  txHash: text,
  status: word('unknown', 'pending', 'included', 'final', 'failed', 'replaced', 'expired'),
  certainty: word('proven', 'likely'),
  block: nullable(members({ height: nullable(number) })),
}) as Shape<unknown> as Shape<TransactionStatus>
