import type { World } from '../world.ts'
import { RpcError } from './error.ts'
import { type Config, commitmentOf } from './params.ts'

/** Version of the validator that the answers are shaped after, and its feature set. */
export const version = { 'solana-core': '4.1.0', 'feature-set': 3_640_012_085 } as const

/** Writes a result with its slot, the newest unless another is named. */
export function inContext(
  world: World,
  value: unknown,
  slot = world.bank.slot,
): { context: { apiVersion: string; slot: number }; value: unknown } {
  return { context: { apiVersion: version['solana-core'], slot: Number(slot) }, value }
}

/** Returns the slot that a call is about, by its commitment. @throws RpcError -32602 for a commitment that is none, -32016 when the caller has seen a later slot than that */
export function slotOf(world: World, config: Config): bigint {
  const slot = world.votes.slot(commitmentOf(config))
  const { minContextSlot } = config
  if (typeof minContextSlot !== 'number' || minContextSlot <= Number(slot)) return slot
  throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: Number(slot) })
}
