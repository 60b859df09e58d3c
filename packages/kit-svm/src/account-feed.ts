import { malformedAnswer, membersOf } from '@svc/contract'
import type { Feed } from '@svc/contract/host'
import { conversationsOf } from '@svc/contract/rpc'
import { countOf, memberOf } from './answers.ts'
import type { SvmClient } from './client.ts'
import { type AccountSearch, type FoundAccount, foundAccount } from './program-accounts.ts'
import { parseExact } from './rpc.ts'

/** Place of a node's WebSocket, from that of its RPC: the same path, and the next port where a port is named, as web3.js has it. */
export const WEBSOCKET = { path: '/', portOffset: 1 } as const
/**
 * Most bytes of a text: of an account with the largest token account there is use for, a few hundred bytes in base64, it takes less than a tenth.
 */
const MOST_BYTES = 16_384

/** Subscription to what blocks write of the accounts of a program that pass every filter. */
export interface AccountFeed extends Pick<AccountSearch, 'program' | 'filters' | 'fits'>, Pick<Feed, 'live' | 'deaf'> {
  /** Takes an account as a confirmed block has left it, with all of its data. One that is gone from the filters, closed or delegated elsewhere, is not pushed. */
  written(account: FoundAccount): void
}

/**
 * Listens to a program's accounts, by `programSubscribe` at a node's WebSocket: at the path of its RPC, and at the next port where the address of the RPC names one, as web3.js does. The library's own client
 * of WebSockets is not used: it opens a connection of its own for an address with credentials in it, tries again each second for ever, bounds nothing, and cannot go to another endpoint.
 *
 * The parts of the data are not asked for: a validator takes the wish and pushes all of it (Agave, rpc_subscriptions.rs, `filter_program_results`; read 2026-11-30).
 *
 * @returns the function that ends it; null where the host has no means to listen
 * @see https://solana.com/docs/rpc/websocket/programsubscribe (read 2026-11-30)
 */
export function listenToAccounts(
  { listen }: Pick<SvmClient, 'listen'>,
  { program, filters, fits, written, live, deaf }: AccountFeed,
): (() => void) | null {
  if (!listen) return null
  const open = conversationsOf(({ call }) => {
    let subscription: bigint | undefined
    return {
      async begin() {
        await call('programSubscribe', [program, { encoding: 'base64', commitment: 'confirmed', filters }], (result) => {
          subscription = countOf(result)
        })
      },
      // The one cheap call that a validator answers over its WebSocket. A host that does not know it says so, which shows as much.
      async probe() {
        await call('getVersion', [], () => undefined).catch(() => undefined)
      },
      pushed: (message) => written(accountIn(message, subscription)),
    }
  }, parseExact)
  /** Reads a push of the node. @throws EndpointError for anything else */
  function accountIn({ method, params }: Readonly<Record<string, unknown>>, subscription: bigint | undefined): FoundAccount {
    try {
      const { result, subscription: number } = membersOf(params)
      if (method !== 'programNotification' || countOf(number) !== subscription) throw malformedAnswer(params)
      countOf(memberOf(memberOf(result, 'context'), 'slot'))
      return foundAccount(memberOf(result, 'value'), { program, fits })
    } catch (error) {
      throw malformedAnswer(error)
    }
  }

  return listen({ ...WEBSOCKET, mostBytes: MOST_BYTES, open, live, deaf })
}
