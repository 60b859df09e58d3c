/**
 * Most blocks that a blockhash may be old.
 *
 * @see solana-clock, MAX_PROCESSING_AGE (read 2026-11-21)
 */
const maxAge = 150n

/** The hashes of the latest blocks, by which transactions show that they are recent. */
export class Blockhashes {
  readonly #heights = new Map<string, bigint>()
  #latest = ''

  get latest(): string {
    return this.#latest
  }

  /** Remembers the hash of a block that is done. */
  register(hash: string, height: bigint): void {
    this.#heights.set(hash, height)
    this.#latest = hash
    for (const [old, at] of this.#heights) {
      if (height - at <= maxAge) break
      this.#heights.delete(old)
    }
  }

  /** The last block height at which a transaction with this hash may come in; undefined when the hash is too old, or none. */
  lastValidHeight(hash: string): bigint | undefined {
    const height = this.#heights.get(hash)
    return height === undefined ? undefined : height + maxAge
  }
}
