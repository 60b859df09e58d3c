import { badGateway, isServiceError } from '@svc/contract'
import { BEHIND, behind, malformed, NodeError } from './rpc.ts'

/** A query that the chain's application refused. */
export class QueryRefused extends Error {
  /** The application's code, of the codespace `sdk`. */
  readonly code: number
  /** In the application's words. */
  readonly log: string
  constructor(code: number, log: string, cause: unknown) {
    super(`the query was refused with code ${code}: ${log}`, { cause })
    this.name = 'QueryRefused'
    this.code = code
    this.log = log
  }
}

/** What gRPC's NotFound becomes. @see https://github.com/cosmos/cosmos-sdk/blob/main/baseapp/abci.go (gRPCErrorToSDKError, read 2026-11-21) */
const NOT_FOUND = 22

/**
 * A query's answer.
 *
 * @throws QueryRefused what the application refused; 502, 503, 504 when it could not be asked or answered nonsense
 */
export async function verdict<T>(query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (error) {
    if (isServiceError(error)) throw error
    const text = error instanceof Error ? error.message : ''
    if (error instanceof NodeError) throw badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", error)
    // The form in which CosmJS's QueryClient passes a refusal on; the codespace is lost on the way.
    const refused = /^Query failed with \((\d+)\): (.*)$/s.exec(text)
    if (!refused) throw malformed(error)
    if (BEHIND.test(refused[2]!)) throw behind(error)
    throw new QueryRefused(Number(refused[1]), refused[2]!, error)
  }
}

/** A query's answer where the application has no reason to refuse. @throws 502, 503, 504 */
export async function answer<T>(query: Promise<T>): Promise<T> {
  try {
    return await verdict(query)
  } catch (error) {
    throw error instanceof QueryRefused ? badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", error) : error
  }
}

/** A query's answer; undefined when there is nothing of that kind. @throws 502, 503, 504 */
export async function answerOrNone<T>(query: Promise<T>): Promise<T | undefined> {
  try {
    return await verdict(query)
  } catch (error) {
    if (error instanceof QueryRefused && error.code === NOT_FOUND) return undefined
    throw error instanceof QueryRefused ? badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", error) : error
  }
}

/** A member that the node must have sent. @throws 502 */
export function present<T>(member: T | undefined): T {
  if (member === undefined) throw malformed()
  return member
}

/** An integer that the node sent as text. @throws 502 */
export function integer(text: string | undefined): bigint {
  if (text === undefined || !/^\d{1,78}$/.test(text)) throw malformed()
  return BigInt(text)
}
