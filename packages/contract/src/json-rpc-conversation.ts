import { type Conversation, EndpointError, type Feed, isEndpointError, malformedAnswer } from './endpoint.ts'
import { isServiceError } from './errors.ts'
import { isFault, unanswered } from './json-rpc-answers.ts'
import { membersOf } from './members.ts'

/** Calls of JSON-RPC over one WebSocket. */
export interface JsonRpcLine {
  /** Makes a call. @param read checks the form of the result @throws EndpointError for a refusal, and for what `read` throws */
  call<T>(method: string, params: unknown, read: (result: unknown) => T): Promise<T>
}

/** Subscription of JSON-RPC over one WebSocket. */
export interface JsonRpcSubscription extends Pick<Conversation, 'begin' | 'probe'> {
  /** Takes a message that answers no call: of what the endpoint pushes. @throws EndpointError for what no node sends */
  pushed(message: Readonly<Record<string, unknown>>): void
}

interface Waiting {
  readonly settle: (message: Readonly<Record<string, unknown>>) => void
}

/**
 * Makes the conversations of a feed whose nodes speak JSON-RPC over their WebSocket.
 *
 * @param subscribe makes the subscription of one connection; it may call only once begun
 * @param parse reads a text of the endpoint; what it throws is a fault of the endpoint
 */
export function conversationsOf(
  subscribe: (line: JsonRpcLine) => JsonRpcSubscription,
  parse: (text: string) => unknown = JSON.parse,
): Feed['open'] {
  return (send) => {
    const waiting = new Map<number, Waiting>()
    let lastId = 0
    const call: JsonRpcLine['call'] = (method, params, read) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, {
          settle({ result, error }) {
            try {
              if (isFault(error)) throw unanswered(error)
              if (result === undefined || error != null) throw malformedAnswer(error)
              resolve(read(result))
            } catch (failure) {
              reject(faultOf(failure))
            }
          },
        })
        send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      })
    const { begin, probe, pushed } = subscribe({ call })
    const take = (message: Readonly<Record<string, unknown>>) => {
      try {
        pushed(message)
      } catch (failure) {
        throw faultOf(failure)
      }
    }
    return {
      begin,
      probe,
      read(text) {
        const message = messageOf(text, parse)
        const answer = typeof message.id === 'number' ? waiting.get(message.id) : undefined
        if (answer === undefined || message.method !== undefined) return take(message)
        waiting.delete(message.id as number)
        answer.settle(message)
      },
    }
  }
}

function messageOf(text: string, parse: (text: string) => unknown): Readonly<Record<string, unknown>> {
  try {
    const message = parse(text)
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) return membersOf(message)
  } catch {
    // Neither is a message.
  }
  throw malformedAnswer()
}

/** Makes what `read` has thrown a fault of the endpoint: a conversation has no verdicts of the chain. */
function faultOf(error: unknown): EndpointError {
  if (isEndpointError(error)) return error
  return isServiceError(error) ? new EndpointError('no answer', error) : malformedAnswer(error)
}
