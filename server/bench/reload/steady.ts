import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** What callers without any patience saw. */
interface Tally {
  readonly answered: number
  /** Requests that were not answered with 200, by what became of them. */
  readonly failed: Readonly<Record<string, number>>
  /**
   * Requests that were cut on a connection that had been idle for a second, since this process did not come to ask earlier: for longer a service that stops does not
   * wait, and whoever keeps a connection for longer has that risk with every server.
   */
  readonly outwaited: number
}

interface Steady {
  /** Requests that have ended, in whatever way. */
  readonly asked: number
  /** Lets the requests under way end. */
  stop(): Promise<Tally>
}

/** Longest wait for an answer, in milliseconds: a caller that hangs is counted, and holds nothing up. */
const PATIENCE_MS = 60_000
/** For so long, in milliseconds, a service that stops waits for a last request on a connection: IDLE_MS of server/src/start/serve.ts. */
const IDLE_MS = 1_000
/** A caller thinks for so long at most between two requests, in milliseconds: without it a dozen of them are a load that nothing else on the machine gets past. */
const THINK_MS = 30

/**
 * Asks on and on, and asks nothing again: some callers on a connection of their own that they keep, others with a new connection for each request.
 */
export function askSteadily(
  url: string,
  headers: Readonly<Record<string, string>>,
  { kept, fresh }: { readonly kept: number; readonly fresh: number },
): Steady {
  const failed: Record<string, number> = {}
  let answers = 0
  let requests = 0
  let outwaited = 0
  let isOver = false

  /** @param since when the connection became idle */
  async function call(agent: Agent | false, since = Number.POSITIVE_INFINITY): Promise<void> {
    const outcome = await once(url, headers, agent)
    requests++
    if (outcome === '200') answers++
    else if (outcome === 'ECONNRESET' && performance.now() - since >= IDLE_MS) outwaited++
    else failed[outcome] = (failed[outcome] ?? 0) + 1
  }
  async function keep(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let since: number | undefined
    while (!isOver) {
      await call(agent, since)
      since = performance.now()
      await pause(Math.random() * THINK_MS)
    }
    agent.destroy()
  }
  async function renew(): Promise<void> {
    while (!isOver) {
      await call(false)
      await pause(Math.random() * THINK_MS)
    }
  }
  const callers = [...Array.from({ length: kept }, keep), ...Array.from({ length: fresh }, renew)]
  return {
    get asked() {
      return requests
    },
    async stop() {
      isOver = true
      await Promise.all(callers)
      return { answered: answers, failed, outwaited }
    },
  }
}

/** Words of `once` for a connection that was cut: before an answer, while a request was written, or within an answer. */
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'in the answer ECONNRESET'])

/**
 * Parts failures into those that a killed process explains and all others. The kernel cuts its connections: with them go the requests that it had taken, and those that come over a connection
 * which it held. A caller has one connection, and the next one leads to another process; so whatever is beyond one for each of these callers failed for another reason. Where no other
 * process serves, the port is closed with the dead one until its successor listens: connections are refused meanwhile, and those that waited to be taken when it closed are cut too.
 *
 * @param callers number of callers, each with one connection
 * @param others true where another process serves the same port
 */
export function partsOf(
  failed: Tally['failed'],
  callers: number,
  others: boolean,
): { readonly cut: number; readonly turnedAway: number; readonly otherwise: number } {
  const sum = (times: readonly number[]) => times.reduce((total, each) => total + each, 0)
  const most = others ? callers : callers * 2
  const cut = Math.min(most, sum(Object.entries(failed).flatMap(([what, times]) => (CUT.has(what) ? [times] : []))))
  const turnedAway = others ? 0 : (failed.ECONNREFUSED ?? 0)
  return { cut, turnedAway, otherwise: sum(Object.values(failed)) - cut - turnedAway }
}

/** @returns the status, or the code of what went wrong */
function once(url: string, headers: Readonly<Record<string, string>>, agent: Agent | false): Promise<string> {
  return new Promise((done) => {
    const call = request(url, { agent, headers, timeout: PATIENCE_MS }, (response) => {
      response.resume()
      response.once('end', () => done(String(response.statusCode)))
      response.once('error', (error: NodeJS.ErrnoException) => done(`in the answer ${error.code}`))
    })
    call.once('timeout', () => call.destroy(Object.assign(new Error('late'), { code: 'no answer' })))
    call.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    call.end()
  })
}
