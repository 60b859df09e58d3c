import type { RpcClient } from '@cosmjs/tendermint-rpc'
import { badGateway, isServiceError, type KitIo, unavailable } from '@svc/contract'

type Request = Parameters<RpcClient['execute']>[0]
type Success = Awaited<ReturnType<RpcClient['execute']>>

/** What a node answered in place of a result. Whether that is the chain's verdict or a fault depends on what was asked. */
export class NodeError extends Error {
  constructor(text: string) {
    super(text)
    this.name = 'NodeError'
  }
}

/** Busy, limits reached: worth another try in a moment. */
const BUSY = /rate.?limit|too many requests|limit exceeded|quota|overloaded/i
/** A node that has not caught up with its chain, in CometBFT's words and in the SDK's. */
export const BEHIND = /catching up|is not ready|wait for (?:the )?first block/i

interface Waiting {
  readonly request: Request
  resolve(answer: Success): void
  reject(reason: unknown): void
}

/**
 * JSON-RPC over the service's `fetch`. Calls that start together travel in one batch; endpoints that refuse batches are noticed once and
 * then asked call by call.
 *
 * @param batchMax most calls of one batch
 */
export function createRpc({ fetch: send }: KitIo, batchMax: number): RpcClient {
  let queue: Waiting[] = []
  let lastId = 0
  let batches = batchMax > 1

  return {
    execute: (request) =>
      new Promise((resolve, reject) => {
        // Its own ids, since those of two callers may be alike.
        queue.push({ request: { ...request, id: ++lastId }, resolve, reject })
        if (queue.length === 1) queueMicrotask(flush)
      }),
    disconnect: () => undefined,
  }

  function flush(): void {
    const waiting = queue
    queue = []
    const size = batches ? batchMax : 1
    for (let at = 0; at < waiting.length; at += size) void travel(waiting.slice(at, at + size))
  }

  async function travel(calls: readonly Waiting[]): Promise<void> {
    try {
      const [first] = calls
      if (calls.length === 1) {
        settle(first!, await post(first!.request))
        return
      }
      const answer = await post(calls.map(({ request }) => request))
      if (Array.isArray(answer)) {
        const byId = new Map(answer.map((each) => [(each as { id?: unknown } | null)?.id, each]))
        for (const call of calls) settle(call, byId.get(call.request.id))
      } else if ((answer as { error?: unknown } | null)?.error) {
        // The batch as a whole was refused; if its calls are answered one by one, it was because it is one.
        const answers = await Promise.all(calls.map(({ request }) => post(request)))
        if (answers.every((each) => (each as { result?: unknown } | null)?.result)) batches = false
        for (const [index, call] of calls.entries()) settle(call, answers[index])
      } else throw malformed(answer)
    } catch (error) {
      for (const call of calls) call.reject(error)
    }
  }

  async function post(body: unknown): Promise<unknown> {
    try {
      const response = await send('http://upstream.invalid/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return await response.json()
    } catch (error) {
      throw isServiceError(error) ? error : malformed(error)
    }
  }
}

/** The chain's node answered what cannot be understood. */
export function malformed(cause?: unknown) {
  return badGateway('UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again.", cause)
}

/** The node says that it has not caught up with its chain. */
export function behind(cause?: unknown) {
  return unavailable('UPSTREAM_BEHIND', "The chain's node has not caught up with its chain; try again in a minute.", 60, cause)
}

function settle({ request, resolve, reject }: Waiting, answer: unknown): void {
  const { id, result, error } = (answer ?? {}) as { id?: unknown; result?: unknown; error?: { message?: unknown; data?: unknown } }
  if (error !== undefined && error !== null) reject(refusalOf(error))
  else if (id !== request.id || typeof result !== 'object' || result === null) reject(malformed())
  else resolve(answer as Success)
}

function refusalOf({ message, data }: { message?: unknown; data?: unknown }): Error {
  const text = [message, data].filter((part) => typeof part === 'string' && part !== '').join(': ')
  if (BEHIND.test(text)) return behind(text)
  if (BUSY.test(text)) return unavailable('UPSTREAM_BUSY', "The chain's node is overloaded; try again in a few seconds.", 5, text)
  return new NodeError(text)
}
