/** Paths that answer by a stream that is no chain's state but all of its events: the last part of a path of gRPC. */
const STREAMED = /\/ListEvents$/

/** Questions by which nothing is learned but who has power over a position: code of a wallet, owner of its account, withdraw address, grants. */
const OF_POWERS =
  /"eth_getCode"|"eth_call","params":\[\{"data"|Query\/(DelegatorWithdrawAddress|GranterGrants)"|"getMultipleAccounts".*"dataSlice":\{"offset":0,"length":0\}/

/** Calls and sequential round trips ("waves") of what happened since the last `reset`. */
interface Counts {
  /** Without pages of streams. */
  readonly calls: number
  /** Pages of streams. */
  readonly pages: number
  readonly waves: number
  /** Requests, however many calls a batch has. */
  readonly requests: number
  /** Those of them that ask for powers alone. */
  readonly ofPowers: number
}

export interface Replay {
  readonly fetch: typeof fetch
  /** Milliseconds that every answer from memory takes. */
  delayMs: number
  counts(): Counts
  /** Waits for what is still under way, such as reads at start, and counts anew. */
  reset(): Promise<void>
  /** Forgets all answers: the chain is asked anew. */
  forget(): void
}

interface Rpc {
  readonly id: number
  readonly method: string
  readonly params: unknown
}

/**
 * A `fetch` that asks the real chain once for each JSON-RPC call and from then on answers from memory after a set delay, so that what is
 * measured is the service and not the local chain. The value sent along does not tell two calls apart, so that crafts of ever new amounts
 * are answered from memory too. As time stands still in memory, so do heights, nonces and sequences. JSON-RPC is understood, with batches
 * and without; anything else is remembered as it is.
 */
export function createReplay(): Replay {
  const memory = new Map<string, Promise<object>>()
  const wholes = new Map<string, Promise<Whole>>()
  let calls = 0
  let pages = 0
  let waves = 0
  let requests = 0
  let ofPowers = 0
  let open = 0
  const replay: Replay = {
    delayMs: 0,
    counts: () => ({ calls, pages, waves, requests, ofPowers }),
    async reset() {
      while (open > 0) await new Promise((done) => setTimeout(done, 1))
      calls = 0
      pages = 0
      waves = 0
      requests = 0
      ofPowers = 0
    },
    forget() {
      memory.clear()
      wholes.clear()
    },
    async fetch(input, init) {
      const call = await callOf(input, init)
      // A call that starts while none is under way begins a new wave.
      if (open++ === 0) waves++
      try {
        const answer = await answerTo(call)
        if (replay.delayMs > 0) await new Promise((done) => setTimeout(done, replay.delayMs))
        return answer
      } finally {
        open--
      }
    },
  }
  return replay

  async function answerTo(call: Call): Promise<Response> {
    const rpc = typeof call.body === 'string' ? (JSON.parse(call.body) as Rpc | Rpc[]) : undefined
    const batch = rpc === undefined ? [] : [rpc].flat()
    if (!batch.every(({ method }) => typeof method === 'string') || batch.length === 0) {
      if (STREAMED.test(new URL(call.url).pathname)) pages++
      else {
        calls++
        requests++
      }
      const { bytes, type } = await wholeOf(call)
      return new Response(bytes, { headers: { 'content-type': type } })
    }
    calls += batch.length
    requests++
    if (batch.every(({ method, params }) => OF_POWERS.test(JSON.stringify({ method, params })))) ofPowers++
    const answers = await Promise.all(batch.map(async (each) => ({ ...(await answerOf(call.url, each)), id: each.id })))
    return new Response(JSON.stringify(Array.isArray(rpc) ? answers : answers[0]), { headers: { 'content-type': 'application/json' } })
  }

  /** Answers a call that is no JSON-RPC, as gRPC-web or GraphQL: told apart by every byte. */
  function wholeOf({ url, headers, body }: Call): Promise<Whole> {
    return remembered(wholes, `${url} ${typeof body === 'string' ? body : Buffer.from(body).toString('base64')}`, async () => {
      const answer = await fetch(url, { method: 'POST', headers, body })
      return { bytes: Buffer.from(await answer.arrayBuffer()), type: answer.headers.get('content-type') ?? '' }
    })
  }

  function answerOf(url: string, { method, params }: Rpc): Promise<object> {
    const key = JSON.stringify([url, method, toldApart(method, params)], (name, value) => (name === 'value' ? undefined : value))
    return remembered(memory, key, async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return (await answer.json()) as object
    })
  }
}

/** Crafts differ by their amounts and fresh keys, and what they do does not: of what is simulated nothing is told apart, and of an estimate the method that is called. */
function toldApart(method: string, params: unknown): unknown {
  if (method === 'simulateTransaction') return null
  if (method === 'abci_query' && JSON.stringify(params).includes('/Simulate"')) return 'simulation'
  if (method !== 'eth_estimateGas' || !Array.isArray(params)) return params
  const [call] = params as readonly { readonly to?: string; readonly data?: string }[]
  return [call?.to, call?.data?.slice(0, 10)]
}

interface Whole {
  readonly bytes: Buffer<ArrayBuffer>
  readonly type: string
}

interface Call {
  readonly url: string
  readonly headers: Headers
  /** Text where the client passed text, which is JSON. */
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** Without a `Request` where the client passed plain text, whose making would be measured too. */
async function callOf(input: string | URL | Request, init: RequestInit = {}): Promise<Call> {
  if (typeof init.body === 'string' && !(input instanceof Request))
    return { url: String(input), headers: new Headers(init.headers), body: init.body }
  const request = new Request(input, init)
  const bytes = new Uint8Array(await request.arrayBuffer())
  const isText = /\bjson\b/.test(request.headers.get('content-type') ?? '')
  return { url: request.url, headers: request.headers, body: isText ? Buffer.from(bytes).toString() : bytes }
}

function remembered<T>(memory: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const earlier = memory.get(key)
  if (earlier) return earlier
  const answer = ask()
  memory.set(key, answer)
  return answer
}
