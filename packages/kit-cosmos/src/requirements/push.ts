import { missingPush, type ProbeContext } from '@svc/contract/requirements'
import { WEBSOCKET } from '../staking/feed.ts'

/** Condition that no transaction meets. */
const NOTHING = "tm.event='Tx' AND tx.height=0"

/**
 * Subscribes to nothing over the node's WebSocket.
 *
 * @returns why the node takes no subscription; null where it does
 * @throws Error where that is not known: the node could not be reached, or nothing is listened to here
 */
export function pushRefusal(ctx: ProbeContext): Promise<string | null> {
  return missingPush(ctx, { path: WEBSOCKET, name: WEBSOCKET }, (call) => call('subscribe', { query: NOTHING }, () => undefined))
}
