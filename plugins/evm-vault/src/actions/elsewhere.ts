import { type Elsewhere, type PositionPart, tokensText } from '@svc/contract'
import { readWith } from '../balance.ts'
import { type VaultContext, vaultsOf } from '../network.ts'

/** Lists what an address has in the operator's other vaults, where there are any. @param amountOf wei of the kind that was asked for */
export async function elsewhere(
  ctx: VaultContext,
  here: string,
  address: string,
  amountOf: (part: PositionPart) => bigint,
): Promise<readonly Elsewhere[]> {
  const others = vaultsOf(ctx.network).filter((vault) => vault !== here)
  const reads = await Promise.all(others.map((vault) => readWith(ctx, vault, address)))
  return reads.flatMap(({ part }) => {
    const amount = amountOf(part)
    return amount > 0n ? [{ validator: part.validator, text: tokensText(amount, ctx.network) }] : []
  })
}
