import { firstProblem } from '@svc/contract/host'
import { TransactionStatusSchema, ValidUntilSchema } from '@svc/core/plugins'
import { Type } from 'typebox'

const { valid_until: _, ...members } = TransactionStatusSchema.properties
/** Closed: what the document does not name is not there. */
const STATUS = Type.Object(members, { additionalProperties: false })

/**
 * Returns the first way in which an answer does not fit the document, or contradicts itself; null when all is well.
 *
 * @param tellsOutcome whether the nodes know what a transaction in a block has paid
 */
export function flawIn(json: Readonly<Record<string, unknown>>, txHash: string, tellsOutcome: boolean): string | null {
  const { valid_until: until, ...rest } = json
  const form = firstProblem(STATUS, rest, '') ?? (until === null ? null : firstProblem(ValidUntilSchema, until, 'valid_until'))
  if (form !== null) return form
  if (rest.tx_hash !== txHash) return `tx_hash is ${String(rest.tx_hash)} in place of ${txHash}`
  const isPlaced = ['included', 'final', 'failed'].includes(String(rest.status))
  if (isPlaced !== (rest.block !== null)) return `it is ${rest.status}, and block is ${JSON.stringify(rest.block)}`
  // Of one whose bytes are known the fee is told by them.
  if (rest.fee === null ? isPlaced && tellsOutcome : !isPlaced) return `it is ${rest.status}, and fee is ${JSON.stringify(rest.fee)}`
  if (isPlaced === (rest.finality === 'none')) return `it is ${rest.status}, and finality is ${rest.finality}`
  if ((rest.status === 'failed') !== (rest.error !== null)) return `it is ${rest.status}, and error is ${JSON.stringify(rest.error)}`
  return null
}
