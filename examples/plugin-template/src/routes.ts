import { errorRefs, type Reads } from '@svc/contract'
import { EvmAddress } from '@svc/kit-evm'
import { type Static, Type } from 'typebox'
import { askAll, askClosed } from './chain.ts'
import type { SavingsContext } from './network.ts'

const VaultSchema = Type.Object(
  {
    address: EvmAddress,
    closed: Type.Boolean({ description: 'True while the vault takes no deposits.', examples: [false] }),
  },
  { title: 'SavingsVault', description: 'The vault that the network names.' },
)

/** Reads of its own, besides the unified ones. */
export function routes(reads: Reads<SavingsContext>): void {
  reads.get(
    '/vault',
    {
      summary: 'The vault',
      response: { 200: VaultSchema, ...errorRefs(502, 503, 504) },
    },
    async (ctx): Promise<Static<typeof VaultSchema>> => {
      const [closed] = await askAll(ctx, [askClosed(ctx.network)])
      return { address: ctx.network.vault, closed }
    },
  )
}
