import { badGateway } from '@svc/contract'
import type { VaultContext } from './network.ts'

/** A block's number, and its time in seconds since 1970. */
export interface Head {
  readonly number: number
  readonly timestamp: number
}

/** The latest block. @throws 502 UPSTREAM_ERROR when the answer is none */
export function readHead(ctx: VaultContext): Promise<Head> {
  return readBlock(ctx, 'latest')
}

/** A block by its number. @throws 502 UPSTREAM_ERROR when the answer is none */
export async function readBlock({ client }: VaultContext, at: number | 'latest'): Promise<Head> {
  const answer: unknown = await client.send('eth_getBlockByNumber', [at === 'latest' ? at : `0x${at.toString(16)}`, false])
  const { number, timestamp } = (answer ?? {}) as { number?: unknown; timestamp?: unknown }
  const head = { number: quantity(number), timestamp: quantity(timestamp) }
  if (Number.isNaN(head.number + head.timestamp))
    throw badGateway('UPSTREAM_ERROR', "The chain's node gave an answer to eth_getBlockByNumber that is none; try again.")
  return head
}

/** A JSON-RPC quantity that fits a double; NaN when it is none. */
export function quantity(value: unknown): number {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : Number.NaN
}
