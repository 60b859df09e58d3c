import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import {
  Amount,
  type Info,
  isServiceError,
  type NetworkSettings,
  type Note,
  type ProtocolPlugin,
  protocol,
  sharedSchemas,
} from '../../src/index.ts'
import { desk, PaperAddress, paperKit, promise } from './paper.ts'

const { defineAction, definePlugin } = protocol(paperKit(), { clerk: PaperAddress })

/** Gives to the network's clerk. */
export const give = defineAction({
  summary: 'Give to the clerk',
  body: { address: PaperAddress, amount: Amount() },
  craft: (network, { address, amount }) => ({ from: address, to: network.clerk, verb: 'give', amount }),
  effects: (network, { address, amount }) => promise(address, network.clerk, 'give', amount),
})

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
  info: async (): Promise<Info> => ({ aprPercent: 1 }),
  inspect: async () => undefined,
} satisfies Parameters<typeof definePlugin>[0]

export { definePlugin }

export const one: NetworkSettings = { chainId: '1', name: 'paper one', path: 'plugins.paper.networks.1', settings: { clerk: 'p002' } }

/** A bare Fastify with services of one network. */
export async function host(plugin: ProtocolPlugin, networks: readonly NetworkSettings[] = [one], fetch = desk()) {
  const app: FastifyInstance = Fastify()
  const notes: Note[] = []
  for (const schema of sharedSchemas) app.addSchema(schema)
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.setErrorHandler((error, _request, reply) => {
    const status = isServiceError(error) ? error.statusCode : 500
    return reply.code(status).send({ code: isServiceError(error) ? error.code : 'FAULT', error: (error as Error).message })
  })
  await app.register(plugin, {
    services: {
      networks,
      network: () => networks[0]!,
      enabled: () => networks.map((network, index) => ({ network, isDefault: index === 0 })),
      fetch: () => fetch,
      hasEndpoints: (_chainId, group) => group === 'index',
      now: () => new Date(0),
      note: (_request, note) => void notes.push(note),
    },
  })
  await app.ready()
  return { app, notes, fetch }
}

/** A route schema for reads of a test. */
export const anyResponse = { summary: 'A read', response: { 200: Type.Object({}) } }
