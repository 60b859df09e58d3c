import type { WireTransaction } from './message.ts'
import { signatureOf, type Transactions } from './transactions.ts'

/** Queue of transactions that a node has taken: they go into a block at once, or, while they are held, to nobody who would put them into one. */
export class Queue {
  readonly #transactions: Transactions
  #held: Map<string, WireTransaction> | undefined

  constructor(transactions: Transactions) {
    this.#transactions = transactions
  }

  get held(): readonly string[] {
    return [...(this.#held?.keys() ?? [])]
  }

  get holds(): boolean {
    return this.#held !== undefined
  }

  take(transaction: WireTransaction): void {
    if (this.#held === undefined) this.#transactions.send(transaction)
    else this.#held.set(signatureOf(transaction), transaction)
  }

  hold(): void {
    this.#held ??= new Map()
  }

  /** Each gets into a block of its own, in the order in which they came, unless it is too old by now. */
  release(): void {
    const backlog = [...(this.#held?.values() ?? [])]
    this.#held = undefined
    for (const transaction of backlog) this.#transactions.send(transaction)
  }

  /** Those that are held vanish without a trace. @returns their signatures */
  drop(): readonly string[] {
    const dropped = this.held
    this.#held?.clear()
    return dropped
  }
}
