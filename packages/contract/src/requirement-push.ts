import { setDeadline } from './deadline.ts'
import type { Feed } from './endpoint.ts'
import { conversationsOf, type JsonRpcLine } from './json-rpc-conversation.ts'
import type { ProbeContext } from './requirement.ts'

/** Longest wait for a node to take a subscription, in milliseconds. */
const WAIT_MS = 4_000
/** Most bytes of a text until then. */
const MOST_BYTES = 65_536

/**
 * Asks one endpoint for a subscription over its WebSocket.
 *
 * @param place of the WebSocket, and its `name` for the answer
 * @param subscribe makes the call that subscribes, to nothing that happens
 * @returns why the node takes no subscription; null where it does
 * @throws Error where that is not known: the node could not be reached, or nothing is listened to here
 */
export function missingPush(
  { upstream: { listen } }: Pick<ProbeContext, 'upstream'>,
  { name, ...place }: Pick<Feed, 'path' | 'portOffset'> & { readonly name: string },
  subscribe: (call: JsonRpcLine['call']) => Promise<unknown>,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    if (listen === undefined) return reject(new Error('nothing is listened to here'))
    const settle = (reason: string | null) => {
      deadline.clear()
      end()
      if (reason !== null && /^network|^timeout/.test(reason)) reject(new Error(`${name}: ${reason}`))
      else resolve(reason && `${name}: ${reason}`)
    }
    const deadline = setDeadline(WAIT_MS, () => settle('timeout'))
    const end = listen({
      ...place,
      mostBytes: MOST_BYTES,
      open: conversationsOf(({ call }) => ({
        begin: async () => void (await subscribe(call)),
        probe: async () => undefined,
        pushed() {},
      })),
      live: () => settle(null),
      deaf: settle,
    })
  })
}
