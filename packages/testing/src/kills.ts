import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { verifyWebhook } from '@svc/client/webhooks'
import { createMetrics, createWebhooks, openStore, parseConfig, type Webhooks } from '@svc/core'

/** Where the state is: a folder, or a database. */
export interface KillsPlace {
  readonly dataDir: string
  readonly databaseUrl: string
}

export interface KillsOptions {
  readonly place: KillsPlace
  /** Processes that run at once. */
  readonly replicas: number
  /** How many of them are killed, each in the midst of a delivery. */
  readonly kills: number
  /** Least that are written, by the processes that are killed. */
  readonly events: number
  /** Told where it stands, after each kill and while the rest is delivered. */
  readonly onProgress?: (standing: KillsStanding) => void
}

/** Where a run stands. */
export interface KillsStanding {
  /** Processes that were killed. */
  readonly killed: number
  /** Events that were written, and messages that arrived. */
  readonly written: number
  readonly messages: number
  /** Deliveries that wait; null: more processes are killed first. */
  readonly waiting: number | null
}

/** What came of it. */
export interface KillsReport {
  /** Events that are in the list, and those of them that never arrived. */
  readonly events: number
  readonly lost: number
  /** Events of which a process said that they were written, and that are not in the list. */
  readonly unwritten: number
  /** Messages that arrived: those that came again, and those of them that no kill explains, within the lease in which it happened. */
  readonly messages: number
  readonly duplicates: number
  readonly unexplained: number
  /** Messages of no event, with another body, or whose signature does not hold. */
  readonly forged: number
  readonly seconds: number
}

export const ACCOUNT = 'acme'
export const PEPPERS = ['a pepper for processes that are killed'] as const
export const TIMEOUT_MS = 800
export const LEASE_MS = 1_600
/** By then every delivery is due that a few kills have put off. */
const LATER_MS = 3_600_000
/** Longest that a receiver takes to answer. */
const ANSWER_MS = 15
/** Longest that is waited for the first message of a life, and for another one. */
const START_MS = 30_000
const PAUSE_MS = 1_000
/** How soon what is due is waited for before the clock is set forward, and how often it is looked at. */
const DUE_SOON_MS = 6_000
const LOOK_MS = 250
/** For so long nothing may arrive while something waits. */
const STALLED_MS = 120_000
/** What the receiver's clock and the moment of a kill may be apart. */
const SLACK_MS = 400
/** What is kept of what a replica complained of. */
const COMPLAINT_LENGTH = 2_000

const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

/** The config of a replica. */
export function configOf() {
  return { plugins: {}, accounts: { [ACCOUNT]: { name: 'Acme' } }, webhooks: { allow_private: true, backlog: 100_000 } }
}

/** A pause in which others have their turn. */
export const turn = () => sleep(2)

interface Arrival {
  readonly id: string
  readonly body: string
  readonly at: number
  readonly valid: boolean
}

/** Kills processes that write events and deliver them, again and again, and compares what arrived with what happened. */
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
    arrivals.push({ id: String(request.headers['webhook-id']), body: body.toString('utf8'), at: Date.now(), valid })
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
  const made = await desk.create(ACCOUNT, { ...subscription, rewardsThreshold: null }, async () => {})
  keys = [made.secret]

  const told = new Set<string>()
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
    createInterface(child.stdout).on('line', (id) => told.add(id))
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
    const share = () => Math.ceil((events - told.size) / replicas)
    for (let index = 0; index < replicas; index++) children.push(launch(share()))
    for (let killed = 0; killed < kills; killed++) {
      // Somewhere in what is left, so that there is always something under way; at the moment of an arrival, which is not answered yet.
      const wanted = arrivals.length + 1 + Math.floor((Math.random() * 2 * events) / kills)
      while (arrivals.length < wanted) {
        gone.signal.throwIfAborted()
        // The first of a life come when it has started; later there may be none for a while, where kills have put off what is left.
        const patience = arrivals.some(({ at }) => at > (deaths.at(-1) ?? 0)) ? PAUSE_MS : START_MS
        const heard = await Promise.race([once(hears, 'arrival').then(() => true), sleep(patience, false, { ref: false })])
        if (!heard) break
      }
      const index = Math.floor(Math.random() * replicas)
      const victim = children[index]
      if (victim) await kill(victim)
      children[index] = launch(Math.max(share(), Math.ceil(events / kills)))
      onProgress?.({ killed: deaths.length, written: told.size, messages: arrivals.length, waiting: null })
    }
    await drained({
      desk,
      ulid: made.webhook.ulid,
      last: async () => {
        for (const child of children.splice(0)) await kill(child)
        children.push(launch(0, LATER_MS))
      },
      gone: gone.signal,
      stands: (waiting) => {
        onProgress?.({ killed: deaths.length, written: told.size, messages: arrivals.length, waiting })
        return arrivals.length
      },
    })
    const listed = await allEvents(desk)
    return { ...judge(listed, arrivals, told, deaths), seconds: (performance.now() - began) / 1_000 }
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
  /** Is told how many deliveries wait. @returns how many messages have arrived */
  readonly stands: (waiting: number) => number
}

/** Waits until everything is delivered that is due now; then a last process has a later clock, for what the kills have put off. */
async function drained({ desk, ulid, last, gone, stands }: Draining): Promise<void> {
  const read = () => desk.read({ ulid, account: ACCOUNT })
  for (const soonMs of [DUE_SOON_MS, Infinity]) {
    let arrived = -1
    for (let since = Date.now(); ; await sleep(LOOK_MS)) {
      gone.throwIfAborted()
      const { waiting, nextAt } = await read()
      if (waiting === 0) return
      if ((nextAt?.getTime() ?? Infinity) > Date.now() + soonMs) break
      const messages = stands(waiting)
      if (messages > arrived) since = Date.now()
      arrived = messages
      if (Date.now() > since + STALLED_MS) throw new Error(`${waiting} deliveries wait, and none has arrived for ${STALLED_MS / 1_000} s`)
    }
    await last()
  }
}

async function allEvents(desk: Webhooks['desk']) {
  const found = new Map<string, string>()
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof desk.events>> = await desk.events({ account: ACCOUNT, after, limit: 1_000 })
    for (const { id, body } of page.events) found.set(id, body)
    after = page.next
  }
  return found
}

function judge(listed: ReadonlyMap<string, string>, arrivals: readonly Arrival[], told: ReadonlySet<string>, deaths: readonly number[]) {
  const times = new Map<string, number[]>()
  for (const { id, at } of arrivals) times.set(id, [...(times.get(id) ?? []), at])
  const again = [...times.values()].flatMap((each) => each.slice(0, -1))
  const explained = (at: number) => deaths.some((death) => death >= at - SLACK_MS && death <= at + LEASE_MS + SLACK_MS)
  return {
    events: listed.size,
    lost: [...listed.keys()].filter((id) => !times.has(id)).length,
    unwritten: [...told].filter((id) => !listed.has(id)).length,
    messages: arrivals.length,
    duplicates: again.length,
    unexplained: again.filter((at) => !explained(at)).length,
    forged: arrivals.filter(({ id, body, valid }) => !valid || listed.get(id) !== body).length,
  }
}
