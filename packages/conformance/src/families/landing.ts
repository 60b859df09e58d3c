/** How long a transaction may take into a block of a local chain, in milliseconds. */
const LANDING_MS = 10_000

/** What came of a transaction: `landed`, what the chain says of its failure, or null while it is in no block. */
export type Outcome = 'landed' | { readonly failed: string } | null

/**
 * Waits until a transaction is in a block.
 *
 * @throws TransactionFailed with a sentence when it failed there, or was in none in time
 */
export async function awaitLanding(hash: string, ask: () => Promise<Outcome>): Promise<void> {
  const until = Date.now() + LANDING_MS
  while (Date.now() < until) {
    const outcome = await ask()
    if (outcome === 'landed') return
    if (outcome !== null) throw new TransactionFailed(`transaction ${hash} ${outcome.failed}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new TransactionFailed(`transaction ${hash} was not in a block within ${LANDING_MS} ms`)
}

class TransactionFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransactionFailed'
  }
}

/** The result of a JSON-RPC call, straight to a local chain. */
export async function callOf<Result>(url: string, method: string, params: unknown): Promise<Result | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result?: Result }).result
}
