import { type Delegation, NEVER } from './stake-account.ts'
import type { ClusterStake, StakeHistory } from './sysvars.ts'

/** Parts of a delegation that count in an epoch, in lamports. */
interface Activation {
  /** Counts, and earns. Includes what is deactivating. */
  readonly effective: bigint
  /** Does not count yet. */
  readonly activating: bigint
  /** Still counts, and leaves. */
  readonly deactivating: bigint
}

/**
 * Most of the cluster's effective stake that may warm up or cool down in an epoch, in basis points: 9 % since epoch 565.
 *
 * @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/ `warmup_cooldown_allowance` (read 2026-11-21)
 */
const RATE_BPS = 900n
const ALL_BPS = 10_000n

const NOTHING: Activation = { effective: 0n, activating: 0n, deactivating: 0n }

/**
 * Computes the effective, activating and deactivating parts of a delegation in an epoch, by the stake program's rules in whole lamports, as its version 5.1 computes them.
 * Version 5.0 divides in doubles, which differs by a lamport now and then.
 *
 * @param history the cluster's stake in the epochs before; one that is missing means that nothing held the change up
 */
export function activationAt(delegation: Omit<Delegation, 'voter'>, epoch: bigint, history: StakeHistory): Activation {
  const { effective, activating } = warmUp(delegation, epoch, history)
  if (epoch < delegation.deactivationEpoch) return { effective, activating, deactivating: 0n }
  const left = epoch === delegation.deactivationEpoch ? effective : coolDown(effective, delegation.deactivationEpoch, epoch, history)
  return left === 0n ? NOTHING : { effective: left, activating: 0n, deactivating: left }
}

function warmUp(delegation: Omit<Delegation, 'voter'>, epoch: bigint, history: StakeHistory): Omit<Activation, 'deactivating'> {
  const { stake, activationEpoch, deactivationEpoch } = delegation
  if (activationEpoch === NEVER) return { effective: stake, activating: 0n }
  if (activationEpoch === deactivationEpoch || epoch < activationEpoch) return NOTHING
  if (epoch === activationEpoch) return { effective: 0n, activating: stake }

  let cluster = history.get(activationEpoch)
  if (!cluster) return { effective: stake, activating: 0n }
  let effective = 0n
  for (let at = activationEpoch + 1n; cluster && cluster.activating > 0n; at++) {
    effective += allowance(stake - effective, cluster.activating, cluster)
    if (effective >= stake) return { effective: stake, activating: 0n }
    if (at >= epoch || at >= deactivationEpoch) break
    cluster = history.get(at)
  }
  return { effective, activating: stake - effective }
}

function coolDown(stake: bigint, deactivationEpoch: bigint, epoch: bigint, history: StakeHistory): bigint {
  let cluster = history.get(deactivationEpoch)
  if (!cluster) return 0n
  let left = stake
  for (let at = deactivationEpoch + 1n; cluster && cluster.deactivating > 0n; at++) {
    left -= allowance(left, cluster.deactivating, cluster)
    if (left <= 0n) return 0n
    if (at >= epoch) break
    cluster = history.get(at)
  }
  return left
}

/** An account's share of what may change in an epoch: by its part of all that wants to; at least a lamport, so that it comes to an end. */
function allowance(portion: bigint, changing: bigint, { effective }: ClusterStake): bigint {
  const share = (portion * effective * RATE_BPS) / (changing * ALL_BPS)
  return share > 0n ? share : 1n
}
