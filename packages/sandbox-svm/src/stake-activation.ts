import { type Delegation, never } from './stake-account.ts'
import type { SvmCluster } from './types.ts'

/** Part of a delegation that counts in an epoch, and the parts on their way in or out. Lamports. */
export interface Activation {
  readonly effective: bigint
  readonly activating: bigint
  readonly deactivating: bigint
}

type History = ReadonlyMap<bigint, SvmCluster>

/** Share of the cluster's stake that may come or go in an epoch. @see solana-stake-interface, NEW_WARMUP_COOLDOWN_RATE (read 2026-11-21) */
const rate = 0.09

/**
 * Computes the stake of a delegation in an epoch, by the cluster's stake in the epochs before. It uses doubles, as the program of the chain does: this figure decides
 * nothing about money here, and only feeds the history and the invented rewards.
 *
 * @see https://github.com/solana-program/stake interface/src/state.rs, stake_activating_and_deactivating (read 2026-11-21)
 */
export function activationAt(delegation: Delegation, epoch: bigint, history: History): Activation {
  const { stake, activationEpoch, deactivationEpoch } = delegation
  const { effective, activating } = warmUp(delegation, epoch, history)
  if (epoch < deactivationEpoch) return { effective, activating, deactivating: 0n }
  if (activationEpoch === deactivationEpoch && activationEpoch !== never) return { effective: 0n, activating: 0n, deactivating: 0n }
  if (epoch === deactivationEpoch) return { effective, activating: 0n, deactivating: effective }
  const left = history.has(deactivationEpoch) ? coolDown(effective, deactivationEpoch, epoch, history) : 0n
  return { effective: min(left, stake), activating: 0n, deactivating: min(left, stake) }
}

function warmUp(delegation: Delegation, epoch: bigint, history: History): { effective: bigint; activating: bigint } {
  const { stake, activationEpoch, deactivationEpoch } = delegation
  if (activationEpoch === never) return { effective: stake, activating: 0n }
  if (activationEpoch === deactivationEpoch) return { effective: 0n, activating: 0n }
  if (epoch === activationEpoch) return { effective: 0n, activating: stake }
  if (epoch < activationEpoch) return { effective: 0n, activating: 0n }
  let entry = history.get(activationEpoch)
  if (entry === undefined) return { effective: stake, activating: 0n }
  let effective = 0n
  for (let at = activationEpoch; entry !== undefined && entry.activating > 0n; entry = history.get(at)) {
    effective = min(stake, effective + portion(stake - effective, entry.activating, entry.effective))
    at += 1n
    if (effective >= stake || at >= epoch || at >= deactivationEpoch) break
  }
  return { effective, activating: stake - effective }
}

function coolDown(stake: bigint, from: bigint, epoch: bigint, history: History): bigint {
  let left = stake
  let entry = history.get(from)
  for (let at = from; entry !== undefined && entry.deactivating > 0n; entry = history.get(at)) {
    const gone = portion(left, entry.deactivating, entry.effective)
    left = gone >= left ? 0n : left - gone
    at += 1n
    if (left === 0n || at >= epoch) break
  }
  return left
}

function portion(remaining: bigint, moving: bigint, cluster: bigint): bigint {
  const moved = BigInt(Math.trunc((Number(remaining) / Number(moving)) * (Number(cluster) * rate)))
  return moved < 1n ? 1n : moved
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
