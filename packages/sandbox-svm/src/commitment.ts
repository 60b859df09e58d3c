import type { Bank } from './bank.ts'

/** Commitment of the cluster to a block. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** Votes on top of a block until it is rooted. @see agave vote-interface, MAX_LOCKOUT_HISTORY, and the vote that pushes it out (read 2026-11-22) */
const rootedAfter = 32n

/**
 * Votes of the cluster, and how far they have come. Here the votes come with the block, so that the newest one is confirmed, and are withheld
 * by an operation: then new blocks are processed only, and nothing is rooted any more.
 */
export class Votes {
  readonly #bank: Bank
  #withheldFrom: bigint | undefined

  constructor(bank: Bank) {
    this.#bank = bank
  }

  get on(): boolean {
    return this.#withheldFrom === undefined
  }

  set on(on: boolean) {
    this.#withheldFrom = on ? undefined : (this.#withheldFrom ?? this.#bank.slot)
  }

  /** Newest slot of a commitment. */
  slot(commitment: Commitment): bigint {
    const voted = this.#withheldFrom ?? this.#bank.slot
    if (commitment === 'processed') return this.#bank.slot
    return commitment === 'confirmed' ? voted : voted - rootedAfter
  }

  /** Height of that block: here no slot is skipped. */
  height(commitment: Commitment): bigint {
    return this.#bank.height - (this.#bank.slot - this.slot(commitment))
  }

  /** Returns the commitment of a block that there is. */
  of(slot: bigint): Commitment {
    if (slot <= this.slot('finalized')) return 'finalized'
    return slot <= this.slot('confirmed') ? 'confirmed' : 'processed'
  }
}
