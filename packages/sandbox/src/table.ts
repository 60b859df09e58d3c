import { present } from './present.ts'

/**
 * Key and value, with branches: a branch sees what its parent holds, and keeps its own changes until they are written. What is
 * stored is never changed in place, so that leaving a branch undoes all of it.
 */
export class Table<V> {
  readonly #parent: Table<V> | undefined
  /** Changes; null: gone. */
  readonly #own = new Map<string, { readonly value: V } | null>()

  constructor(parent?: Table<V>) {
    this.#parent = parent
  }

  get(key: string): V | undefined {
    const own = this.#own.get(key)
    return own === undefined ? this.#parent?.get(key) : own?.value
  }

  /** Returns an entry that is surely there. @throws Error when it is not */
  existing(key: string): V {
    return present(this.get(key), `an entry ${key}`)
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  set(key: string, value: V): void {
    this.#own.set(key, { value })
  }

  delete(key: string): void {
    if (this.#parent === undefined) this.#own.delete(key)
    else this.#own.set(key, null)
  }

  /** Everything whose key begins with the prefix, in the order of keys. */
  entries(prefix = ''): [key: string, value: V][] {
    const all = new Map<string, V>()
    this.#collect(prefix, all)
    return [...all].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** Gives the changes to the parent. */
  write(): void {
    for (const [key, own] of this.#own) {
      if (own === null) this.#parent?.delete(key)
      else this.#parent?.set(key, own.value)
    }
    this.#own.clear()
  }

  #collect(prefix: string, into: Map<string, V>): void {
    if (this.#parent !== undefined) this.#parent.#collect(prefix, into)
    for (const [key, own] of this.#own) {
      if (!key.startsWith(prefix)) continue
      if (own === null) into.delete(key)
      else into.set(key, own.value)
    }
  }
}
