import { membersOf, type PushClient, type PushListener, reasonOf } from '@svc/sandbox'
import type { CommittedTx, Node } from '../node.ts'
import { base64, type Json, resultJson } from './json.ts'
import { allMethods } from './methods.ts'
import { internal, RpcError, readParams } from './protocol.ts'
import { matcher } from './search.ts'
import { answerTo, failure } from './server.ts'

/** Conditions that one client may have, clients that may have some, and bytes of a condition. CometBFT's defaults (0.38, config.go and rpc/core/events.go; read 2026-11-30). */
const [maxSubscriptions, maxClients, maxQuery] = [5, 100, 512]

interface Subscription {
  readonly id: unknown
  readonly matches: (tx: CommittedTx) => boolean
}

/**
 * Makes the listener that serves CometBFT's WebSocket: every method of the node, and subscriptions to transactions, which are pushed with their block, whether or not the node has an index. Of the
 * language of conditions it takes `tm.event='Tx'` and those of a search; whatever else there is to subscribe to is refused.
 *
 * @param node pushes; undefined until the chain has a genesis
 * @see https://github.com/cometbft/cometbft/blob/v0.38.x/rpc/core/events.go (read 2026-11-30)
 */
export function pushOf({ node: current }: { node: () => Node | undefined }): PushListener {
  const clients = new Map<PushClient, ReadonlyMap<string, Subscription>>()
  return (path, client) => {
    const node = current()
    if (path !== '/websocket' || node === undefined) return null
    const methods = allMethods(node)
    const subscriptions = new Map<string, Subscription>()
    const end = new AbortController()
    const stop = node.follow((txs) => {
      for (const tx of txs)
        for (const [query, { id, matches }] of subscriptions)
          if (matches(tx)) client.send(JSON.stringify({ jsonrpc: '2.0', id, result: eventJson(query, tx) }))
    })
    const subscribing: Readonly<Record<string, (id: unknown, params: unknown) => void>> = {
      subscribe(id, params) {
        const query = readParams({ query: 'text' }, params).text('query')
        const others = [...clients].filter(([each, { size }]) => each !== client && size > 0).length
        if (others >= maxClients) throw internal(`max_subscription_clients ${maxClients} reached`)
        if (subscriptions.size >= maxSubscriptions) throw internal(`max_subscriptions_per_client ${maxSubscriptions} reached`)
        if (Buffer.byteLength(query) > maxQuery) throw internal('maximum query length exceeded')
        if (subscriptions.has(query)) throw internal('already subscribed')
        subscriptions.set(query, { id, matches: ofTransactions(query) })
      },
      unsubscribe(_id, params) {
        if (!subscriptions.delete(readParams({ query: 'text' }, params).text('query'))) throw internal('subscription not found')
      },
      unsubscribe_all() {
        if (subscriptions.size === 0) throw internal('subscription not found')
        subscriptions.clear()
      },
    }
    clients.set(client, subscriptions)

    async function answer(message: string): Promise<Json | undefined> {
      let call: unknown
      try {
        call = JSON.parse(message)
      } catch (error) {
        return failure(undefined, new RpcError(-32700, 'Parse error. Invalid JSON', `error unmarshaling request: ${reasonOf(error)}`))
      }
      const { id, method, params } = membersOf(call)
      const change = typeof method === 'string' && Object.hasOwn(subscribing, method) ? subscribing[method] : undefined
      if (change === undefined || id === undefined || id === null)
        return answerTo(methods, call, end.signal).catch((error: unknown) => failure(id, internal(reasonOf(error))))
      try {
        change(id, params)
        return { jsonrpc: '2.0', id, result: {} }
      } catch (error) {
        return failure(id, error)
      }
    }

    return {
      text(message) {
        void answer(message).then((reply) => reply && client.send(JSON.stringify(reply)))
      },
      closed() {
        stop()
        end.abort()
        clients.delete(client)
      },
    }
  }
}

/** Parses a condition for events of transactions. @throws RpcError for one of other events */
function ofTransactions(query: string): Subscription['matches'] {
  const [, rest] = /^\s*tm\.event\s*=\s*'Tx'\s*(?:AND\s+(.+))?$/s.exec(query) ?? []
  if (!/^\s*tm\.event\s*=\s*'Tx'/.test(query)) throw internal(`failed to parse query: the sandbox pushes transactions alone: tm.event='Tx'`)
  return rest === undefined ? () => true : matcher(rest)
}

/** Writes what is pushed of a transaction: the place in its block is left out where it is the first, and the events come twice, by their composite keys too. */
function eventJson(query: string, { hash, height, index, bytes, result }: CommittedTx): Json {
  const events: Record<string, string[]> = { 'tm.event': ['Tx'], 'tx.hash': [hash], 'tx.height': [String(height)] }
  for (const { type, attributes } of result.events)
    for (const { key, value } of attributes) events[`${type}.${key}`] = [...(events[`${type}.${key}`] ?? []), value]
  const place = index === 0 ? {} : { index }
  const value = { TxResult: { height: String(height), ...place, tx: base64(bytes), result: resultJson(result) } }
  return { query, data: { type: 'tendermint/event/Tx', value }, events }
}
