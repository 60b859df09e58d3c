import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { verifyWebhook } from '@svc/client/webhooks'
import { createMetrics, createWebhooks, openStore, parseConfig, type Webhooks } from '@svc/core'
import { type Arrival, type Judgement, judgeKills } from './kills-judge.ts'

/** Place of the state: a folder, or a database. */
export interface KillsPlace {
  readonly dataDir: string
  readonly databaseUrl: string
}

export interface KillsOptions {
  readonly place: KillsPlace
  /** Processes that run at once. */
  readonly replicas: number
  /** Number of processes that are killed, each in the midst of a delivery. */
  readonly kills: number
  /** Least that are written, by the processes that are killed. */
  readonly events: number
  /** Told where it stands, after each kill and while the rest is delivered. */
  readonly onProgress?: (standing: KillsStanding) => void
}

/** Progress of a run. */
export interface KillsStanding {
  /** Processes that were killed. */
  readonly killed: number
  /** Events that were written, and messages that arrived. */
  readonly written: number
  readonly messages: number
  /** Deliveries that wait; null: more processes are killed first. */
  readonly waiting: number | null
}

/**
 * What came of it: events that are in the list, and those of them that never arrived; events of which a process said that they were written, and that are not
 * in the list; messages that arrived, those that came again, those of them that follow a timeout of the sender's, and those that nothing explains; and messages of
 * no event, with another body, or whose signature does not hold.
 */
export interface KillsReport extends Judgement {
  readonly seconds: number
}

export const ACCOUNT = 'acme'
export const PEPPERS = ['a pepper for processes that are killed'] as const
/** Far above what a machine that stands still for some seconds takes: what a kill leaves leased is taken up by the last process, whose clock is later. */
export const TIMEOUT_MS = 20_000
export const LEASE_MS = 40_000
/** What a replica says when it has waited for an answer for too long. */
export const TOO_LATE = 'too late'
/** Time after which every delivery is due that a few kills have put off. */
const LATER_MS = 3_600_000
/** Longest that a receiver takes to answer. */
const ANSWER_MS = 15
/** Longest that is waited for the first message of a life, and for another one. */
const START_MS = 30_000
const PAUSE_MS = 1_000
/** Time that due deliveries are waited for before the clock is set forward, and the interval of the looks. */
const DUE_SOON_MS = 6_000
const LOOK_MS = 250
/** For so long nothing may arrive while something waits. */
const STALLED_MS = 120_000
/** Length of what is kept of a replica's complaints. */
const COMPLAINT_LENGTH = 2_000

const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

/** Makes the config of a replica. */
export function configOf() {
  return { plugins: {}, accounts: { [ACCOUNT]: { name: 'Acme' } }, webhooks: { allow_private: true, backlog: 100_000 } }
}

/** Pauses for a moment, so that others have their turn. */
export const turn = () => sleep(2)

