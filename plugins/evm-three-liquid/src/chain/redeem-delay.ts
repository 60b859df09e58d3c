import { malformedAnswer } from '@svc/contract'
import type { LiquidContext } from '../network.ts'

/**
 * Slot in which the vault keeps the delay of redemptions, which no call tells: the fifth member of its ERC-7201 struct "storage.Magma".
 *
 * @see https://github.com/MagmaStaking/contracts-public (read 2026-11-21)
 */
const REDEEM_DELAY_SLOT = '0xe12a3c9ed0954edf986cec381af8403b24a0b0b94ceba99e0d4e9dd1e2aec504'
/** A delay above this, or none, is not what is meant to stand in that place: a year, in seconds. */
const LONGEST_DELAY = 31_536_000n

/** Reads the time for which the vault lets a redemption wait, in seconds, from its storage. @returns null when what stands in its place is no delay @throws 502, 503, 504 */
export async function storedRedeemDelay({ client, network: { vault } }: LiquidContext): Promise<bigint | null> {
  const delay = BigInt(await client.bytes('eth_getStorageAt', [vault, REDEEM_DELAY_SLOT, 'latest'], requireWord))
  return delay > 0n && delay <= LONGEST_DELAY ? delay : null
}

/** @throws EndpointError for what is not 32 bytes */
function requireWord(data: string): void {
  if (data.length !== 66) throw malformedAnswer(data)
}
