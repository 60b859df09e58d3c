import type { Failure } from './failure.ts'
import type { WireTransaction } from './message.ts'
import type { SvmAccount } from './types.ts'

/** A transaction in its block, with the accounts of its message before and after; undefined for one that there is not. */
export interface Execution {
  readonly transaction: WireTransaction
  /** Lamports. */
  readonly fee: bigint
  readonly before: readonly (SvmAccount | undefined)[]
  readonly after: readonly (SvmAccount | undefined)[]
  readonly logs: readonly string[]
  readonly units: bigint
  /** Bytes that it loaded. */
  readonly loaded: number
}

/** Result of a transaction that is in a block. */
export interface Entry {
  readonly signature: string
  readonly slot: bigint
  /** Seconds since 1970. */
  readonly time: bigint
  readonly failure: Failure | undefined
  /** Undefined for what the sandbox has done by itself. */
  readonly execution: Execution | undefined
}

/**
 * Slots for which a node remembers what became of a signature without a look into its ledger: 300 rooted ones.
 *
 * @see agave runtime, status_cache.rs, MAX_CACHE_ENTRIES (read 2026-11-22)
 */
const recentRooted = 300n

/** The node's memory of transactions: its ledger, which may be pruned, and the recent statuses, which are kept apart from it. */
export class Ledger {
  readonly #entries = new Map<string, Entry>()
  #firstSlot = 0n

  /** First slot that the ledger has. */
  get firstSlot(): bigint {
    return this.#firstSlot
  }

  get count(): number {
    return this.#entries.size
  }

  add(entry: Entry): void {
    this.#entries.set(entry.signature, entry)
  }

  /** Tells whether the chain has taken a signature, however long ago: not for a node to tell. */
  has(signature: string): boolean {
    return this.#entries.has(signature)
  }

  /** As the ledger has it. */
  find(signature: string): Entry | undefined {
    const entry = this.#entries.get(signature)
    return entry !== undefined && entry.slot >= this.#firstSlot ? entry : undefined
  }

  /** As the cache of recent statuses has it. @param rooted newest slot that is rooted */
  recent(signature: string, rooted: bigint): Entry | undefined {
    const entry = this.#entries.get(signature)
    return entry !== undefined && entry.slot > rooted - recentRooted ? entry : undefined
  }

  /** Transactions that name an address, the newest first. */
  of(address: string): readonly Entry[] {
    const mentions = [...this.#entries.values()].filter(({ slot, execution }) => {
      return slot >= this.#firstSlot && execution?.transaction.message.keys.includes(address) === true
    })
    return mentions.reverse()
  }

  /** Everything before a slot is gone from the ledger. */
  prune(slot: bigint): void {
    if (slot > this.#firstSlot) this.#firstSlot = slot
  }
}
