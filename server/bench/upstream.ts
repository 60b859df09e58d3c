/** Calls and sequential round trips ("waves") of what happened since the last `reset`. */
export interface Counts {
  readonly calls: number
  readonly waves: number
}

export interface Replay {
  readonly fetch: typeof fetch
  /** Milliseconds that every answer from memory takes. */
  delayMs: number
  counts(): Counts
  /** Waits for what is still under way, such as reads at start, and counts anew. */
  reset(): Promise<void>
}

interface Rpc {
  readonly id: number
  readonly method: string
  readonly params: unknown
}

/**
 * A `fetch` that asks the real chain once for each JSON-RPC call and from then on answers from memory after a set delay, so that what is
 * measured is the service and not the local chain. The value sent along does not tell two calls apart, so that crafts of ever new amounts
 * are answered from memory too. As time stands still in memory, so do heights, nonces and sequences. Works for every chain that speaks
 * JSON-RPC, with batches and without.
 */
export function createReplay(): Replay {
  const memory = new Map<string, Promise<object>>()
  let calls = 0
  let waves = 0
  let open = 0
  const replay: Replay = {
    delayMs: 0,
    counts: () => ({ calls, waves }),
    async reset() {
      while (open > 0) await new Promise((done) => setTimeout(done, 1))
      calls = 0
      waves = 0
    },
    async fetch(url, init) {
      const payload = JSON.parse(String((init as RequestInit).body)) as Rpc | Rpc[]
      const batch = [payload].flat()
      calls += batch.length
      // A call that starts while none is under way begins a new wave.
      if (open++ === 0) waves++
      try {
        const answers = await Promise.all(batch.map(async (each) => ({ ...(await answerOf(String(url), each)), id: each.id })))
        if (replay.delayMs > 0) await new Promise((done) => setTimeout(done, replay.delayMs))
        return new Response(JSON.stringify(Array.isArray(payload) ? answers : answers[0]), {
          headers: { 'content-type': 'application/json' },
        })
      } finally {
        open--
      }
    },
  }
  return replay

  function answerOf(url: string, { method, params }: Rpc): Promise<object> {
    const key = JSON.stringify([url, method, params], (name, value) => (name === 'value' ? undefined : value))
    const known = memory.get(key)
    if (known) return known
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const asked = fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
      (it) => it.json() as Promise<object>,
    )
    memory.set(key, asked)
    return asked
  }
}
