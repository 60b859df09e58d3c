import { malformedAnswer } from '@svc/contract'
import type { BookReading } from '@svc/contract/book'
import { finalMark } from '@svc/kit-evm'
import { assetsOf } from '../chain/pool.ts'
import { askRequest } from '../chain/request.ts'
import { askAll, askPool, vault } from '../chain/vault.ts'
import type { LiquidContext } from '../network.ts'

/**
 * Reads the shares of an address, their worth, and its open request, at the last final block, in three round trips.
 *
 * @throws 502 VAULT_UNREADABLE, 502, 503, 504
 */
export async function reading(ctx: LiquidContext, address: string): Promise<BookReading> {
  const { vault: to } = ctx.network
  const mark = await finalMark(ctx)
  const { shares, id } = await askAll(
    ctx,
    { shares: vault.question(to, 'balanceOf', [address]), id: vault.question(to, 'ownerRequestId', [address]) },
    { at: mark.hash },
  )
  const [worth, exit] = await Promise.all([
    worthAt(ctx, shares, mark.hash),
    id === 0n ? null : requestAt(ctx, { id, controller: address }, mark.hash),
  ])
  const amounts = { shares, worth, exit: exit ?? 0n }
  return { mark, amounts: Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0n)), keep: { request: `${id}` } }
}

/**
 * Reads the worth of shares at a block, in wei, by the vault's own answer and by its totals.
 *
 * @param hash of the block
 * @throws 502 where the two differ; 502 VAULT_UNREADABLE, 502, 503, 504
 */
export async function worthAt(ctx: LiquidContext, shares: bigint, hash: string): Promise<bigint> {
  const worthQuestion = vault.question(ctx.network.vault, 'convertToAssets', [shares])
  const { worth, ...totals } = await askAll(ctx, { worth: worthQuestion, ...askPool(ctx.network) }, { at: hash })
  if (worth !== assetsOf(shares, totals)) throw malformedAnswer({ worth, ...totals }).refusal
  return worth
}

/**
 * Reads what a request is paid, before the vault's fee, at a block, in wei.
 *
 * @param hash of the block
 * @returns null where the vault has no such request of that controller
 * @throws 502 VAULT_UNREADABLE, 502, 503, 504
 */
export async function requestAt(
  ctx: LiquidContext,
  { id, controller }: { readonly id: bigint; readonly controller: string },
  hash: string,
): Promise<bigint | null> {
  const [terms] = await askAll(ctx, [askRequest(ctx.network, id, controller)], { at: hash })
  return terms?.assets ?? null
}
