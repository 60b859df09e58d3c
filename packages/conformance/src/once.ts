/** Returns the value kept under a name, made on the first request. A failure is kept too. */
export function once<T>(cache: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const entry = cache.get(name) ?? make()
  cache.set(name, entry)
  return entry
}
