import { defineMemo, type ServiceError } from '@svc/contract'
import { type AccountState, readAccounts } from '@svc/kit-svm'
import { unavailable } from '../codes.ts'
import { type LiquidContext, type Pool, poolOf } from '../network.ts'
import { epochOf, requireReserve, tokensOf, unreadable } from './accounts.ts'
import { type PoolRecord, readPool } from './pool.ts'
import { flawOf } from './pool-bounds.ts'

/** Address of the pool's reserve by its last record, as a hint and never as a fact. */
const lastReserve = defineMemo<string>()

/** @see https://docs.rs/solana-sdk-ids/latest/solana_sdk_ids/sysvar/clock/index.html (read 2026-11-21) */
export const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
/** Seconds after which a retry makes sense: pools are brought up to date in the first minutes of an epoch. */
const UPDATE_SECONDS = 60

/** The pool and other accounts of one state of the chain. */
export interface PoolState {
  readonly record: PoolRecord
  /** Epoch of the chain. */
  readonly epoch: bigint
  /** Those asked for besides, in their order. */
  readonly others: readonly (AccountState | null)[]
  readonly reserve: AccountState | null
}

/**
 * Reads the pool in one round trip. The address of its reserve never changes, but is only in its record: when the reserve is wanted, the first read of a process takes a
 * second round trip.
 *
 * @throws 502 POOL_UNREADABLE when it is not the pool of the settings; 502, 503, 504
 */
export async function readPoolState(
  ctx: LiquidContext,
  others: readonly string[],
  wantsReserve = false,
  again = false,
): Promise<PoolState> {
  const { pool } = poolOf(ctx.network)
  const reserveAddress = wantsReserve ? lastReserve.get(ctx) : undefined
  const addresses = [pool, CLOCK, ...others, ...(reserveAddress ? [reserveAddress] : [])]
  const state = await readAccounts(ctx.client, addresses, ([account, clock, ...rest]) => {
    const record = recordOf(ctx, account ?? null)
    const reserve = rest[others.length] ?? null
    if (reserveAddress === record.reserve) requireReserve(reserve)
    const epoch = epochOf(clock ?? null)
    if (record.updatedEpoch > epoch)
      throw unreadable(`its books are those of epoch ${record.updatedEpoch}, and the chain is in epoch ${epoch}`)
    return { record, epoch, others: rest.slice(0, others.length), reserve }
  })
  const { reserve } = state.record
  lastReserve.set(ctx, reserve)
  if (!wantsReserve || reserveAddress === reserve) return state
  if (again) throw unreadable('its record names another reserve each time')
  return readPoolState(ctx, others, true, true)
}

/**
 * Returns the pool tokens in the wallet's token account, which is the first of the others.
 *
 * @throws 502 POOL_UNREADABLE where they are more than there are: in a pool without tokens nothing else would be worth anything
 */
export function heldOf({ record, others: [account = null] }: PoolState, wallet: string, own: Pool): bigint {
  const balance = tokensOf(account, wallet, own)
  if (balance > record.supply) throw unreadable(`${wallet} has ${balance} of its tokens, and there are ${record.supply}`)
  return balance
}

/** Reads the pool of the settings from its account. @throws 502 POOL_UNREADABLE */
export function recordOf(ctx: LiquidContext, account: AccountState | null): PoolRecord {
  const { pool, mint, program, tokenProgram } = poolOf(ctx.network)
  if (!account) throw unreadable(`there is no account ${pool}`)
  if (account.owner !== program) throw unreadable(`${pool} belongs to ${account.owner} and not to the stake pool program ${program}`)
  const record = decoded(() => readPool(account.data), `${pool} is no stake pool`)
  const flaw = flawOf(record)
  if (flaw !== null) throw unreadable(`${pool} cannot be believed: ${flaw}`)
  if (record.mint !== mint) throw unreadable(`${pool} has the token ${record.mint} and not ${mint}`)
  if (record.tokenProgram !== tokenProgram)
    throw unreadable(`${pool} has a token of the program ${record.tokenProgram} and not ${tokenProgram}`)
  return record
}

/**
 * Refuses a pool that is not brought up to date.
 *
 * @throws 503 POOL_UPDATING while the pool's books are those of an earlier epoch, in which it takes and pays nothing
 */
export function requireUpdated({ record, epoch }: PoolState): void {
  if (record.updatedEpoch < epoch) throw updating(record.updatedEpoch, epoch)
}

function updating(updated: bigint, epoch: bigint): ServiceError {
  return unavailable(
    'POOL_UPDATING',
    `The pool's books are those of epoch ${updated} and the chain is in epoch ${epoch}; until they are brought up to date, which takes some minutes, it takes and pays nothing.`,
    UPDATE_SECONDS,
  )
}

/** Decodes an account, and refuses one that its reader does not accept. @throws 502 POOL_UNREADABLE */
export function decoded<T>(read: () => T, what: string): T {
  try {
    return read()
  } catch (error) {
    throw unreadable(what, error)
  }
}
