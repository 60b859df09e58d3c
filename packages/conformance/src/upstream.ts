import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:http'

/** A call that left for an endpoint. Times are milliseconds of `performance.now()`. */
export interface UpstreamCall {
  readonly url: string
  readonly body: string
  readonly began: number
  /** Infinity while it is under way. */
  ended: number
  /** Number of the request, or of the measurement, that caused it; undefined of what a service does by itself, such as a refresh. */
  readonly cause: number | undefined
}

/** Questions that one piece of work asked of the chain. */
export interface Usage {
  /** HTTP requests to endpoints; a JSON-RPC batch is one. */
  readonly calls: number
  /** Round trips that had to follow one another: the longest chain of calls of which none began before the one before had ended. */
  readonly waves: number
}

/** Function that stands in for the network on a call; `null` lets it pass. */
export type Interference = (call: UpstreamCall, pass: () => Promise<Response>) => Promise<Response> | null

/** The `fetch` that a service under test reaches its endpoints with: it counts, and it can be made to misbehave. */
export interface Upstream {
  readonly fetch: typeof fetch
  readonly calls: readonly UpstreamCall[]
  /** Switches an interference on, in place of the one before, or off. */
  interfere(how: Interference | null): void
  /**
   * Measures what `work` and the requests that it made of services asked of the chain, and returns it with its result. What a service asks meanwhile by itself is left out. It
   * does not measure two works at once.
   */
  measure<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly usage: Usage }>
  /** Resolves when no call is under way. */
  idle(): Promise<void>
}

/**
 * While something is measured every answer is held for so many timers, one after the other, of so many milliseconds each: calls that do not wait for one another then
 * overlap, however fast a local chain is. A process that stands still meanwhile goes on with all that is due before the next of these timers, so that it loses none.
 */
const HOLD_TIMERS = 8
const HOLD_MS = 5

/** Milliseconds, at least, without a call under way until nothing more is expected: between two waves of one reading there is none for a moment. */
const QUIET_MS = 25

/** Number of the request or measurement that is the cause of what runs. */
const cause = new AsyncLocalStorage<number>()
let causes = 0

/** Numbers the requests to a service, so that each call can be attributed to its request. */
export function numberRequests(server: Server): void {
  server.prependListener('request', () => cause.enterWith(++causes))
}

/** Makes a `fetch` that reaches the endpoints, and counts its calls, from 0. */
export function createUpstream(): Upstream {
  const calls: UpstreamCall[] = []
  let interference: Interference | null = null
  let holding = 0

  const countingFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    // What is plain is passed on as it is: a request made of it and read twice costs as much as the call.
    const plain = plainBody(input, init)
    const request = plain === undefined ? new Request(input, init) : undefined
    const call = {
      url: request?.url ?? new URL(String(input)).href,
      body: plain ?? '',
      began: performance.now(),
      ended: Number.POSITIVE_INFINITY,
      cause: cause.getStore(),
    }
    calls.push(call)
    if (request?.body) call.body = await request.clone().text()
    const pass = () => (request ? fetch(request) : fetch(input, init))
    try {
      const [response] = await Promise.all([interference?.(call, pass) ?? pass(), holding > 0 ? held() : undefined])
      return response
    } finally {
      call.ended = performance.now()
    }
  }

  return {
    fetch: countingFetch,
    calls,
    interfere(how) {
      interference = how
    },
    async measure(work) {
      const first = calls.length
      const own = ++causes
      holding++
      try {
        const result = await cause.run(own, work)
        return { result, usage: usageOf(calls.slice(first).filter((call) => call.cause !== undefined && call.cause >= own)) }
      } finally {
        holding--
      }
    },
    async idle() {
      for (let quiet = 0; quiet < QUIET_MS; quiet++) {
        if (calls.some(({ ended }) => ended === Number.POSITIVE_INFINITY)) quiet = 0
        await waited(1)
      }
    },
  }
}

/** @returns the text of a body that can be told without a request; undefined of any other */
function plainBody(input: string | URL | Request, { body }: RequestInit = {}): string | undefined {
  if (input instanceof Request) return undefined
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.length).toString()
  return typeof (body ?? '') === 'string' ? String(body ?? '') : undefined
}

/** Counts calls and waves. @returns number of calls, and the longest chain of calls that followed one another */
export function usageOf(calls: readonly Pick<UpstreamCall, 'began' | 'ended'>[]): Usage {
  // The call that ends first leaves most room for the ones after it.
  const byEnd = [...calls].sort((a, b) => a.ended - b.ended)
  let waves = 0
  let last = Number.NEGATIVE_INFINITY
  for (const { began, ended } of byEnd) {
    if (began < last) continue
    waves++
    last = ended
  }
  return { calls: calls.length, waves }
}

async function held(): Promise<void> {
  for (let timer = 0; timer < HOLD_TIMERS; timer++) await waited(HOLD_MS)
}

function waited(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
