import { PublicKey } from '@svc/solana'

/** Size of every stake account in bytes. @see https://github.com/solana-program/stake (interface, read 2026-11-21) */
export const STAKE_SPACE = 200

/** Offsets at which filters and slices of a query look. */
export const OFFSET = { discriminant: 0, staker: 12, withdrawer: 44, voter: 124, deactivationEpochEnd: 180 } as const

/** An epoch that never comes: not deactivated, or delegated since genesis. */
export const NEVER = 2n ** 64n - 1n

/** StakeStateV2's discriminants. */
const UNINITIALIZED = 0
const INITIALIZED = 1
const DELEGATED = 2

/** Discriminant of a delegated stake account, four bytes, in base58. */
export const DELEGATED_BYTES = '3xyZh'

/** Stake with a validator. Lamports and epochs. */
export interface Delegation {
  /** Vote account, in base58. */
  readonly voter: string
  readonly stake: bigint
  /** Epoch of the delegation; it earns from the next one. `NEVER`: delegated since genesis. */
  readonly activationEpoch: bigint
  /** Epoch of the deactivation; `NEVER` while there was none. */
  readonly deactivationEpoch: bigint
}

/** Time and epoch until both of which have passed nobody can withdraw, unless the custodian signs too. */
export interface Lockup {
  /** Seconds since 1970. */
  readonly unixTimestamp: bigint
  readonly epoch: bigint
  readonly custodian: string
}

/** A stake account that belongs to somebody. */
export interface StakeAccount {
  /** Address that may delegate and deactivate. */
  readonly staker: string
  /** Address that may withdraw the lamports. */
  readonly withdrawer: string
  readonly lockup: Lockup
  /** Delegation of the account; null: it was never delegated. */
  readonly delegation: Delegation | null
}

/**
 * Reads the data of a stake account. The rent reserve in it is ignored: the program writes a constant there and enforces the live rent.
 *
 * @param spell an address in base58; one that remembers, where many accounts are read
 * @returns null when it is none that belongs to anybody: another size, or a state other than Initialized and Stake
 * @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/state/enum.StakeStateV2.html (read 2026-11-21)
 */
export function decodeStakeAccount(data: Uint8Array, spell: (key: Uint8Array) => string = base58): StakeAccount | null {
  if (data.length !== STAKE_SPACE) return null
  const view = viewOf(data)
  const state = view.getUint32(OFFSET.discriminant, true)
  if (state !== INITIALIZED && state !== DELEGATED) return null
  return {
    ...readAuthorities(data.subarray(OFFSET.staker, OFFSET.voter), spell),
    delegation:
      state === DELEGATED ? { voter: spell(data.subarray(OFFSET.voter, OFFSET.voter + 32)), ...readTimes(view, OFFSET.voter + 32) } : null,
  }
}

/** Tells whether data are those of a stake account that belongs to nobody: everything was withdrawn, and somebody has sent lamports there since. */
export function isUninitialized(data: Uint8Array): boolean {
  return data.length === STAKE_SPACE && viewOf(data).getUint32(OFFSET.discriminant, true) === UNINITIALIZED
}

/**
 * Reads the slice of a delegated account's data from the staker to the end of the deactivation epoch: its authorities and its times.
 *
 * @param spell an address in base58, one that remembers
 * @returns null when the slice has another length
 */
export function decodeAuthorized(
  slice: Uint8Array,
  spell: (key: Uint8Array) => string,
): (Omit<StakeAccount, 'delegation'> & { readonly delegation: Omit<Delegation, 'voter'> }) | null {
  if (slice.length !== OFFSET.deactivationEpochEnd - OFFSET.staker) return null
  return {
    ...readAuthorities(slice.subarray(0, OFFSET.voter - OFFSET.staker), spell),
    delegation: readTimes(viewOf(slice), OFFSET.voter + 32 - OFFSET.staker),
  }
}

/** Staker, withdrawer and lockup, which follow one another. */
function readAuthorities(data: Uint8Array, spell: (key: Uint8Array) => string): Omit<StakeAccount, 'delegation'> {
  const view = viewOf(data)
  return {
    staker: spell(data.subarray(0, 32)),
    withdrawer: spell(data.subarray(32, 64)),
    lockup: { unixTimestamp: view.getBigInt64(64, true), epoch: view.getBigUint64(72, true), custodian: spell(data.subarray(80, 112)) },
  }
}

/** Reads the slice of an account's data from the withdrawer to the end of the deactivation epoch, for counting many accounts. @returns null when the slice has another length */
export function decodeHolding(slice: Uint8Array): { readonly withdrawer: string; readonly delegation: Omit<Delegation, 'voter'> } | null {
  if (slice.length !== OFFSET.deactivationEpochEnd - OFFSET.withdrawer) return null
  const withdrawer = Buffer.from(slice.subarray(0, 32)).toString('hex')
  return { withdrawer, delegation: readTimes(viewOf(slice), OFFSET.voter + 32 - OFFSET.withdrawer) }
}

function readTimes(view: DataView, at: number): Omit<Delegation, 'voter'> {
  return {
    stake: view.getBigUint64(at, true),
    activationEpoch: view.getBigUint64(at + 8, true),
    deactivationEpoch: view.getBigUint64(at + 16, true),
  }
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}

/** Makes a function that writes addresses in base58, each once: the accounts of a wallet name few, and encoding one takes longer than reading the rest of an account. */
export function speller(): (key: Uint8Array) => string {
  const cache = new Map<string, string>()
  return (key) => {
    const bytes = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')
    const spelled = cache.get(bytes) ?? base58(key)
    cache.set(bytes, spelled)
    return spelled
  }
}

function base58(key: Uint8Array): string {
  return new PublicKey(key).toBase58()
}
