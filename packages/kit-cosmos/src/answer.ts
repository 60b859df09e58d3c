import { EndpointError, MOST_UNITS, malformedAnswer, membersOf, nodeBehind, nodeBusy, requireSent, saysBusy } from '@svc/contract'
import { type JsonRpcFault, type Lacks, unanswered } from '@svc/contract/rpc'
import { badGateway } from './codes.ts'

/** A query that the chain's application refused. */
export class QueryRefused extends Error {
  /** The application's code, of the codespace `sdk`. */
  readonly code: number
  /** In the application's words. */
  readonly log: string
  /** Of the state in which it looked. */
  readonly height: bigint
  constructor(code: number, log: string, height: bigint) {
    super(`the query was refused with code ${code}: ${log}`)
    this.name = 'QueryRefused'
    this.code = code
    this.log = log
    this.height = height
  }
}

/** One question to the chain's application. */
export interface Query<T> {
  /** Path of the query, as in gRPC: `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly path: string
  /** Bytes of the request message. */
  readonly request: Uint8Array
  /**
   * The answer message to what is wanted of it, in form and in bounds. What it throws sends the question on to the next endpoint, unless it
   * is a refusal for the caller (400).
   *
   * @param height of the state that it was read from
   */
  read(answer: Uint8Array, height: bigint): T
  /** Turns a refusal by the application into a result, where it is a verdict of the chain; it throws a 400, or `noAnswer` where it is none. */
  refused?(refusal: QueryRefused): T
  /** Tells a negative, for which every endpoint is asked: what is new is not there yet at one that is a block behind. */
  readonly lacks?: Lacks<T>
}

/** A node that has not caught up with its chain, in CometBFT's words and in the SDK's. */
const BEHIND = /catching up|is not ready|wait for (?:the )?first block/i
/** Code that gRPC's NotFound becomes. @see https://github.com/cosmos/cosmos-sdk/blob/main/baseapp/abci.go (gRPCErrorToSDKError, read 2026-11-21) */
const NOT_FOUND = 22

/** Returns a node's words from the error that it sent in place of a result. */
export function wordsOf({ message, data }: JsonRpcFault): string {
  return [message, data].filter((part) => typeof part === 'string' && part !== '').join(': ')
}

/** Makes the endpoint error for words in which a node speaks of its own state, whatever it was asked. */
export function nodeFault(words: string): EndpointError {
  if (BEHIND.test(words)) return nodeBehind(words)
  return saysBusy(words) ? nodeBusy(words) : unanswered(words)
}

/** Makes the error for an answer that a node gave and its chain would not. @param sentence for the caller: what it said, and what would be right */
export function beyond(sentence: string): EndpointError {
  return new EndpointError('malformed', badGateway('UPSTREAM_ERROR', sentence))
}

/** Reads the answer to an `abci_query`. @throws EndpointError when it is none, or speaks of the node; QueryRefused */
export function applicationAnswer(result: unknown): { readonly bytes: Uint8Array; readonly height: bigint } {
  const { code = 0, log = '', value, height } = membersOf(membersOf(result).response)
  if (!Number.isSafeInteger(code) || typeof log !== 'string' || !/^\d{1,19}$/.test(String(height))) throw malformedAnswer(result)
  if (code !== 0) {
    if (BEHIND.test(log)) throw nodeBehind(log)
    throw new QueryRefused(Number(code), log, BigInt(String(height)))
  }
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64')
  if (bytes.toString('base64') !== (value ?? '')) throw malformedAnswer(result)
  return { bytes: new Uint8Array(bytes), height: BigInt(String(height)) }
}

/** Makes the `refused` of a query that answers `none()` where the chain has nothing of that kind; any other refusal counts as no answer. */
export function orNone<T>(none: () => T): (refusal: QueryRefused) => T {
  return (refusal) => {
    if (refusal.code === NOT_FOUND) return none()
    throw unanswered(refusal)
  }
}

/** Reads an integer that the node sent as text. @throws EndpointError */
export function integer(text: string | undefined): bigint {
  if (text === undefined || !/^\d{1,78}$/.test(text)) throw malformedAnswer(text)
  return BigInt(text)
}

/**
 * Reads an amount in parts of a coin, times 10^18, in a denomination of which there can be as much as the chain's integers hold: anybody can make one up, and pay it into a
 * validator's rewards.
 *
 * @throws EndpointError
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/math/int.go (MaxBitLen 256: 78 digits, and 18 places; read 2026-11-25)
 */
export function partsOf(text: string): bigint {
  if (!/^\d{1,96}$/.test(text)) throw malformedAnswer(text)
  return BigInt(text)
}

/** Reads a share of a whole, times 10^18. @throws EndpointError */
export function share(text: string | undefined): bigint {
  const value = integer(text)
  if (value > 10n ** 18n) throw malformedAnswer(text)
  return value
}

/** Reads an amount, and checks that it is in the requested denom. @throws EndpointError */
export function amountOf(coin: { readonly denom: string; readonly amount: string } | undefined, denom: string): bigint {
  const { denom: answerDenom, amount } = requireSent(coin)
  if (answerDenom !== denom) throw malformedAnswer(coin)
  return units(integer(amount))
}

/** Checks that an amount is possible, and returns it. @throws EndpointError */
export function units(amount: bigint): bigint {
  if (amount > MOST_UNITS) throw malformedAnswer(amount)
  return amount
}

/** Last second of the year 9999, which is the last that protobuf's timestamps know. @see https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp (read 2026-11-22) */
const LAST_SECOND = 253_402_300_799n

/** Converts a time of the chain to a date. @throws EndpointError for a time that there is not */
export function timeOf({ seconds, nanos }: { readonly seconds: bigint; readonly nanos: number }): Date {
  if (seconds < 0n || seconds > LAST_SECOND || nanos < 0 || nanos >= 1e9) throw malformedAnswer({ seconds, nanos })
  return new Date(Number(seconds) * 1000 + Math.floor(nanos / 1_000_000))
}
