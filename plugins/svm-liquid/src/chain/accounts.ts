import type { ServiceError } from '@svc/contract'
import type { AccountState } from '@svc/kit-svm'
import { PublicKey } from '@svc/solana'
import { badGateway } from '../codes.ts'

/** @see https://docs.rs/spl-token/latest/spl_token/state/struct.Account.html (read 2026-11-21) */
const TOKEN_ACCOUNT = { mint: 0, owner: 32, amount: 64, bytes: 165 } as const
/** @see https://docs.rs/solana-clock/latest/solana_clock/struct.Clock.html (read 2026-11-21) */
const CLOCK = { owner: 'Sysvar1111111111111111111111111111111111111', slot: 0, epoch: 16, time: 32, bytes: 40 } as const
/** Latest second since 1970 that a date holds. @see https://tc39.es/ecma262/#sec-time-values-and-time-range (read 2026-11-22) */
const LAST_SECOND = 8_640_000_000_000n
/** @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/state/struct.Meta.html (read 2026-11-21) */
const STAKE = { owner: 'Stake11111111111111111111111111111111111111', state: 0, rent: 4, bytes: 200, initialized: 1 } as const

/** Bytes of a token account, and of a stake account. */
export const TOKEN_ACCOUNT_BYTES = TOKEN_ACCOUNT.bytes
export const STAKE_BYTES = STAKE.bytes

/** Reads the epoch from the chain's clock account. @throws 502 POOL_UNREADABLE */
export function epochOf(clock: AccountState | null): bigint {
  return clockData(clock).readBigUInt64LE(CLOCK.epoch)
}

/** Reads slot, epoch and time from the chain's clock account. @throws 502 POOL_UNREADABLE */
export function clockOf(clock: AccountState | null): { readonly slot: bigint; readonly epoch: bigint; readonly time: Date } {
  const data = clockData(clock)
  const seconds = data.readBigInt64LE(CLOCK.time)
  if (seconds < 0n || seconds > LAST_SECOND) throw unreadable(`the chain's clock says ${seconds} seconds since 1970`)
  return { slot: data.readBigUInt64LE(CLOCK.slot), epoch: epochOf(clock), time: new Date(Number(seconds) * 1000) }
}

function clockData(clock: AccountState | null): Buffer {
  if (clock?.owner === CLOCK.owner && clock.data.length === CLOCK.bytes) return clock.data
  throw unreadable('the chain has no clock account of the known form')
}

/** Reads the amount in a wallet's token account: 0 where there is no account, or it is not, or no longer, the wallet's. */
export function tokensOf(
  account: AccountState | null,
  wallet: string,
  { mint, tokenProgram }: { mint: string; tokenProgram: string },
): bigint {
  if (!account || account.owner !== tokenProgram || account.data.length < TOKEN_ACCOUNT.bytes) return 0n
  const isWallets = mintOf(account) === mint && keyAt(account, TOKEN_ACCOUNT.owner) === wallet
  return isWallets ? account.data.readBigUInt64LE(TOKEN_ACCOUNT.amount) : 0n
}

/** Returns the mint of a token account. */
export function mintOf(account: AccountState): string {
  return keyAt(account, TOKEN_ACCOUNT.mint)
}

/** Requires that an account is a pool's reserve: a stake account that is not delegated. @throws 502 POOL_UNREADABLE */
export function requireReserve(reserve: AccountState | null): asserts reserve is AccountState {
  const { owner, data } = reserve ?? {}
  if (owner !== STAKE.owner || data?.length !== STAKE.bytes || data.readUInt32LE(STAKE.state) !== STAKE.initialized)
    throw unreadable('its reserve is no initialized stake account')
}

/**
 * Computes the lamports that a pool's reserve can pay out. The program retains the rent that is recorded in the account, and the chain today's rent; the larger one counts.
 *
 * @param rent of a stake account
 * @throws 502 POOL_UNREADABLE
 */
export function freeLamports(reserve: AccountState | null, rent: bigint): bigint {
  requireReserve(reserve)
  const written = reserve.data.readBigUInt64LE(STAKE.rent)
  const minimum = written > rent ? written : rent
  return reserve.lamports > minimum ? reserve.lamports - minimum : 0n
}

/** Makes the refusal for an address of the pool where the chain has something other than the settings say, or something impossible. */
export function unreadable(why: string, cause?: unknown): ServiceError {
  return badGateway('POOL_UNREADABLE', `The pool could not be read: ${why}.`, cause)
}

function keyAt({ data }: AccountState, at: number): string {
  return new PublicKey(data.subarray(at, at + 32)).toBase58()
}
