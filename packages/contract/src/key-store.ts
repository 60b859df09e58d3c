/**
 * Store for small values of one network that outlast a restart and are shared by replicas. Its values are hints, never facts to rely on: while the database is away, this
 * process uses its own copies, and another replica may have written since.
 */
export interface KeyStore {
  /**
   * Reads a value. Its form is for the caller to check: another version may have written it.
   *
   * @returns a copy; undefined when there is none. What it looks like is for the caller to check: another version may have written it
   */
  get(key: string): Promise<unknown>
  /**
   * Keeps a value.
   *
   * @param value of null, booleans, texts, finite numbers, bigints, lists and plain objects
   * @throws TypeError for anything else, for more than 65,536 characters, and for more keys than 32
   */
  put(key: string, value: unknown): Promise<void>
}
