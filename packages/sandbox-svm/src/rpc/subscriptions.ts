import type { Commitment } from '../commitment.ts'
import type { SvmAccount } from '../types.ts'
import type { World } from '../world.ts'
import { encoded, filterOf } from './accounts.ts'
import { version } from './context.ts'
import { invalidParams } from './error.ts'
import type { Method } from './method.ts'
import type { Config } from './params.ts'

/** A subscription to the accounts of a program. */
interface Subscription {
  readonly id: number
  readonly program: string
  readonly commitment: Commitment
  readonly config: Config
  matches(account: SvmAccount): boolean
  send(text: string): void
  /** Slot up to which was pushed. */
  last: bigint
}

/** Accounts that were written in a block, as it has left them. */
interface BlockChanges {
  readonly slot: bigint
  readonly accounts: readonly { readonly address: string; readonly account: SvmAccount }[]
}

/** Pushes of the node about accounts that blocks have written, as soon as the cluster has voted on the block as a subscription wants it. */
export class Subscriptions {
  readonly #world: World
  readonly #all = new Map<number, Subscription>()
  #backlog: BlockChanges[] = []
  #nextId = 0

  constructor(world: World) {
    this.#world = world
    world.bank.onWritten = (addresses) => this.#note(addresses)
  }

  /**
   * Makes the methods of one connection.
   *
   * @param send pushes a text to it
   * @returns the methods, and the function that ends its subscriptions
   */
  of(send: (text: string) => void): { readonly methods: Readonly<Record<string, Method>>; end(): void } {
    const own = new Set<number>()
    return {
      methods: {
        // The only call that a node answers over its WebSocket besides subscriptions.
        getVersion: () => version,
        programSubscribe: (params) => {
          const program = params.address(0)
          const { filters, dataSlice: _ignored, ...config } = params.config(1)
          const commitment = levelOf(config)
          const last = this.#world.votes.slot(commitment)
          const id = this.#nextId++
          // A node lets the slice through and pushes all of the data.
          this.#all.set(id, { id, program, commitment, config, matches: filterOf(filters), send, last })
          own.add(id)
          return id
        },
        programUnsubscribe: (params) => {
          const id = params.count(0)
          if (!own.delete(id)) throw invalidParams('Invalid subscription id.')
          return this.#all.delete(id)
        },
      },
      end: () => {
        for (const id of own) this.#all.delete(id)
      },
    }
  }

  #note(addresses: readonly string[]): void {
    const { bank, votes } = this.#world
    if (this.#all.size === 0) {
      this.#backlog = []
      return
    }
    const accounts = addresses.flatMap((address) => {
      const account = bank.account(address)
      // One that is gone belongs to no program, so that nobody is told.
      return account === undefined ? [] : [{ address, account }]
    })
    this.#backlog.push({ slot: bank.slot, accounts })
    for (const subscription of this.#all.values()) this.#push(subscription)
    const rooted = votes.slot('finalized')
    this.#backlog = this.#backlog.filter(({ slot }) => slot > rooted)
  }

  #push(subscription: Subscription): void {
    const { id, program, config, matches, send, commitment, last } = subscription
    const level = this.#world.votes.slot(commitment)
    for (const { slot, accounts } of this.#backlog) {
      if (slot <= last || slot > level) continue
      for (const { address, account } of accounts) {
        if (account.owner !== program || !matches(account)) continue
        const value = { pubkey: address, account: encoded(account, config) }
        const result = { context: { slot: Number(slot) }, value }
        send(JSON.stringify({ jsonrpc: '2.0', method: 'programNotification', params: { result, subscription: id } }))
      }
    }
    subscription.last = level
  }
}

/** Reads the commitment of a subscription, which is `finalized` where none is given. */
function levelOf({ commitment }: Config): Commitment {
  return commitment === 'processed' || commitment === 'confirmed' ? commitment : 'finalized'
}
