import type { Subject as Watched } from '@svc/contract'
import { callsOf } from '@svc/contract/host'
import type { Endpoint } from '../lies/endpoint.ts'
import { balanceProbe, broadcastProbe, craftProbe } from '../lies/requests.ts'
import { type Outcome, openTrial, type Probe } from '../lies/trial.ts'
import type { Subject } from '../subject.ts'
import { looks, type Scene } from './scene.ts'

/** Looks after which a landed transaction is told as final by whoever can tell it. */
const LOOKS = 2
/** Requests after which an endpoint should be known to be behind: the other one is asked in the background. */
const MOST_ASKED = 50

/** Outcome of a request, and what it took. */
export interface AskOutcome extends Outcome {
  /** Round trips that followed one another; 0 where they are not counted. */
  readonly waves: number
  /** Kinds of calls that it made. */
  readonly calls: ReadonlySet<string>
}

/** A request that pairs of endpoints are asked. */
export interface Ask {
  /** Start of a sentence: `the balance`. */
  readonly name: string
  /** Whether it asks where a transaction stands. */
  readonly isStatus: boolean
  readonly isCounted: boolean
  /** Tells whether the endpoint that is well answers it as it should, so that others can be compared. */
  isWhole(given: AskOutcome): boolean
  /** Asks it of these endpoints, first to last. @param known whether the service has been asked before, until it knows that the first one is behind */
  on(endpoints: readonly Endpoint[], known?: boolean): Promise<AskOutcome>
}

/** Makes every request of the scene: a craft, a balance, a broadcast, a broadcast of a landed transaction, and the question for its state. */
export function asksOf(subject: Subject, scene: Scene): readonly Ask[] {
  const { action, body, stage, unsent, followed, byHash } = scene
  const { kit } = subject
  return [
    requested(subject, scene, 'a craft', craftProbe(subject, action, body), true),
    requested(subject, scene, 'the balance', balanceProbe(subject, stage.wallet.address), true),
    requested(subject, scene, 'a broadcast', broadcastProbe(kit, unsent.body), false),
    requested(subject, scene, 'a broadcast of what has landed', broadcastProbe(kit, stage.body), false),
    looked(subject, scene, 'where a landed transaction stands that the service follows', followed),
    looked(subject, scene, 'where a landed transaction stands whose hash alone is known', byHash),
  ]
}

function requested(subject: Subject, { now, stage }: Scene, name: string, probe: Probe, isCounted: boolean): Ask {
  const warmth = balanceProbe(subject, stage.wallet.address)
  return {
    name,
    isStatus: false,
    isCounted,
    isWhole: ({ status }) => status < 500,
    async on(endpoints, known = false) {
      let isTold = false
      const counter = counting(subject, endpoints)
      const opened = openTrial(subject, counter.endpoints, now, {
        warned: (sentence) => {
          if (/is behind another one/.test(sentence)) isTold = true
        },
      })
      try {
        for (let requests = 0; known && !isTold && requests < MOST_ASKED; requests++) {
          await opened.run(warmth)
          // What is asked in the background answers whenever it does.
          await subject.upstream.idle()
        }
        return await counter.count(isCounted, () => opened.run(probe))
      } finally {
        await opened.close()
        counter.close()
      }
    },
  }
}

function looked(subject: Subject, { now }: Scene, name: string, watched: Watched): Ask {
  return {
    name,
    isStatus: true,
    isCounted: false,
    isWhole: ({ facts }) => facts.get('status') === 'final',
    async on(endpoints) {
      const counter = counting(subject, endpoints)
      try {
        return await counter.count(false, async () => {
          const { outcome } = await looks(subject, counter.endpoints, watched, now, LOOKS)
          if (outcome.look === null) return { status: outcome.status, facts: new Map(), said: outcome.said }
          const { status, finality, certainty, block, fee, moved, error, replacedBy } = outcome.look
          const place = { height: block?.height, block: block?.hash, time: block?.time?.toISOString() }
          const facts = { status, finality, certainty, ...place, fee, moves: textOf(moved), error: error?.code, replaced_by: replacedBy }
          return { status: 200, facts: new Map(Object.entries(facts).map(([path, value]) => [path, String(value)])), said: '' }
        })
      } finally {
        counter.close()
      }
    },
  }
}

/** Moves as text, with each amount. */
function textOf(moved: unknown): string {
  return JSON.stringify(moved, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

let addresses = 0

/** Counts the calls to endpoints that answer from memory, by letting each pass through the fetch that counts. Only one is open at a time. */
function counting({ upstream }: Subject, given: readonly Endpoint[]) {
  const calls = new Set<string>()
  const waiting = new Map<string, () => Promise<Response>>()
  upstream.interfere(({ url }) => waiting.get(url)?.() ?? null)
  const endpoints = given.map(
    (endpoint): Endpoint => ({
      ...endpoint,
      async fetch(request) {
        for (const call of callsOf(request.url, await request.clone().text())) calls.add(call)
        const url = `http://counted.invalid/${++addresses}`
        waiting.set(url, () => endpoint.fetch(request))
        return upstream.fetch(url)
      },
    }),
  )
  return {
    endpoints,
    async count(isCounted: boolean, work: () => Promise<Outcome>): Promise<AskOutcome> {
      calls.clear()
      if (!isCounted) return { ...(await work()), waves: 0, calls: new Set(calls) }
      const { result, usage } = await upstream.measure(work)
      return { ...result, waves: usage.waves, calls: new Set(calls) }
    },
    close: () => upstream.interfere(null),
  }
}
