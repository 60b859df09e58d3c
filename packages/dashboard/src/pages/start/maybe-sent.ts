import { Far } from '../../realm/port.ts'

/** A broadcast that began, and whose end the intent did not tell: it was late, its realm was closed, or its answer has another shape. */
export class MaybeSent extends Error {
  override name = 'MaybeSent'
  /** Hash of the transaction, as it was known before. */
  readonly txHash: string

  constructor(txHash: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.txHash = txHash
  }
}

/**
 * Broadcasts a transaction whose hash is known. What the client of the intent says of a broadcast that failed stays as it is said.
 *
 * @throws Far, MaybeSent
 */
export async function sendKnown<T>(txHash: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    throw error instanceof Far ? error : new MaybeSent(txHash, error)
  }
}
