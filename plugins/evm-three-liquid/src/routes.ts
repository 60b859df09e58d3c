import { amountNumber, errorRefs, type Reads, TokenAmount } from '@svc/contract'
import { checksumAddress, EvmAddress } from '@svc/kit-evm'
import { type Static, Type } from 'typebox'
import { readPosition } from './chain/request.ts'
import { answered } from './chain/vault.ts'
import type { LiquidContext } from './network.ts'

const RedeemRequestSchema = Type.Object(
  {
    request_id: Type.Integer({ description: 'Owner request id: what `withdraw` takes.', examples: [42] }),
    assets: TokenAmount('Amount requested, in native tokens.', [50]),
    withdrawable_time: Type.Integer({
      description: "Unix time in seconds from which `withdraw` is crafted: the vault's claimable time and six hours.",
      examples: [1_797_000_000],
    }),
  },
  { title: 'RedeemRequest', description: 'An open redeem request.' },
)

/** Registers the protocol's own read: the open redeem request of an address, as a list of one item or none. */
export function routes(reads: Reads<LiquidContext>): void {
  reads.get(
    '/withdrawal/:address',
    {
      summary: 'Open redeem request',
      description: 'An address has one open request at most, so the list has one item or none.',
      params: Type.Object({ address: EvmAddress }),
      response: { 200: Type.Array(RedeemRequestSchema), ...errorRefs(400, 502, 503, 504) },
    },
    async (ctx, request): Promise<Static<typeof RedeemRequestSchema>[]> => {
      const { request: open } = await readPosition(ctx, checksumAddress(request.params.address))
      if (open?.unreadable) answered(open.unreadable)
      if (!open?.terms) return []
      const { assets, readyAt } = open.terms
      return [{ request_id: Number(open.id), assets: amountNumber(assets, 18), withdrawable_time: Number(readyAt) }]
    },
  )
}
