import type { World } from '../world.ts'
import { RpcError } from './error.ts'
import type { Config } from './params.ts'

/** Version of the validator that the answers are shaped after, and its feature set. */
export const version = { 'solana-core': '4.1.0', 'feature-set': 3_640_012_085 } as const

/** A result with the slot it is of. */
export function inContext(world: World, value: unknown): { context: { apiVersion: string; slot: number }; value: unknown } {
  return { context: { apiVersion: version['solana-core'], slot: Number(world.bank.slot) }, value }
}

/** @throws RpcError -32016 when the caller has seen a later slot than this node */
export function checkSlot(world: World, { minContextSlot }: Config): void {
  const slot = Number(world.bank.slot)
  if (typeof minContextSlot !== 'number' || minContextSlot <= slot) return
  throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: slot })
}
