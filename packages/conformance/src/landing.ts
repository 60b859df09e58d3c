/** Milliseconds between two looks at a local chain. */
const PAUSE_MS = 10
/** Looks after which what is waited for is given up: a minute of a process that runs. Looks are counted, so that a slow machine loses none of them. */
const LOOKS = 6_000

/** Outcome of a transaction: `landed`, what the chain says of its failure, or null while it is in no block. */
export type Outcome = 'landed' | { readonly failed: string } | null

/** Looks repeatedly until there is something to be seen. @returns null when there was nothing in so many looks */
export async function firstSeen<T>(look: () => Promise<T | null>): Promise<T | null> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const sight = await look()
    if (sight !== null) return sight
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return null
}

/**
 * Waits until a transaction is in a block.
 *
 * @throws TransactionFailed with a sentence when it failed there, or was in none in time
 */
export async function awaitLanding(hash: string, ask: () => Promise<Outcome>): Promise<void> {
  const outcome = await firstSeen(ask)
  if (outcome === null) throw new TransactionFailed(`transaction ${hash} was in no block in ${LOOKS} looks, ${PAUSE_MS} ms apart`)
  if (outcome !== 'landed') throw new TransactionFailed(`transaction ${hash} ${outcome.failed}`)
}

class TransactionFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransactionFailed'
  }
}

/** Makes a JSON-RPC call directly to a local chain, and returns its result. */
export async function callOf<Result>(url: string, method: string, params: unknown): Promise<Result | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result?: Result }).result
}
