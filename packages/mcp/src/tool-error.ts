import type { CallToolResult } from '@modelcontextprotocol/server'
import { MismatchError, ServiceError, SvcError } from '@svc/client'
import { DecodeError, type Mismatch } from '@svc/verify'
import { Refused } from '@svc/verify/intent'
import { cleaned, SENTENCE, word } from './data.ts'

/** A refusal of this server's own; its message is a sentence that says what would be right. */
export class ToolError extends Error {
  override name = 'ToolError'
}

/** Differences that are told: one is enough not to sign. */
const MOST = 16

/** Describes an error: what it says of itself, and who says it: a text of the service is data under a name that says so. */
function told(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof ServiceError) {
    const { code, status, sentence, requestId, retryAfter } = error
    const says = { code: word(code), status, service_says: cleaned(sentence), retry_after_seconds: retryAfter, request_id: word(requestId) }
    return { by: 'service', ...says, ...sent(error) }
  }
  if (error instanceof MismatchError) {
    const differences = error.mismatches.slice(0, MOST).map((mismatch, at) => {
      const wording = error.worded[at] ?? mismatch
      const isAmount = wording.expected !== mismatch.expected || wording.found !== mismatch.found
      return { ...cleanedMismatch(mismatch), ...(isAmount ? { in_tokens: cleanedMismatch(wording) } : {}) }
    })
    return { by: 'client', kind: error.name, sentence: `${cleaned(error.what)}. The differences say where.`, differences, ...sent(error) }
  }
  if (error instanceof SvcError) return { by: 'client', kind: error.name, sentence: cleaned(error.message, SENTENCE), ...sent(error) }
  if (error instanceof ToolError) return { by: 'server', sentence: cleaned(error.message, SENTENCE) }
  if (error instanceof DecodeError || Refused.is(error)) {
    return { by: 'client', kind: error.name, sentence: 'It cannot be read; the reason says why.', reason: cleaned(error.message, SENTENCE) }
  }
  if (error instanceof DOMException && error.name === 'AbortError') return { by: 'server', sentence: 'The host has given the call up.' }
  console.error(error)
  return { by: 'server', sentence: 'A fault of this server; its log says more.' }
}

/** A difference as it is shown. */
function cleanedMismatch({ path, expected, found }: Mismatch): Mismatch {
  // What was found is of the bytes, and so in whatever words their writer chose.
  return { path: cleaned(path), expected: cleaned(expected), found: cleaned(found) }
}

/** Says what is to be done before anything else once a signed transaction has left, whatever the answer was. */
function sent({ txHash }: SvcError): Readonly<Record<string, unknown>> {
  if (txHash === null) return {}
  return {
    tx_hash: txHash,
    may_have_been_sent: true,
    next: 'Look this hash up with staking_status, and at another source than this service. Draft and sign nothing anew before it is settled.',
  }
}

/** Makes the result of a tool that was refused. It holds no bytes that anybody could sign. */
export function refused(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: told(error) }) }] }
}
