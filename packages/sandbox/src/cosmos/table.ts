const gone = Symbol('gone')

/**
 * Key and value, with branches: a branch sees what its parent holds, and keeps its own changes until they are written. What is
 * stored is never changed in place, so that leaving a branch undoes all of it.
 */
export class Table<V> {
  readonly #parent: Table<V> | undefined
  readonly #own = new Map<string, V | typeof gone>()

  constructor(parent?: Table<V>) {
    this.#parent = parent
  }

  get(key: string): V | undefined {
    const own = this.#own.get(key)
    if (own === gone) return undefined
    return own === undefined ? this.#parent?.get(key) : own
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  set(key: string, value: V): void {
    this.#own.set(key, value)
  }

  delete(key: string): void {
    if (this.#parent === undefined) this.#own.delete(key)
    else this.#own.set(key, gone)
  }

  /** Everything whose key begins with the prefix, in the order of keys. */
  entries(prefix = ''): [key: string, value: V][] {
    const all = new Map<string, V>()
    this.#collect(prefix, all)
    return [...all].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** Gives the changes to the parent. */
  write(): void {
    for (const [key, value] of this.#own) {
      if (value === gone) this.#parent?.delete(key)
      else this.#parent?.set(key, value as V)
    }
    this.#own.clear()
  }

  #collect(prefix: string, into: Map<string, V>): void {
    if (this.#parent !== undefined) this.#parent.#collect(prefix, into)
    for (const [key, value] of this.#own) {
      if (!key.startsWith(prefix)) continue
      if (value === gone) into.delete(key)
      else into.set(key, value as V)
    }
  }
}
