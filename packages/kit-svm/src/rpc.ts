import { EndpointError, type KitIo, malformedAnswer, nodeBehind, nodeBusy, type ServiceError, saysBusy } from '@svc/contract'
import {
  createJsonRpc,
  type JsonRpcAgreement,
  type JsonRpcFault,
  type Lacks,
  type Sentinel,
  type SentinelTiming,
  unanswered,
} from '@svc/contract/rpc'
import { badGateway, unavailable } from './codes.ts'

/** Error that a node answered in place of a result, with its own code and data. */
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
  historyNotAvailable: -32_011,
  scanError: -32_012,
  blockStatusNotAvailable: -32_014,
  minContextSlotNotReached: -32_016,
  epochRewardsActive: -32_017,
  /** The next two are of JSON-RPC: https://www.jsonrpc.org/specification (read 2026-11-21). */
  methodNotFound: -32_601,
  invalidParams: -32_602,
} as const

const BEHIND: readonly number[] = [CODES.nodeUnhealthy, CODES.blockStatusNotAvailable, CODES.minContextSlotNotReached]
const UNSEARCHABLE: readonly number[] = [CODES.keyExcluded, CODES.scanError]
/** Codes with which the chain judges a transaction that is sent to it. */
const VERDICTS: readonly number[] = [CODES.preflightFailure, CODES.signatureFailure, CODES.invalidParams]
/** Methods without which a craft goes on, so that a node that lacks one does not cost it a second round trip. */
const DISPENSABLE: ReadonlySet<string> = new Set(['getRecentPrioritizationFees', 'getStakeMinimumDelegation'])
/** Methods that change the chain. @see https://solana.com/docs/rpc/http (read 2026-11-28) */
const WRITES: ReadonlySet<string> = new Set(['sendTransaction', 'requestAirdrop'])
const BUSY_CODES: readonly number[] = [429, -32_429]

/**
 * A call to the chain.
 *
 * @param read checks form and bounds of the result while another endpoint can still be asked; without it any result but null will do
 * @param lacks tells a negative, for which every endpoint is asked
 * @returns what `read` makes of the result; integers beyond what a double holds arrive there as `bigint`
 * @throws NodeError for a transaction that the chain refused; 502, 503, 504 when no endpoint gave an answer that can be used
 */
export interface Rpc {
  (method: string, params: readonly unknown[]): Promise<unknown>
  <T>(method: string, params: readonly unknown[], read: (result: unknown) => T, judged?: SentinelTiming, lacks?: Lacks<T>): Promise<T>
}

/**
 * Makes a client of Solana's JSON-RPC over the service's endpoints, with one call a request, since many nodes take no batches.
 *
 * @param sentinels what every node is asked beside all else
 * @param agreement how two of them agree
 */
export function createRpc(
  upstream: Pick<KitIo, 'exchange' | 'agreement'>,
  sentinels: readonly Sentinel[],
  agreement: JsonRpcAgreement,
): Rpc {
  const { call } = createJsonRpc(upstream, {
    ...{ batchMax: 1, sentinels: () => sentinels, refusal, parse: parseExact },
    ...{ writes: WRITES, agreement },
  })
  function rpc(method: string, params: readonly unknown[]): Promise<unknown>
  function rpc<T>(
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => T,
    judged?: SentinelTiming,
    lacks?: Lacks<T>,
  ): Promise<T>
  function rpc(
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => unknown = notNull,
    judged?: SentinelTiming,
    lacks?: Lacks<unknown>,
  ) {
    return call(method, params, read, judged, lacks)
  }
  return rpc
}

function notNull(result: unknown): unknown {
  if (result === null) throw malformedAnswer(result)
  return result
}

/** Makes the refusal for a node's answer that cannot be understood. */
export function malformed(cause?: unknown): ServiceError {
  return badGateway('UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again.", cause)
}

/** Tells the meaning of a node's error. An EndpointError is no verdict of the chain. */
function refusal(method: string, { code, message, data }: JsonRpcFault): Error {
  if (typeof code !== 'number' || typeof message !== 'string') return malformedAnswer({ code, message, data })
  const cause = new NodeError(code, message, data)
  if (BUSY_CODES.includes(code) || (code !== CODES.preflightFailure && saysBusy(message))) return nodeBusy(cause)
  if (BEHIND.includes(code)) return nodeBehind(cause)
  if (UNSEARCHABLE.includes(code))
    return new EndpointError(
      'no answer',
      unavailable('UPSTREAM_UNSEARCHABLE', "The chain's node cannot search accounts now; try again later.", 60, cause),
    )
  if (code === CODES.historyNotAvailable)
    return new EndpointError(
      'not held',
      unavailable(
        'TRANSACTION_UNSEEN',
        "The chain's node keeps no history of transactions (--enable-rpc-transaction-history), and cannot say what became of one; the operator can add an endpoint that does.",
        60,
        cause,
      ),
    )
  if (code === CODES.epochRewardsActive) return epochRewards(cause)
  if (method === 'sendTransaction' && VERDICTS.includes(code)) return cause
  if (code === CODES.methodNotFound && DISPENSABLE.has(method)) return cause
  return unanswered(cause)
}

/** The first blocks of an epoch, in which no stake account can be changed. */
function epochRewards(cause?: unknown): ServiceError {
  return unavailable(
    'EPOCH_REWARDS',
    'The chain is paying out the rewards of the last epoch, and changes no stake account meanwhile; try again in a minute.',
    60,
    cause,
  )
}

/** In every account, of no use to anybody, and an integer of 64 bits, which would make the whole text be read by the slow way. */
const RENT_EPOCH = /"rentEpoch":\d+/g

/** Reads JSON whose amounts are integers of 64 bits, which a double does not hold. @throws when the text is no JSON */
export function parseExact(json: string): unknown {
  const text = json.replace(RENT_EPOCH, '"rentEpoch":0')
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source
    return typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value
  })
}
