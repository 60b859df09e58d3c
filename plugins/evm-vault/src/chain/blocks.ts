import { malformedAnswer } from '@svc/contract'
import { isHexString } from 'ethers'
import { membersOf } from '../json.ts'
import type { VaultContext } from '../network.ts'

/** A block's number, its time in seconds since 1970, and its hash. */
export interface Block {
  readonly number: number
  readonly timestamp: number
  readonly hash: string
}

/** The end of the year 9999, in seconds since 1970: a later time is none. */
const MAX_TIMESTAMP = 253_402_300_799

/** Reads the latest block. @throws 502, 503 when no endpoint answers one that is recent */
export async function readLatestBlock({ client }: VaultContext): Promise<Block> {
  const { number, timestamp, hash } = await client.head()
  return { number: Number(number), timestamp: Number(timestamp), hash }
}

/** Reads a block by its number. @throws 502 UPSTREAM_ERROR when no endpoint answers that one */
export function readBlock({ client }: VaultContext, at: number): Promise<Block> {
  return client.ask('eth_getBlockByNumber', [`0x${at.toString(16)}`, false], (answer) => {
    const { number, timestamp, hash } = membersOf(answer)
    if (!isHexString(hash, 32)) throw malformedAnswer(answer)
    const block = { number: quantityOf(number), timestamp: timestampOf(timestamp), hash }
    if (block.number !== at || Number.isNaN(block.timestamp)) throw malformedAnswer(answer)
    return block
  })
}

/** Reads a JSON-RPC quantity that a double holds exactly; NaN for anything else. */
export function quantityOf(value: unknown): number {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : Number.NaN
}

/** Reads a JSON-RPC quantity as seconds since 1970, up to the year 9999; NaN for anything else. */
export function timestampOf(value: unknown): number {
  const time = quantityOf(value)
  return time <= MAX_TIMESTAMP ? time : Number.NaN
}
