import type { Question } from '@svc/kit-evm'
import { vaultAbi } from '../abi.ts'

/** The capacity of a vault that has no limit. */
const UNLIMITED = 2n ** 256n - 1n

/** Makes the question for the largest amount that the vault holds, in wei; the largest number where it has no limit. */
export function askCapacity(vault: string): Question<bigint> {
  return vaultAbi.question(vault, 'capacity', [])
}

/** Computes the amount that the vault still takes, in wei; null where it has no limit. */
export function roomOf(capacity: bigint, totalAssets: bigint): bigint | null {
  if (capacity === UNLIMITED) return null
  return capacity > totalAssets ? capacity - totalAssets : 0n
}