/** Kills processes that write events and deliver them, again and again, and compares the deliveries with the events. */
export async function runKills({ place, replicas, kills, events, onProgress }: KillsOptions): Promise<KillsReport> {
  const began = performance.now()
  const store = await openStore({ ...place, log: quiet })
  const arrivals: Arrival[] = []
  let keys: readonly string[] = []
  const hears = new EventTarget()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    // By the sender's clock, since the last one's is set forward.
    const now = new Date(Number(request.headers['webhook-timestamp']) * 1_000)
    const valid = await verifyWebhook({ headers: request.headers, body, keys, now }).then(
      () => true,
      () => false,
    )
    arrivals.push({
      id: String(request.headers['webhook-id']),
      body: body.toString('utf8'),
      at: Date.now(),
      sentAt: now.getTime() / 1_000,
      valid,
    })
    hears.dispatchEvent(new Event('arrival'))
    setTimeout(() => response.end(), Math.random() * ANSWER_MS)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { desk } = createWebhooks({
    store,
    settings: parseConfig(configOf(), {}).webhooks,
    peppers: PEPPERS,
    log: quiet,
    metrics: createMetrics(),
    version: '0.0.0',
    time: store.now,
  })
  const subscription = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    description: null,
    events: null,
    protocols: null,
  }
  const webhook = await desk.create(ACCOUNT, { ...subscription, rewardsThreshold: null }, async () => {})
  keys = [webhook.secret]

  const receipts = new Set<string>()
  const timeouts: number[] = []
  const gone = new AbortController()
  let lives = 0
  const launch = (share: number, skewMs = 0): ChildProcess => {
    const child = spawn(
      process.execPath,
      [
        '--conditions=@svc/source',
        fileURLToPath(new URL('kills-child.ts', import.meta.url)),
        place.dataDir,
        place.databaseUrl,
        `life ${++lives}`,
        String(share),
        String(skewMs),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    createInterface(child.stdout).on('line', (line) => {
      if (line === TOO_LATE) timeouts.push(Date.now())
      else receipts.add(line)
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = `${complaint}${text}`.slice(-COMPLAINT_LENGTH)
    })
    // What ends by itself was not killed: it is nobody's to wait for.
    child.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL') gone.abort(new Error(`a replica ended by itself, with ${signal ?? code}: ${complaint}`))
    })
    return child
  }
  const deaths: number[] = []
  const kill = async (child: ChildProcess) => {
    gone.signal.throwIfAborted()
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    deaths.push(Date.now())
    await ended
  }
  const children: ChildProcess[] = []
  try {
    const share = () => Math.ceil((events - receipts.size) / replicas)
    for (let index = 0; index < replicas; index++) children.push(launch(share()))
    for (let killed = 0; killed < kills; killed++) {
      // Somewhere in what is left, so that there is always something under way; at the moment of an arrival, which is not answered yet.
      const target = arrivals.length + 1 + Math.floor((Math.random() * 2 * events) / kills)
      while (arrivals.length < target) {
        gone.signal.throwIfAborted()
        // The first of a life come when it has started; later there may be none for a while, where kills have put off what is left.
        const patience = arrivals.some(({ at }) => at > (deaths.at(-1) ?? 0)) ? PAUSE_MS : START_MS
        const hasArrival = await Promise.race([once(hears, 'arrival').then(() => true), sleep(patience, false, { ref: false })])
        if (!hasArrival) break
      }
      const index = Math.floor(Math.random() * replicas)
      const victim = children[index]
      if (victim) await kill(victim)
      children[index] = launch(Math.max(share(), Math.ceil(events / kills)))
      onProgress?.({ killed: deaths.length, written: receipts.size, messages: arrivals.length, waiting: null })
    }
    await drained({
      desk,
      ulid: webhook.webhook.ulid,
      last: async () => {
        for (const child of children.splice(0)) await kill(child)
        children.push(launch(0, LATER_MS))
      },
      gone: gone.signal,
      isWritten: () => receipts.size >= events,
      stands: (waiting) => {
        onProgress?.({ killed: deaths.length, written: receipts.size, messages: arrivals.length, waiting })
        return arrivals.length
      },
    })
    const records = await allEvents(desk)
    const happened = { listed: records, arrivals, told: receipts, deaths, timeouts, leaseMs: LEASE_MS, timeoutMs: TIMEOUT_MS }
    return { ...judgeKills(happened), seconds: (performance.now() - began) / 1_000 }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    server.closeAllConnections()
    server.close()
    await store.close()
  }
}

interface Draining {
  readonly desk: Webhooks['desk']
  readonly ulid: string
  /** Ends the processes, and starts one with a later clock. */
  readonly last: () => Promise<void>
  readonly gone: AbortSignal
  /** Tells whether all events are written: the last process may have just started, while nothing of the others waits. */
  readonly isWritten: () => boolean
  /** Is told how many deliveries wait. @returns how many messages have arrived */
  readonly stands: (waiting: number) => number
}

/** Waits until everything is delivered that is due now; then a last process has a later clock, for what the kills have put off. */
async function drained({ desk, ulid, last, gone, isWritten, stands }: Draining): Promise<void> {
  const read = () => desk.read({ ulid, account: ACCOUNT })
  for (const soonMs of [DUE_SOON_MS, Infinity]) {
    let arrived = -1
    // Looks are counted, so that a machine that stood still loses none of them.
    for (let still = 0; ; still++, await sleep(LOOK_MS)) {
      gone.throwIfAborted()
      const { waiting, nextAt } = await read()
      const hasAll = isWritten()
      if (waiting === 0 && hasAll) return
      if (hasAll && (nextAt?.getTime() ?? Infinity) > Date.now() + soonMs) break
      const messages = stands(waiting)
      if (messages > arrived) still = 0
      arrived = messages
      if (still * LOOK_MS > STALLED_MS) throw new Error(`${waiting} deliveries wait, and none has arrived for ${STALLED_MS / 1_000} s`)
    }
    await last()
  }
}

async function allEvents(desk: Webhooks['desk']) {
  const records = new Map<string, string>()
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof desk.events>> = await desk.events({ account: ACCOUNT, after, limit: 1_000 })
    for (const { id, body } of page.events) records.set(id, body)
    after = page.next
  }
  return records
}
