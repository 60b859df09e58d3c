import type { Sandbox } from '@svc/sandbox'
import { ms, type Spread, spreadOf, table, timed } from './measure.ts'
import { type Craft, type Request, type Subject, subjects } from './subjects/index.ts'
import { createReplay, type Replay } from './upstream.ts'
import { createChains, createWorld, type Place, type World } from './world.ts'

const HEAD = ['request', 'waves', 'calls', 'p50 at 0 ms', 'p99 at 0 ms', 'p50 at 50 ms', 'own p50 at 50 ms']

/** Own time of every craft and read of every protocol at zero and at 50 ms of upstream delay, with waves and calls; and of decode checks. */
export async function benchCrafts(): Promise<string> {
  const { sandbox, places } = await createChains(subjects)
  try {
    const rows: (string | number)[][] = []
    const notes: string[] = []
    // One after the other: protocols may share a chain, and its time.
    for (const [index, subject] of subjects.entries()) await measure(subject, places[index]!)
    notes.push('budget of a craft at 0 ms: p50 10 ms')
    return `${table('Own time on one connection, upstream answered from memory', HEAD, rows)}\n${notes.join('\n')}`

    async function measure(subject: Subject, place: Place): Promise<void> {
      const requests = await takePosition(subject, place, sandbox)
      const replay = createReplay()
      const world = await createWorld(subject, place, { fetch: replay.fetch })
      const ask = asker(subject, world)
      for (const request of requests) rows.push([`${subject.label} ${request.name}`, ...(await row(ask, replay, request))])
      if (subject.decode) {
        const { p50, p99 } = decodeTime(subject.decode((await ask(requests[0]!)) as Craft, sandbox.wallets))
        notes.push(`decode check of ${subject.label} ${requests[0]!.name}: p50 ${ms(p50)}, p99 ${ms(p99)} (budget 1 ms)`)
      }
      await world.close()
    }
  } finally {
    await sandbox.close()
  }
}

type Ask = (request: Request) => Promise<Record<string, unknown>>

function asker({ label, prefix }: Subject, { app, apiKey }: World): Ask {
  return async ({ name, path, body }) => {
    const method = body ? 'POST' : 'GET'
    const response = await app.inject({ method, url: prefix + path, headers: { 'x-api-key': apiKey }, ...(body ? { payload: body } : {}) })
    if (response.statusCode !== 200) throw new Error(`${label} ${name}: ${response.statusCode} ${response.body}`)
    return response.json()
  }
}

async function row(ask: Ask, replay: Replay, request: Request): Promise<(string | number)[]> {
  replay.delayMs = 0
  await ask(request)
  await replay.reset()
  // Answers of no delay could end before a call beside them has begun.
  replay.delayMs = 20
  await ask(request)
  const { waves, calls } = replay.counts()
  replay.delayMs = 0
  const now = await timed(400, () => ask(request))
  replay.delayMs = 50
  const later = await timed(15, () => ask(request))
  replay.delayMs = 0
  return [waves, calls, ms(now.p50), ms(now.p99), ms(later.p50), ms(later.p50 - 50 * waves)]
}

function decodeTime(read: () => readonly unknown[]): Spread {
  const values: number[] = []
  for (let index = 0; index < 2000; index++) {
    const from = performance.now()
    const mismatches = read()
    values.push(performance.now() - from)
    if (mismatches.length > 0) throw new Error(`the decode check found ${JSON.stringify(mismatches)}`)
  }
  return spreadOf(values.slice(200))
}

/** Brings the wallets into a position on the real local chain, where every request has something to do. */
async function takePosition(subject: Subject, place: Place, { chains, controlUrl, wallets }: Sandbox): Promise<readonly Request[]> {
  const world = await createWorld(subject, place)
  const ask = asker(subject, world)
  const post = (action: string, body: object) => ask({ name: action, path: `/action/${action}`, body })
  const requests = await subject.position({
    wallets,
    get: (path) => ask({ name: path, path }),
    async act(action, body, sign) {
      const { tx_hash } = await post('broadcast', await post('prepare', await sign((await post(action, body)) as Craft)))
      await landed(subject.scenario.chain, chains[subject.scenario.chain]!.rpcUrl, tx_hash)
    },
    async advance(epochs) {
      const url = `${controlUrl}/chains/${subject.scenario.chain.replace(':', '/')}/advance`
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ epochs }) })
      if (!response.ok) throw new Error(`${subject.label}: ${await response.text()}`)
    },
  })
  await world.close()
  return requests
}

/** Waits until a transaction of an EVM chain is in a block, a moment after it was sent. The other local chains answer when it is. */
async function landed(chain: string, rpcUrl: string, hash: unknown): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] })
  for (let tries = 0; chain.startsWith('evm:') && tries < 100; tries++) {
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    if (((await response.json()) as { result?: unknown }).result) return
    await new Promise((done) => setTimeout(done, 50))
  }
}
