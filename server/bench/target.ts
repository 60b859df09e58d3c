// One server to shoot at, in a process of its own: `bare` or the service, for /networks or a craft, with or without signatures.

import { freshSigner } from '@svc/core'
import Fastify from 'fastify'
import { oneSubject, type Place } from './subjects.ts'
import { unsigned } from './unsigned.ts'
import { createReplay } from './upstream.ts'
import { createWorld } from './world.ts'

const subject = await oneSubject()
const [kind = '', place = '{}', bytes = ''] = process.argv.slice(2)

const { address, apiKey, networks, craft } = kind === 'bare' ? await bare() : await service()
process.on('message', () => process.send?.(process.cpuUsage()))
process.send?.({ address, apiKey, networks, craft })

async function bare() {
  const { networks, craft } = JSON.parse(bytes) as { networks: string; craft: string }
  const app = Fastify()
  const json = 'application/json; charset=utf-8'
  app.get(`${subject.prefix}/networks`, async (_request, reply) => reply.type(json).send(networks))
  app.post(`${subject.prefix}/action/delegate`, async (_request, reply) => reply.type(json).send(craft))
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), apiKey: '', networks, craft }
}

async function service() {
  const signer = kind === 'signed' ? await freshSigner() : unsigned
  const replay = createReplay()
  const { app, apiKey } = await createWorld(subject, JSON.parse(place) as Place, { fetch: replay.fetch, signer })
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), apiKey, networks: '', craft: '' }
}
