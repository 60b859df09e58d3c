import { type ServiceError, unavailable } from '@svc/contract'
import { type AccountState, readAccounts } from '@svc/kit-svm'
import { epochOf, unreadable } from './accounts.ts'
import { type LiquidContext, poolOf } from './network.ts'
import { type PoolRecord, readPool } from './record.ts'

/** @see https://docs.rs/solana-sdk-ids/latest/solana_sdk_ids/sysvar/clock/index.html (read 2026-11-21) */
const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
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
 * The pool in one round trip. Where its reserve is never changes, but only its record says it: the first read of a process takes a second
 * round trip when the reserve is wanted.
 *
 * @throws 502 POOL_UNREADABLE when it is not the pool of the settings; 502, 503, 504
 */
export async function readPoolState(ctx: LiquidContext, others: readonly string[], wantsReserve = false): Promise<PoolState> {
  const { pool } = poolOf(ctx.network)
  const known = wantsReserve ? (ctx.memo.get('reserve') as string | undefined) : undefined
  const [account, clock, ...rest] = await readAccounts(ctx.client, [pool, CLOCK, ...others, ...(known ? [known] : [])])
  const record = recordOf(ctx, account ?? null)
  ctx.memo.set('reserve', record.reserve)
  if (wantsReserve && known !== record.reserve) return readPoolState(ctx, others, true)
  return { record, epoch: epochOf(clock ?? null), others: rest.slice(0, others.length), reserve: rest[others.length] ?? null }
}

/** @throws 502 POOL_UNREADABLE */
export function recordOf(ctx: LiquidContext, account: AccountState | null): PoolRecord {
  const { pool, mint, program, tokenProgram } = poolOf(ctx.network)
  if (!account) throw unreadable(`there is no account ${pool}`)
  if (account.owner !== program) throw unreadable(`${pool} belongs to ${account.owner} and not to the stake pool program ${program}`)
  const record = decoded(() => readPool(account.data), `${pool} is no stake pool`)
  if (record.mint !== mint) throw unreadable(`${pool} has the token ${record.mint} and not ${mint}`)
  if (record.tokenProgram !== tokenProgram)
    throw unreadable(`${pool} has a token of the program ${record.tokenProgram} and not ${tokenProgram}`)
  return record
}

/** @throws 503 POOL_UPDATING while the pool's books are those of an earlier epoch, in which it takes and pays nothing */
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

/** What the reader of an account refuses is no account of its kind. @throws 502 POOL_UNREADABLE */
export function decoded<T>(read: () => T, what: string): T {
  try {
    return read()
  } catch (error) {
    throw unreadable(what, error)
  }
}
