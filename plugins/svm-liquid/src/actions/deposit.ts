import { tokensText } from '@svc/contract'
import type { AccountState } from '@svc/kit-svm'
import { TOKEN_ACCOUNT_BYTES } from '../chain/accounts.ts'
import { tokenAccountOf } from '../chain/derived-addresses.ts'
import { obstacleOf, type PoolRecord } from '../chain/pool.ts'
import { readPoolState, requireUpdated } from '../chain/pool-state.ts'
import { depositOf } from '../chain/price.ts'
import { badRequest } from '../codes.ts'
import { type LiquidContext, type Pool, poolOf } from '../network.ts'

/** Facts from which a deposit's bytes follow. */
export interface DepositFacts {
  readonly record: PoolRecord
  /** Lamports that the wallet's token account costs beyond what is at its address; 0 when it exists. */
  readonly rent: bigint
}

/**
 * Reads the facts of a deposit, and refuses one that the pool would not take.
 *
 * @param amount lamports
 * @throws 400 AMOUNT_TOO_SMALL, POOL_CLOSED; 503 POOL_UPDATING; 502, 503, 504
 */
export async function readDeposit(ctx: LiquidContext, wallet: string, amount: bigint): Promise<DepositFacts> {
  const own = poolOf(ctx.network)
  const [state, rent] = await Promise.all([
    readPoolState(ctx, [tokenAccountOf(wallet, own).toBase58()]),
    ctx.client.rent(TOKEN_ACCOUNT_BYTES),
  ])
  const { record, others } = state
  const obstacle = obstacleOf(record)
  if (obstacle) throw badRequest('POOL_CLOSED', `The pool ${obstacle.reason}, which cannot be given here.`)
  requireUpdated(state)
  if (depositOf(amount, record).user === 0n)
    throw badRequest('AMOUNT_TOO_SMALL', `amount ${tokensText(amount, ctx.network)} is so little that no pool token would come out for it.`)
  return { record, rent: missingRent(others[0] ?? null, rent, own) }
}

/** Lamports that the token account still costs. Whoever sends some to its address before it is made pays a part of it, and makes none. */
function missingRent(account: AccountState | null, rent: bigint, { tokenProgram }: Pool): bigint {
  if (account === null) return rent
  return account.owner === tokenProgram || account.lamports >= rent ? 0n : rent - account.lamports
}
