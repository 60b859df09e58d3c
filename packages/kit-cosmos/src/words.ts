/** Longest part of a node's words that is repeated to a caller, in characters. */
const MOST = 300
/** Place in the node's source at which an error was wrapped. @example [cosmos/cosmos-sdk@v0.53.8/x/staking/keeper/delegation.go:1383] */
const SOURCE = /\s*\[[^[\]\s]+\.go:\d+\]/g
/** The status that gRPC puts before a description, once for each layer; one that it has no name for is `Code(18)`. */
const STATUS = /rpc error: code = \w+(?:\(\d+\))? desc = /g
/** Control, format and private letters, lone surrogates, and what a decoder puts in place of bytes that are no text. */
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\uFFFD]/u

/**
 * Cleans a node's words for display: without paths of its source, status of its transport, binary bytes, and a full stop at the end. The bytes of an address are cut out
 * together with the part around them.
 *
 * @param words as the node said them; some are copied from a stranger's transaction
 * @returns one line of at most 300 characters; empty where nothing readable is left
 */
export function readableWords(words: string): string {
  const text = words.replace(SOURCE, '').replace(STATUS, '')
  return (
    text
      .replace(/\s+/g, ' ')
      .split(': ')
      .filter((part) => !UNREADABLE.test(part))
      .join(': ')
      .trim()
      .replace(/[.\s:]+$/, '')
      .slice(0, MOST)
      // A letter of two halves is not cut between them.
      .replace(/[\uD800-\uDBFF]$/, '')
  )
}
