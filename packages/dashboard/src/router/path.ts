/** Place of the page: path and query below its base. */
export interface Route {
  /** Parts of the path, without empty ones: `keys/01ABC` is two. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

/** Reads an address below a base. What lies elsewhere is the start. */
export function routeOf(address: string, base: string): Route {
  const { pathname, search } = new URL(address)
  const { pathname: root } = new URL(base)
  const rest = pathname.startsWith(root) ? pathname.slice(root.length) : ''
  return { parts: rest.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(search) }
}

/** Writes a path with a query, relative to the base. Members that are null or empty are left out. */
export function pathTo(parts: readonly string[], query: Readonly<Record<string, string | null | undefined>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null && value !== '') search.set(name, value)
  const text = search.toString()
  return `${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}` || './'
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
