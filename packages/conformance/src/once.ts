/** What was made under a name, made when first asked for. A failure is remembered too. */
export function once<T>(made: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(name) ?? make()
  made.set(name, known)
  return known
}
