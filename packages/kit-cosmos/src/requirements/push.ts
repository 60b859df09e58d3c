import { setDeadline } from '@svc/contract'
import type { ProbeContext } from '@svc/contract/requirements'
import { conversationsOf } from '@svc/contract/rpc'
import { WEBSOCKET } from '../staking/feed.ts'

/** Longest wait for a node to take a subscription, in milliseconds. */
const WAIT_MS = 4_000
/** Most bytes of an answer to the question whether it does. */
const MOST_BYTES = 65_536
/** Condition that no transaction meets. */
const NOTHING = "tm.event='Tx' AND tx.height=0"

/**
 * Subscribes to nothing over the node's WebSocket.
 *
 * @returns why the node takes no subscription; null where it does
 * @throws Error where that is not known: the node could not be reached, or nothing is listened to here
 */
export function pushRefusal({ upstream: { listen } }: ProbeContext): Promise<string | null> {
  return new Promise((resolve, reject) => {
    if (listen === undefined) return reject(new Error('nothing is listened to here'))
    const settle = (reason: string | null) => {
      deadline.clear()
      end()
      if (reason !== null && /^network|^timeout/.test(reason)) reject(new Error(`${WEBSOCKET}: ${reason}`))
      else resolve(reason && `${WEBSOCKET}: ${reason}`)
    }
    const deadline = setDeadline(WAIT_MS, () => settle('timeout'))
    const end = listen({
      path: WEBSOCKET,
      mostBytes: MOST_BYTES,
      open: conversationsOf(({ call }) => ({
        begin: () => call('subscribe', { query: NOTHING }, () => undefined),
        probe: async () => undefined,
        pushed() {},
      })),
      live: () => settle(null),
      deaf: settle,
    })
  })
}
