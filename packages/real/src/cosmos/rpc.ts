/** An answer of a node's application to a query. */
interface QueryAnswer {
  readonly code: number
  readonly log: string
  /** Height of the state that answered. */
  readonly height: bigint
  readonly value: Uint8Array
}

/** A node's JSON-RPC, asked directly and believed: it is what the service is compared with. */
export interface Rpc {
  readonly url: string
  /** Calls a method. @throws RpcError where the answer is an error */
  call(method: string, params?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
  /** Asks the application. @param height 0: the latest */
  query(path: string, request: Uint8Array, height?: bigint): Promise<QueryAnswer>
  /** Latest height. */
  height(): Promise<bigint>
  /** Height of the state that the application answers from, which on a busy machine is behind the latest for a moment. */
  applied(): Promise<bigint>
}

/** An error that a node answered. */
class RpcError extends Error {}

/** Longest wait for an answer, in milliseconds: a node that hangs ends the run. */
const LIMIT_MS = 30_000

/** Opens a node's RPC. */
export function openRpc(url: string): Rpc {
  const call: Rpc['call'] = async (method, params = {}) => {
    // Ended with the call: a signal of a time of its own is kept until then, and a run makes hundreds of calls a second.
    const end = new AbortController()
    const limit = setTimeout(() => end.abort(new Error(`${url} did not answer ${method} within ${LIMIT_MS / 1_000} s`)), LIMIT_MS)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { result, error } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: end.signal,
    })
      .then((answer) => answer.json() as Promise<{ result?: Record<string, unknown>; error?: unknown }>)
      .finally(() => clearTimeout(limit))
    if (result === undefined) throw new RpcError(`${method}: ${JSON.stringify(error)}`)
    return result
  }
  return {
    url,
    call,
    async query(path, request, height = 0n) {
      const { response } = await call('abci_query', {
        path,
        data: Buffer.from(request).toString('hex'),
        height: String(height),
        prove: false,
      })
      const { code, log, value, height: at } = response as { code: number; log: string; value: string | null; height: string }
      return { code, log, height: BigInt(at), value: Buffer.from(value ?? '', 'base64') }
    },
    async applied() {
      const { response } = await call('abci_info')
      return BigInt((response as { last_block_height: string }).last_block_height)
    },
    async height() {
      const { sync_info } = await call('status')
      return BigInt((sync_info as { latest_block_height: string }).latest_block_height)
    },
  }
}
