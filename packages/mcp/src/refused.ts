import type { CallToolResult } from '@modelcontextprotocol/server'
import { ConnectionError, ServiceError, SvcError } from '@svc/client'
import { DecodeError } from '@svc/verify'
import { Refused } from '@svc/verify/intent'
import { cleaned, SENTENCE, word } from './data.ts'

/** A refusal of this server's own; its message is a sentence that says what would be right. */
export class ToolError extends Error {
  override name = 'ToolError'
}

/** What an error says of itself, and who says it: a text of the service is data under a name that says so. */
function told(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof ServiceError) {
    const { code, status, sentence, requestId, retryAfter, txHash } = error
    const ids = { request_id: word(requestId), tx_hash: word(txHash) }
    return { by: 'service', code: word(code), status, service_says: cleaned(sentence), retry_after_seconds: retryAfter, ...ids }
  }
  if (error instanceof SvcError) {
    const hash = error instanceof ConnectionError && error.txHash !== null ? { tx_hash: word(error.txHash) } : {}
    return { by: 'client', kind: error.name, sentence: cleaned(error.message, SENTENCE), ...hash }
  }
  if (error instanceof ToolError) return { by: 'server', sentence: cleaned(error.message, SENTENCE) }
  if (error instanceof DecodeError || Refused.is(error)) {
    const { message } = error
    return { by: 'client', kind: error.name, sentence: cleaned(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`, SENTENCE) }
  }
  if (error instanceof DOMException && error.name === 'AbortError') return { by: 'server', sentence: 'The host has given the call up.' }
  console.error(error)
  return { by: 'server', sentence: 'A fault of this server; its log says more.' }
}

/** The result of a tool that was refused. It holds no bytes that anybody could sign. */
export function refused(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: told(error) }) }] }
}
