/** Returns what was made under a name, made when first asked for. A failure is remembered too. */
export function once<T>(cache: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const entry = cache.get(name) ?? make()
  cache.set(name, entry)
  return entry
}
