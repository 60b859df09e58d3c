import { badGateway, isServiceError, type KitIo, type ServiceError, unavailable } from '@svc/contract'

/** What a node answered in place of a result, with its own code and data. */
export class NodeError extends Error {
  readonly code: number
  /** For a refused transaction `err`, `logs` and more. */
  readonly data: unknown
  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.name = 'NodeError'
    this.code = code
    this.data = data
  }
}

/** Codes of a node's own. @see https://github.com/anza-xyz/agave/blob/master/rpc-client-api/src/custom_error.rs (read 2026-11-21) */
export const CODES = {
  preflightFailure: -32_002,
  signatureFailure: -32_003,
  nodeUnhealthy: -32_005,
  keyExcluded: -32_010,
  scanError: -32_012,
  blockStatusNotAvailable: -32_014,
  minContextSlotNotReached: -32_016,
  epochRewardsActive: -32_017,
  /** The next two are of JSON-RPC: https://www.jsonrpc.org/specification (read 2026-11-21). */
  methodNotFound: -32_601,
  invalidParams: -32_602,
} as const

const BEHIND: readonly number[] = [CODES.nodeUnhealthy, CODES.blockStatusNotAvailable, CODES.minContextSlotNotReached]
/** Methods whose errors are the chain's verdict on a transaction. */
const VERDICTS: ReadonlySet<string> = new Set(['sendTransaction', 'simulateTransaction'])
const BUSY = /rate.?limit|too many requests|limit exceeded|quota|overloaded/i
const BUSY_CODES: readonly number[] = [429, -32_429]

export type Rpc = <T>(method: string, params: readonly unknown[]) => Promise<T>

/**
 * JSON-RPC over the service's `fetch`, one call a request.
 *
 * @returns a call; integers beyond what a double holds arrive as `bigint`
 * @throws NodeError from the call, for a transaction that a node refused; 502, 503, 504 for all else
 */
export function createRpc({ fetch: send }: Pick<KitIo, 'fetch'>): Rpc {
  let lastId = 0
  return async <T>(method: string, params: readonly unknown[]) => {
    const id = ++lastId
    const text = await post(send, JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return readEnvelope(method, id, text) as T
  }
}

/** Sends one call. @returns the text of the answer */
export async function post(send: KitIo['fetch'], body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  try {
    return await (await send('http://upstream.invalid/', { method: 'POST', headers, body })).text()
  } catch (error) {
    throw isServiceError(error) ? error : malformed(error)
  }
}

/** The result in the answer to a call. @throws NodeError, 502, 503 */
export function readEnvelope(method: string, id: unknown, text: string): unknown {
  const { id: answered, result, error } = (parseExact(text) ?? {}) as { id?: unknown; result?: unknown; error?: unknown }
  if (error !== undefined && error !== null) throw refusalOf(method, error)
  if (answered !== id || result === undefined) throw malformed()
  return result
}

/** The node answered what cannot be understood. */
export function malformed(cause?: unknown): ServiceError {
  return badGateway('UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again.", cause)
}

function refusalOf(method: string, error: unknown): Error {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  if (typeof code !== 'number' || typeof message !== 'string') return malformed(error)
  const cause = new NodeError(code, message, data)
  if (BUSY_CODES.includes(code) || (code !== CODES.preflightFailure && BUSY.test(message)))
    return unavailable('UPSTREAM_BUSY', "The chain's node is overloaded; try again in a few seconds.", 5, cause)
  if (BEHIND.includes(code))
    return unavailable('UPSTREAM_BEHIND', "The chain's node has not caught up with its chain; try again in a minute.", 60, cause)
  if (code === CODES.keyExcluded || code === CODES.scanError)
    return unavailable('UPSTREAM_UNSEARCHABLE', "The chain's node cannot search accounts now; try again later.", 60, cause)
  if (code === CODES.epochRewardsActive) return epochRewards(cause)
  if (VERDICTS.has(method) && code !== CODES.methodNotFound && code !== -32_603) return cause
  return badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", cause)
}

/** The first blocks of an epoch, in which no stake account can be changed. */
export function epochRewards(cause?: unknown): ServiceError {
  return unavailable(
    'EPOCH_REWARDS',
    'The chain is paying out the rewards of the last epoch, and changes no stake account meanwhile; try again in a minute.',
    60,
    cause,
  )
}

/** Amounts are integers of 64 bits, which a double does not hold. @returns undefined when the text is no JSON */
function parseExact(text: string): unknown {
  try {
    if (!/\d{16}/.test(text)) return JSON.parse(text)
    return JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) => {
      const source = context?.source
      return typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
        ? BigInt(source)
        : value
    })
  } catch {
    return undefined
  }
}
