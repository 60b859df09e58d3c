import type { AddressInfo } from 'node:net'
import { createJudge, type Fault, unbound } from './judge.ts'
import { createRandom } from './random.ts'
import { type FuzzRequest, requestsOf } from './requests.ts'
import { brokenBytes, createClient, type FuzzReply, Hang, sendBytes } from './wire.ts'
import { createFuzzWorld, type Upstream } from './world.ts'

interface FuzzOptions {
  readonly count: number
  readonly seed: number
  /** Connections at a time. */
  readonly connections: number
  readonly upstream: Upstream
}

interface FuzzReport {
  /** Answers by status. */
  readonly statuses: Readonly<Record<number, number>>
  /** Operations of the document that were asked and answered with something else than 404. */
  readonly routes: number
  readonly faults: Readonly<Record<Fault, number>>
  /** The first few things that are wrong, to look at. */
  readonly samples: readonly string[]
  readonly seconds: number
}

/** One in so many requests is broken, and sent on a connection of its own. */
const BROKEN = 10
const SAMPLES = 20

/** Sends requests that a seed decides over all routes of the service with all nine protocols, and judges every answer. */
export async function fuzz({ count, seed, connections, upstream }: FuzzOptions): Promise<FuzzReport> {
  const random = createRandom(seed)
  // Chance of its own: how often chains are asked depends on time, which requests are made must not.
  const world = await createFuzzWorld(createRandom(seed + 1), upstream)
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = world.app.server.address() as AddressInfo
  const client = createClient(port, connections)
  const judge = createJudge(world.signer.publicKeyPem)
  const keys = world.signer.responses.keys.map(({ jwk }) => jwk)
  const next = requestsOf(world, random)
  const statuses: Record<number, number> = {}
  const routes = new Set<string>()
  const faults: Record<Fault, number> = {
    ours: 0,
    unsigned: 0,
    'not bound': 0,
    'no request id': 0,
    'not the error body': 0,
    hang: 0,
    'no answer': 0,
  }
  const samples: string[] = []
  let left = count

  const note = (fault: Fault, what: string) => {
    faults[fault]++
    if (samples.length < SAMPLES) samples.push(`${fault}: ${what}`)
  }
  const judged = (reply: FuzzReply, what: string) => {
    statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
    for (const fault of judge(reply)) note(fault, `${what} → ${reply.status} ${reply.body.subarray(0, 200)}`)
  }
  const one = async (request: FuzzRequest) => {
    const what = `${request.method} ${request.path.slice(0, 100)} ${String(request.body ?? '').slice(0, 200)}`
    try {
      if (random.oneIn(BROKEN)) {
        const bytes = brokenBytes(random, request)
        for (const reply of await sendBytes(port, bytes)) judged(reply, JSON.stringify(bytes.subarray(0, 300).toString('latin1')))
        return
      }
      const sentAt = new Date()
      const reply = await client.send(request)
      judged(reply, what)
      const reason = await unbound(request, reply, sentAt, keys)
      if (reason !== undefined) note('not bound', `${what} → ${reply.status} ${reason}`)
      if (reply.status !== 404) routes.add(`${request.method} ${request.route}`)
      if (reply.status === 201) world.ulids.push(JSON.parse(String(reply.body)).ulid)
    } catch (error) {
      note(error instanceof Hang ? 'hang' : 'no answer', `${what} ${error}`)
    }
  }
  const began = performance.now()
  const worker = async () => {
    while (left-- > 0) await one(next())
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - began) / 1000
  client.close()
  await world.close()
  return { statuses, routes: routes.size, faults, samples, seconds }
}
