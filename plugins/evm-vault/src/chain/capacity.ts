import type { Question } from '@svc/kit-evm'
import { vaultAbi } from '../abi.ts'

/** The capacity of a vault that has no limit. */
const UNLIMITED = 2n ** 256n - 1n

/** Wei that the vault holds at most; as much as a number can be where it has no limit. */
export function askCapacity(vault: string): Question<bigint> {
  return vaultAbi.question(vault, 'capacity', [])
}

/** Wei that the vault still takes; null where it has no limit. */
export function roomOf(capacity: bigint, totalAssets: bigint): bigint | null {
  if (capacity === UNLIMITED) return null
  return capacity > totalAssets ? capacity - totalAssets : 0n
}
