/** Memory of the process in which a plugin keeps one value of one type for each network: a value that the chain keeps constant for a while. */
interface Memo<T> {
  /** Returns the value kept for the network of a context; undefined at first. */
  get(ctx: Remembering): T | undefined
  set(ctx: Remembering, value: T): void
  delete(ctx: Remembering): void
}

/** A context, as far as a memo needs it. */
interface Remembering {
  /** Object that stands for the network, with its settings, in this process. */
  readonly memo: object
}

/** Defines a memo, which keeps one value per network; called once, at the top of a module. */
export function defineMemo<T>(): Memo<T> {
  const values = new WeakMap<object, T>()
  return {
    get: ({ memo }) => values.get(memo),
    set: ({ memo }, value) => void values.set(memo, value),
    delete: ({ memo }) => void values.delete(memo),
  }
}
