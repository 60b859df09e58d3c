import { type Context, errorRefs } from '@svc/contract'
import type { AnyKit, ClientOf, Protocol } from '@svc/contract/host'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type ServedNetwork, servedOf } from '../network/connect.ts'
import type { NetworkSettings, Services } from '../services.ts'
import { answerSealed } from './reads.ts'
import { networkSchema, snapshotAge } from './schemas.ts'
import { balanceToWire, infoToWire } from './wire.ts'

/** Registers the reads that every protocol has: its networks, the terms of staking, and the position of an address. */
export function registerStandardReads<K extends AnyKit, Net>(
  protocol: Protocol<K, Net>,
  app: FastifyInstance,
  services: Services,
  use: (request: FastifyRequest) => Context<ClientOf<K>, Net>,
  served: Map<NetworkSettings, ServedNetwork<ClientOf<K>, Net>>,
): void {
  const { kit } = protocol
  const upstream = errorRefs(502, 503, 504)

  app.get(
    '/networks',
    {
      schema: {
        summary: 'Networks enabled for the account',
        description: 'The `chain_id` of each is a value for X-NETWORK. The one with `is_default` is taken where X-NETWORK is left out.',
        response: { 200: Type.Array(networkSchema(protocol.networkTitle ?? 'Network')) },
      },
    },
    async (request, reply) => {
      const networks = services.enabled(request).map(({ network: { name, chainId }, isDefault }) => ({
        name,
        type: kit.type,
        chain_id: chainId,
        is_default: isDefault,
      }))
      return answerSealed(services, request, reply, networks)
    },
  )

  app.get(
    '/staking-info',
    {
      schema: {
        summary: 'Terms of staking',
        description:
          'From a snapshot that is refreshed every hour; `x-snapshot-age` says how old its oldest value is. null means that a value does not apply.',
        response: {
          200: { ...schemaRef('StakingInfo'), headers: { 'x-snapshot-age': snapshotAge } },
          400: schemaRef('Error'),
          ...upstream,
        },
      },
    },
    async (request, reply) => {
      const settings = services.network(request)
      services.note(request, { network: settings.chainId })
      const { snapshot, readPrice } = servedOf(served, settings)
      const { terms, takenAt } = await snapshot.read()
      const price = terms.tvl === null ? null : await readPrice()
      const oldest = Math.min(takenAt.getTime(), price?.at.getTime() ?? Number.POSITIVE_INFINITY)
      reply.header('x-snapshot-age', Math.max(0, Math.floor((services.now().getTime() - oldest) / 1000)))
      return answerSealed(services, request, reply, infoToWire(terms, kit.decimals, price))
    },
  )

  app.get<{ Params: { address: string } }>(
    '/staking-balance/:address',
    {
      schema: {
        summary: "An address's position",
        description:
          'Read from the chain for this request. The buckets add up to all that the address has; null means that one does not apply to the protocol.',
        params: Type.Object({ address: kit.wire.address }),
        response: { 200: schemaRef('StakingBalance'), 400: schemaRef('Error'), ...upstream },
      },
    },
    async (request, reply) => {
      const balance = await protocol.balance(use(request), kit.address(request.params.address))
      return answerSealed(services, request, reply, balanceToWire(balance, kit.decimals))
    },
  )
}
