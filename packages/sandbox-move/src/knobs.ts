import type { GrpcCode } from './errors.ts'

/** An answer that calls get in place of their own. */
interface ForcedStatus {
  readonly code: GrpcCode
  readonly message: string
  /** `SimulateTransaction`; every method when absent. */
  readonly method?: string
  /** Calls it still meets. */
  left: number
}

/** Faults that can be made inside the node, beside the faults of the connection. */
export class Knobs {
  /** Look-ups of a new transaction that do not find it yet. */
  lag = 0
  /** Every how many pages a listing has one that is empty and carries a token; 0 for never. */
  emptyPageEvery = 5
  /** Checkpoints that one list of events goes through; 0 for as many as there are. */
  scanLimit = 50_000
  /** True if a simulation restricts transactions to validators it names, as nodes do from protocol version 136 on. */
  restrictProposers = false
  /** True if the node keeps the index of what owners have, which a full node does only where it is told to. */
  index = true
  /** Transactions that are cancelled for congestion. */
  congested = 0
  readonly #statuses: ForcedStatus[] = []
  #pages = 0

  force(status: ForcedStatus): void {
    this.#statuses.push(status)
  }

  /** Takes back what was forced and has not been met. */
  unforce(): void {
    this.#statuses.length = 0
  }

  /** The forced answer that a call of this method meets. */
  take(method: string): ForcedStatus | undefined {
    const at = this.#statuses.findIndex((status) => status.method === undefined || status.method === method)
    const status = this.#statuses[at]
    if (status === undefined) return undefined
    status.left -= 1
    if (status.left <= 0) this.#statuses.splice(at, 1)
    return status
  }

  /** Tells whether the next transaction is cancelled for congestion. */
  takeCongestion(): boolean {
    if (this.congested === 0) return false
    this.congested -= 1
    return true
  }

  /** Tells whether the next page of a listing is an empty one; never two in a row for `every` above 1. */
  nextPageIsEmpty(): boolean {
    if (this.emptyPageEvery === 0) return false
    this.#pages += 1
    return this.#pages % this.emptyPageEvery === 0
  }
}
