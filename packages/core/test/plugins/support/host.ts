import { declareErrors, type ErrorCodes, type Info, isServiceError, type ProtocolPlugin } from '@svc/contract'
import { type Refusals, singleEndpoint } from '@svc/contract/host'
import { desk } from '@svc/testing/paper'
import { type definePlugin, give, NO_TERMS } from '@svc/testing/paper-protocol'
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { memoryRecords } from '../../../src/plugins/network/key-store.ts'
import { registerProtocol } from '../../../src/plugins/register.ts'
import { sharedSchemas } from '../../../src/plugins/routes/schemas.ts'
import type { LifeHost, NetworkSettings, Note, Services } from '../../../src/plugins/services.ts'

export const declaration = {
  name: '@svc/plugin-paper',
  prefix: '/paper/native',
  summary: 'Papers.',
  maxFee: '1',
  actions: { give },
  balance: async () => ({
    staked: 100_000_000_000_000_000_001n,
    activating: null,
    deactivating: null,
    withdrawing: null,
    rewards: null,
    objects: null,
  }),
  info: async (): Promise<Info> => ({ ...NO_TERMS, aprPercent: 1 }),
  inspect: async () => undefined,
} satisfies Parameters<typeof definePlugin>[0]

export const one: NetworkSettings = { chainId: '1', name: 'paper one', path: 'plugins.paper.networks.1', settings: { clerk: 'p002' } }

/** The kit of the papers tells nothing of what becomes of its transactions. */
export const NO_LIFE: LifeHost = {
  offer: () => undefined,
  status: () => Promise.reject(new Error('not asked')),
  track: () => Promise.reject(new Error('not asked')),
  ended: async () => null,
}

/** Makers of refusals with any code. */
export const refusals = declareErrors({}) as unknown as Refusals<ErrorCodes>

/** A bare Fastify with services of one network. */
export async function host(
  plugin: ProtocolPlugin,
  networks: readonly NetworkSettings[] = [one],
  fetch = desk(),
  services: Partial<Services> = {},
) {
  const app: FastifyInstance = Fastify()
  const notes: Note[] = []
  const sealed: [status: number, text: string][] = []
  for (const schema of sharedSchemas) app.addSchema(schema)
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.setErrorHandler((error, _request, reply) => {
    const status = isServiceError(error) ? error.statusCode : 500
    const tx_hash = isServiceError(error) ? error.txHash : undefined
    return reply.code(status).send({ code: isServiceError(error) ? error.code : 'FAULT', error: (error as Error).message, tx_hash })
  })
  await app.register(async (scope) =>
    registerProtocol(plugin.protocol, scope, {
      networks,
      network: () => networks[0]!,
      sends: () => 'known',
      craftedFor: async () => [],
      enabled: () => networks.map((network, index) => ({ network, isDefault: index === 0 })),
      upstream: () => singleEndpoint(fetch),
      endpoints: () => [singleEndpoint(fetch)],
      pendingControl: () => [],
      life: NO_LIFE,
      hasEndpoints: (_chainId, group) => group === 'index',
      records: memoryRecords(),
      watchPrice: () => async () => null,
      now: () => new Date(0),
      seal: (_request, status, text) => void sealed.push([status, text]),
      note: (_request, note) => void notes.push(note),
      intend: async (_request, note) => void notes.push({ intended: note } as Note),
      ...services,
    }),
  )
  await app.ready()
  return { app, notes, sealed, fetch }
}

/** A route schema for reads of a test. */
export const anyResponse = { summary: 'A read', response: { 200: Type.Object({}) } }
