import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorBody } from '../http/errors.ts'
import { signRaw } from '../signature/refusals.ts'
import type { Signer } from '../signature/signer.ts'

/** `pipelined`: too many on one connection, which is closed; `busy`: too many in all. */
export type Refusal = 'pipelined' | 'busy'

/** Seconds after which a caller may try again: answers take milliseconds, upstreams a few seconds at most. */
const RETRY_AFTER = '1'

const BODIES = {
  pipelined: errorBody(
    503,
    'CONNECTION_OVERLOADED',
    'Too many requests were sent on this connection before their answers were read; it is closed, and what came after them is not done.',
  ),
  busy: errorBody(503, 'OVERLOADED', 'More requests are under way than this service takes at once; see Retry-After.'),
} as const

/** Makes the writer of the gate's refusals, which bypasses the framework: a fixed text, with the one cheap signature that binds it to the request. */
export function refuser(signer: Signer): (why: Refusal, request: IncomingMessage, response: ServerResponse) => void {
  return (why, request, response) => {
    const { body, headers } = signRaw(signer, BODIES[why], request)
    const end = why === 'pipelined' ? { connection: 'close' } : {}
    response.writeHead(503, { ...headers, ...end, 'retry-after': RETRY_AFTER })
    response.end(body)
  }
}
