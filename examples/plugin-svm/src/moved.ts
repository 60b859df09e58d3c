import type { Moved } from '@svc/contract'
import { changeOf, gainOf, type SvmReceipt } from '@svc/kit-svm'
import { OPEN, REDEEM } from './instructions.ts'
import type { VouchersContext } from './network.ts'

/** Lists what a transaction moved: lamports of the wallet, and what a voucher that was opened holds. */
export function moved({ program }: VouchersContext['network'], receipt: SvmReceipt, signer: string | null): Moved {
  const gain = gainOf(receipt, signer ?? receipt.feePayer)
  const vouchers = (tag: number) =>
    receipt.instructions
      .filter((each) => each.program === program && each.data[0] === tag)
      .flatMap(({ accounts: [voucher] }) => voucher ?? [])
  const opened = vouchers(OPEN)
  const staked = opened.reduce((sum, voucher) => sum + changeOf(receipt, voucher).after, 0n)
  const paid = vouchers(REDEEM).length > 0 && gain > 0n
  return {
    moves: [
      ...(gain < 0n ? [{ kind: 'leaves', asset: 'native', amount: -gain } as const] : []),
      ...(opened.length > 0 ? [{ kind: 'staked', asset: 'native', amount: staked } as const] : []),
      ...(paid ? [{ kind: 'arrives', asset: 'native', amount: gain } as const] : []),
    ],
    objectIds: opened,
  }
}
