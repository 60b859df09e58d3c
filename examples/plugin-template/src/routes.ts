import { schemaRef } from '@svc/contract'
import { EvmAddress } from '@svc/kit-evm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
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
export function routes(app: FastifyInstance, use: (request: FastifyRequest) => SavingsContext): void {
  app.get(
    '/vault',
    {
      schema: {
        summary: 'The vault',
        response: { 200: VaultSchema, 502: schemaRef('Error'), 503: schemaRef('Error'), 504: schemaRef('Error') },
      },
    },
    async (request): Promise<Static<typeof VaultSchema>> => {
      const ctx = use(request)
      const [closed] = await askAll(ctx, [askClosed(ctx.network)])
      return { address: ctx.network.vault, closed }
    },
  )
}
