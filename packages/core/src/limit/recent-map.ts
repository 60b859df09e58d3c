/** A map of bounded size that forgets what has not been used for longest, to within half of its capacity. */
export interface RecentMap<Value extends object | string> {
  /** The value, which counts as a use. */
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  /** Begins a new generation: whatever is not used until the next one is forgotten then. */
  turn(): void
  readonly size: number
}

/**
 * Two generations of maps. A full young one becomes the old one, and the former old one is dropped whole, so that forgetting
 * costs nothing per entry and a flood of new keys never makes the map search for its oldest entry.
 *
 * @param capacity most entries held at once; at least 2
 */
export function createRecentMap<Value extends object | string>(capacity: number): RecentMap<Value> {
  const half = Math.max(1, Math.floor(capacity / 2))
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()

  function turn(): void {
    old = young
    young = new Map()
  }

  function set(key: string, value: Value): void {
    if (young.size >= half && !young.has(key)) turn()
    young.set(key, value)
    old.delete(key)
  }

  function get(key: string): Value | undefined {
    const value = young.get(key)
    if (value !== undefined) return value
    const aged = old.get(key)
    if (aged !== undefined) set(key, aged)
    return aged
  }

  return {
    get,
    set,
    turn,
    get size() {
      return young.size + old.size
    },
  }
}
