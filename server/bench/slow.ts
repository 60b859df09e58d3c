import { setTimeout as wait } from 'node:timers/promises'
import { ms, spreadOf, table } from './measure.ts'
import { type Staged, stageOne } from './subjects.ts'
import { unsigned } from './unsigned.ts'
import { createReplay } from './upstream.ts'
import { createWorld } from './world.ts'

/** Requests of each kind, and callers at once. */
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 400)
const CALLERS = 4
/** What an endpoint takes that is well, from and to, in milliseconds; what it takes when it is late, and how often that is. */
const USUAL_MS = [60, 100] as const
const LATE_MS = 2000
const LATE_SHARE = 0.05
/** Most of a 99th percentile, in medians, and of calls beyond those that are needed. */
const MOST_MEDIANS = 4
const MOST_EXTRA = 0.1
/** Calls that a group of endpoints has saved up when it begins, which come on top (packages/core/src/rpc/spare.ts). */
const SAVED_UP = 20

/** How the first of two endpoints is. */
type Fault = 'well' | 'late' | 'dead' | 'black hole'

const HEAD = ['first endpoint', 'hedges', 'request', 'p50', 'p95', 'p99', 'p99 / p50', 'goal', 'calls beyond']

/**
 * Crafts and balances with two endpoints, of which the first one is late at times, refuses connections, or takes calls and answers none: what callers wait, and what is asked
 * beyond what is needed. The second one is well. Callers come through a port, each over a connection that stays open. Ends with 1 where a figure is over its goal.
 */
export async function benchSlow(): Promise<string> {
  const { sandbox, subject } = await stageOne()
  try {
    const rows: (string | number)[][] = []
    for (const [fault, hedge] of [
      ['well', true],
      ['late', false],
      ['late', true],
      ['dead', true],
      ['black hole', true],
    ] as const) {
      for (const shot of await shoot(subject, fault, hedge)) {
        const { name, times, extra } = shot
        const { p50, p95, p99 } = { ...spreadOf(times), p95: quantile(times, 0.95) }
        const within = p99 <= MOST_MEDIANS * p50 && extra <= MOST_EXTRA + SAVED_UP / REQUESTS
        // Without hedges it is what they are measured against.
        if (!within && hedge) process.exitCode = 1
        rows.push([
          fault === 'late' ? `${LATE_SHARE * 100} % ${LATE_MS} ms late` : fault,
          hedge ? 'on' : 'off',
          name,
          ...[p50, p95, p99].map(ms),
          (p99 / p50).toFixed(1),
          within ? 'within' : 'over',
          `${(extra * 100).toFixed(1)} %`,
        ])
      }
    }
    return `${table(`${REQUESTS} requests of each kind, ${CALLERS} callers, endpoints that take ${USUAL_MS.join(' to ')} ms`, HEAD, rows)}
goal: p99 at most ${MOST_MEDIANS} medians, at most ${MOST_EXTRA * 100} % of calls more, and the ${SAVED_UP} that were saved up`
  } finally {
    await sandbox.close()
  }
}

interface Shot {
  readonly name: string
  readonly times: readonly number[]
  /** Share of the calls to the one endpoint that the other one was asked for besides. */
  readonly extra: number
}

/** Both kinds of request on one service, one after the other. */
async function shoot(subject: Staged, fault: Fault, hedge: boolean): Promise<readonly Shot[]> {
  const replay = createReplay()
  const { place, stage, prefix, label } = subject
  const { rpc } = place.network.endpoints as Readonly<Record<string, readonly string[]>>
  const real = (rpc?.[0] ?? '').replace(/\/$/, '')
  const { delegate: payload } = stage.bodies
  const calls = { first: 0, second: 0 }
  let turn = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    const isFirst = address.startsWith(FIRST)
    calls[isFirst ? 'first' : 'second']++
    // Every twentieth, so that each run has as many.
    const isLate = isFirst && fault === 'late' && ++turn % Math.round(1 / LATE_SHARE) === 0
    if (isFirst && fault === 'dead') throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
    const [least, most] = USUAL_MS
    const delay = isFirst && fault === 'black hole' ? 60_000 : isLate ? LATE_MS : least + Math.random() * (most - least)
    await wait(delay, undefined, { signal: init?.signal ?? undefined, ref: false })
    return replay.fetch(real + address.slice((isFirst ? FIRST : SECOND).length), { ...init, signal: null })
  }
  const network = { ...place.network, hedge, endpoints: { rpc: [FIRST, SECOND] } }
  const world = await createWorld(subject, { ...place, network }, { fetch, signer: unsigned })
  const address = await world.app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'x-api-key': world.apiKey, 'content-type': 'application/json' }
  const kinds = [
    { name: 'delegate', path: `${prefix}/action/delegate`, method: 'POST', body: JSON.stringify(payload) },
    { name: 'staking-balance', path: `${prefix}/staking-balance/${String(payload?.address)}`, method: 'GET' },
  ]
  const shots: Shot[] = []
  try {
    for (const { name, path, ...request } of kinds) {
      const ask = async () => {
        const began = performance.now()
        const answer = await globalThis.fetch(address + path, { ...request, headers })
        const text = await answer.text()
        if (answer.status !== 200) throw new Error(`${label} ${name}: ${answer.status} ${text}`)
        return performance.now() - began
      }
      // What is remembered, and the paces of the endpoints.
      for (let time = 0; time < 50; time++) await ask()
      Object.assign(calls, { first: 0, second: 0 })
      const times: number[] = []
      let left = REQUESTS
      const caller = async () => {
        while (left-- > 0) times.push(await ask())
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
      // One of the two answers, and what the other one is asked comes on top.
      shots.push({ name, times, extra: Math.min(calls.first, calls.second) / Math.max(calls.first, calls.second) })
    }
    return shots
  } finally {
    await world.close()
  }
}

const FIRST = 'http://first.invalid'
const SECOND = 'http://second.invalid'

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? 0
}
