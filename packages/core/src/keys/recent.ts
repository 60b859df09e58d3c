/**
 * A map that forgets what was not used for long, in two generations: when the young one is full it becomes the old one, and
 * the old one is dropped. It holds at most `capacity` entries, at least the last half of them, at the cost of a plain map.
 */
export class Recent<K, V> {
  readonly #half: number
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  /** @param capacity most entries kept, at least 2 */
  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2))
  }

  /** Counts as a use. */
  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: K, value: V): void {
    this.#old.delete(key)
    if (!this.#young.has(key) && this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: K): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }
}
