/** Clock of the chain. */
export interface Clock {
  readonly slot: bigint
  readonly epoch: bigint
  /** Seconds since 1970. */
  readonly unixTimestamp: bigint
}

/** Stake of the whole cluster in one epoch, in lamports. */
export interface ClusterStake {
  readonly effective: bigint
  readonly activating: bigint
  readonly deactivating: bigint
}

/** Stake of the cluster by epoch; holds the last 512 completed epochs at most. */
export type StakeHistory = ReadonlyMap<bigint, ClusterStake>

/** slot, epoch start, epoch, leader schedule epoch, time: eight bytes each. @see https://docs.anza.xyz/runtime/sysvars (read 2026-11-21) */
const CLOCK_SIZE = 40
const HISTORY_ENTRY_SIZE = 32
/** A count and 512 entries. @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/stake_history/ (read 2026-11-22) */
const MOST_HISTORY = 8 + 512 * HISTORY_ENTRY_SIZE

/** Latest second since 1970 that a date holds. @see https://tc39.es/ecma262/#sec-time-values-and-time-range (read 2026-11-22) */
const LAST_SECOND = 8_640_000_000_000n

/** Reads the chain's clock from the data of its sysvar. @returns null when the data is not that of the Clock sysvar */
export function decodeClock(data: Uint8Array): Clock | null {
  if (data.length !== CLOCK_SIZE) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const unixTimestamp = view.getBigInt64(32, true)
  if (unixTimestamp < 0n || unixTimestamp > LAST_SECOND) return null
  return { slot: view.getBigUint64(0, true), epoch: view.getBigUint64(16, true), unixTimestamp }
}

/**
 * Reads the stake history from the data of its sysvar: a count, and that many entries, the newest first; zeros may follow.
 *
 * @returns null when the data is not that of the StakeHistory sysvar
 * @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/stake_history/ (read 2026-11-21)
 */
export function decodeStakeHistory(data: Uint8Array): StakeHistory | null {
  if (data.length < 8 || data.length > MOST_HISTORY) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const count = view.getBigUint64(0, true)
  if (count > BigInt(Math.floor((data.length - 8) / HISTORY_ENTRY_SIZE))) return null
  const history = new Map<bigint, ClusterStake>()
  for (let at = 8; at < 8 + Number(count) * HISTORY_ENTRY_SIZE; at += HISTORY_ENTRY_SIZE)
    history.set(view.getBigUint64(at, true), {
      effective: view.getBigUint64(at + 8, true),
      activating: view.getBigUint64(at + 16, true),
      deactivating: view.getBigUint64(at + 24, true),
    })
  return history
}

/** The last of EpochRewards' 81 bytes. @see https://docs.rs/solana-epoch-rewards/latest/solana_epoch_rewards/ (read 2026-11-21) */
const ACTIVE_OFFSET = 80

/**
 * Reads whether the rewards of the last epoch are still being paid out, during which stake accounts are closed to everybody.
 *
 * @returns null when the data is not that of the EpochRewards sysvar
 */
export function decodeEpochRewards(data: Uint8Array): boolean | null {
  const active = data.length === ACTIVE_OFFSET + 1 ? data[ACTIVE_OFFSET] : undefined
  return active === 0 || active === 1 ? active === 1 : null
}
