import { badGateway, unavailable } from './codes.ts'
import { EndpointError, malformedAnswer } from './endpoint.ts'

/** Longest name of a chain that is repeated to a caller: it is the node's word. */
const MOST_NAME = 50

/**
 * Refuses a node that serves another chain, since its nonces, balances and rates are those of that chain.
 *
 * @param servedChain the chain's name as the node says it, in the words of `chainId`
 * @throws EndpointError
 */
export function requireChain(servedChain: string, chainId: string): void {
  if (servedChain === chainId) return
  const sentence = `The node serves the chain ${servedChain.slice(0, MOST_NAME)} instead of ${chainId}; the operator has to mend that.`
  throw new EndpointError('other chain', badGateway('UPSTREAM_OTHER_CHAIN', sentence))
}

/**
 * Refuses a node that lies behind its chain, since an old state looks like the present one.
 *
 * @param head time of its last block
 * @param mostSeconds how old it may be; 0 for no limit
 * @throws EndpointError, for a time that is none too
 */
export function requireRecent(head: Date, mostSeconds: number, now: Date): void {
  const age = (now.getTime() - head.getTime()) / 1000
  if (Number.isNaN(age)) throw malformedAnswer(head)
  if (mostSeconds > 0 && age > mostSeconds) throw nodeStands(head, now, mostSeconds)
}

/** Makes the error of a node that has not caught up with its chain. @param cause what it said, for the log */
export function nodeBehind(cause?: unknown): EndpointError {
  const sentence = "The chain's node has not caught up with its chain; try again in a minute."
  return new EndpointError('behind', unavailable('UPSTREAM_BEHIND', sentence, 60, cause))
}

/**
 * Makes the fault of a node whose last block is old: it no longer follows its chain, the chain stands still, or the clock here is wrong, and one node cannot tell
 * which.
 */
function nodeStands(head: Date, now: Date, mostSeconds: number): EndpointError {
  const age = (now.getTime() - head.getTime()) / 1000
  const sentence = `The last block that the chain's node has is of ${head.toISOString()}, and so ${Math.floor(age)} seconds old by this service's clock, which says ${now.toISOString()}; at most ${mostSeconds} are allowed: the node has fallen behind, or the chain stands still, or this clock is ahead. Try again in a minute.`
  return new EndpointError('behind', unavailable('UPSTREAM_BEHIND', sentence, 60, { age }))
}

/** Makes the error of a node that takes no more calls at present. @param cause what it said, for the log */
export function nodeBusy(cause?: unknown): EndpointError {
  const sentence = "The chain's node is overloaded; try again in a few seconds."
  return new EndpointError('busy', unavailable('UPSTREAM_BUSY', sentence, 5, cause))
}

/**
 * Limits reached, in the words of node software and of hosts of all families.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1474 (limit exceeded, read 2026-11-22)
 * @see https://solana.com/docs/references/clusters (rate limits, read 2026-11-21)
 */
const BUSY =
  /rate.?limit|too many requests|requests?.limit|limit (?:exceeded|reached)|quota|overloaded|over capacity|capacity exceeded|try again/i

/** Tells whether a node's words say that it is busy, which is no verdict of the chain. */
export function saysBusy(words: string): boolean {
  return BUSY.test(words)
}
