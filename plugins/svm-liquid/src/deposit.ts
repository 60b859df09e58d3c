import { badRequest, formatAmount } from '@svc/contract'
import { DECIMALS } from '@svc/kit-svm'
import { TOKEN_ACCOUNT_BYTES } from './accounts.ts'
import { tokenAccountOf } from './addresses.ts'
import { readPoolState, requireUpdated } from './chain.ts'
import type { DepositFacts } from './facts.ts'
import { type LiquidContext, poolOf } from './network.ts'
import { depositOf } from './price.ts'

/** Lamports that an instruction can carry: a u64. */
const MOST_LAMPORTS = (1n << 64n) - 1n

/**
 * @param amount lamports
 * @throws 400 AMOUNT_INVALID, AMOUNT_TOO_SMALL, POOL_CLOSED; 503 POOL_UPDATING; 502, 503, 504
 */
export async function readDeposit(ctx: LiquidContext, wallet: string, amount: bigint): Promise<DepositFacts> {
  const shown = formatAmount(amount, DECIMALS)
  if (amount > MOST_LAMPORTS) throw badRequest('AMOUNT_INVALID', `amount ${shown} is larger than this chain can carry.`)
  const own = poolOf(ctx.network)
  const [state, rent] = await Promise.all([
    readPoolState(ctx, [tokenAccountOf(wallet, own).toBase58()]),
    ctx.client.rent(TOKEN_ACCOUNT_BYTES),
  ])
  const { record, others } = state
  if (record.solDepositAuthority !== null)
    throw badRequest(
      'POOL_CLOSED',
      `The pool takes deposits only with a signature of ${record.solDepositAuthority}, which cannot be given here.`,
    )
  requireUpdated(state)
  if (depositOf(amount, record).user === 0n)
    throw badRequest('AMOUNT_TOO_SMALL', `amount ${shown} is so little that no pool token would come out for it.`)
  return { record, rent: others[0] ? 0n : rent }
}
