import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts } from '@svc/testing/free-ports'

/** Call of JSON-RPC, as a service sends it. */
export interface RpcCall {
  readonly id: unknown
  readonly method: string
  readonly params: unknown
}

/** Way that requests take from now on. */
export interface Way {
  /** Address of the node to which they are passed on. */
  readonly to: string
  /** Answers a call in place of the node, by the member `result` or `error` of JSON-RPC; null passes it on. */
  readonly instead?: (call: RpcCall) => Readonly<Record<string, unknown>> | null
}

/** Request that has passed a gate. */
interface Visit {
  /** Milliseconds of the process's clock. */
  readonly began: number
  /** The same; infinite while the answer is awaited. */
  ended: number
  /** Methods that it called. */
  readonly methods: readonly string[]
  readonly body: string
}

/** Address of an endpoint behind which nodes can be exchanged, as behind that of a provider. */
export interface Gate {
  readonly url: string
  /** Requests since the beginning, in the order in which they came. */
  readonly visits: readonly Visit[]
  /** Sends what comes from now on another way. */
  open(way: Way): void
  close(): Promise<void>
}

/** Milliseconds that an answer takes which no node gives. */
const OWN_MS = 20

/** Opens a gate on the loopback. A node that does not answer cuts the connection, as it would without a gate. */
export async function openGate(first: Way): Promise<Gate> {
  const [port = 0] = await freePorts(1)
  const visits: Visit[] = []
  let way = first
  const server = createServer((request, response) => {
    // A connection that was cut has nobody to be told.
    void passed(request, response).catch(() => response.destroy())
  })

  async function passed(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { to, instead } = way
    const body = await textOf(request)
    const parsed: unknown = JSON.parse(body)
    const calls = [parsed].flat() as readonly RpcCall[]
    const visit: Visit = { began: performance.now(), ended: Number.POSITIVE_INFINITY, methods: calls.map(({ method }) => method), body }
    visits.push(visit)
    const own = calls.map((call) => instead?.(call) ?? null)
    const left = calls.filter((_, index) => own[index] === null)
    const form = left.length === calls.length ? body : JSON.stringify(Array.isArray(parsed) ? left : left[0])
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: form }
    const answer = left.length === 0 ? null : await passedOn(to, init).finally(() => (visit.ended = performance.now()))
    if (answer === null) {
      // As long as a way to a node, so that what travels together is seen to.
      await wait(OWN_MS)
      visit.ended = performance.now()
    }
    const text = answer?.text ?? '[]'
    const reply =
      left.length === calls.length ? text : JSON.stringify(together(calls, own, [JSON.parse(text)].flat(), Array.isArray(parsed)))
    response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' }).end(reply)
  }

  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${port}`,
    visits,
    open(next) {
      way = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Counts the round trips that followed one another: the call that ends first leaves most room for those after it. */
export function wavesOf(visits: readonly Visit[]): number {
  let waves = 0
  let last = Number.NEGATIVE_INFINITY
  for (const { began, ended } of visits.toSorted((a, b) => a.ended - b.ended)) {
    if (began < last) continue
    waves++
    last = ended
  }
  return waves
}

async function passedOn(url: string, init: RequestInit): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url, init)
  return { status: answer.status, text: await answer.text() }
}

function together(
  calls: readonly RpcCall[],
  own: readonly (Readonly<Record<string, unknown>> | null)[],
  answers: readonly unknown[],
  isBatch: boolean,
): unknown {
  const waiting = [...answers]
  const all = calls.map(({ id }, index) => (own[index] ? { jsonrpc: '2.0', id, ...own[index] } : waiting.shift()))
  return isBatch ? all : all[0]
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
