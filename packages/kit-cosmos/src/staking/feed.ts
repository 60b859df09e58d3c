import { malformedAnswer, membersOf } from '@svc/contract'
import type { StirringFeed, StirringListener } from '@svc/contract/control'
import { conversationsOf, type JsonRpcLine, type JsonRpcSubscription, unanswered } from '@svc/contract/rpc'
import type { CosmosChain } from '../chain.ts'
import { liveNode } from '../node-status.ts'
import type { StakingContext } from './network.ts'
import { eventsOf, stirringsIn } from './stirrings.ts'

type Chain = Pick<CosmosChain, 'prefix' | 'parksRewards'>

/**
 * Interval of the search while a node pushes, in seconds: how late an act is found that the node leaves out. With the questions whether it is well, a day of a hub has a third of the calls again that it has
 * without.
 */
const SEARCH_SECONDS = 600
/** Subscriptions that one connection may have. CometBFT's default `max_subscriptions_per_client` (config.toml, 0.38; read 2026-11-30). */
const MOST_SUBSCRIPTIONS = 5
/** Most bytes of one message: a transaction has 1 MiB at most, and its events, which are told twice, may be several times that. */
const MOST_BYTES = 16 * 1024 * 1024
/** Type of what is pushed of a transaction. @see https://github.com/cometbft/cometbft/blob/v0.38.x/types/events.go (EventDataTx; read 2026-11-30) */
const TRANSACTION = 'tendermint/event/Tx'

/** Path of CometBFT's WebSocket beside its RPC. @see https://docs.cometbft.com/v0.38/core/subscription (read 2026-11-30) */
export const WEBSOCKET = '/websocket'

/**
 * Makes the subscription to what the search finds, which a node pushes with each block, whether or not it has an index. Its WebSocket takes five conditions; where the settings name more validators
 * than that, several connections are made.
 */
export function stakingFeed(chain: Chain): StirringFeed<StakingContext> {
  return {
    searchSeconds: SEARCH_SECONDS,
    listen(ctx, listener) {
      const { listen } = ctx.client
      if (listen === undefined) return null
      const groups = inGroups(eventsOf(ctx, chain))
      const live = new Set<number>()
      const ends = groups.map((events, group) =>
        listen({
          path: WEBSOCKET,
          mostBytes: MOST_BYTES,
          open: conversationsOf((line) => subscriptionOf(ctx, chain, events, listener, line)),
          // All of them, or some act is pushed by nobody.
          live() {
            live.add(group)
            if (live.size === groups.length) listener.live()
          },
          deaf(reason) {
            live.delete(group)
            listener.deaf(reason)
          },
        }),
      )
      return () => {
        for (const end of ends) end()
      }
    },
  }
}

function inGroups(events: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(events.length / MOST_SUBSCRIPTIONS)
  return Array.from({ length: count }, (_, group) => events.slice(group * MOST_SUBSCRIPTIONS, (group + 1) * MOST_SUBSCRIPTIONS))
}

/** Makes the subscription of one connection. Nothing is taken from a node that serves another chain or lies behind. */
function subscriptionOf(
  { network, now }: Pick<StakingContext, 'network' | 'now'>,
  { prefix }: Chain,
  events: readonly string[],
  listener: StirringListener,
  { call }: JsonRpcLine,
): JsonRpcSubscription {
  const queries = events.map((event) => `tm.event='Tx' AND ${event}`)
  const probe = () => call('status', {}, (result) => void liveNode(network, now).read(result))
  return {
    async begin() {
      await probe()
      await Promise.all(queries.map((query) => call('subscribe', { query }, () => undefined)))
    },
    probe,
    pushed({ result, error }) {
      // So a node ends a subscription, as of a client that it finds too slow.
      if (error !== undefined) throw unanswered(error)
      const { query, data } = membersOf(result)
      const { type, value } = membersOf(data)
      if (!queries.some((each) => each === query) || type !== TRANSACTION) throw malformedAnswer()
      const stirrings = stirringsIn(membersOf(value).TxResult, prefix)
      if (stirrings.length > 0) listener.stirred(stirrings)
    },
  }
}
