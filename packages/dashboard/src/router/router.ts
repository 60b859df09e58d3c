import { type ReadonlySignal, signal } from '@preact/signals'
import { pathTo, type Route, routeOf } from './path.ts'

const current = signal<Route>(here())

/** Present place of the page. */
export const route: ReadonlySignal<Route> = current

/** Follows the browser's own steps back and forth. */
export function followHistory(): void {
  window.addEventListener('popstate', () => {
    current.value = here()
  })
}

/** Resolves a path relative to the page's base. The account that an operator chose goes along, unless the path names one. */
export function addressOf(to: string): string {
  const address = new URL(to, document.baseURI)
  const account = current.value.query.get('account')
  if (account !== null && !address.searchParams.has('account')) address.searchParams.set('account', account)
  return address.href
}

/** Goes to a path relative to the page's base, such as `keys?state=active`. With `replace` the step back leaves it out. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  go(addressOf(to), replace)
}

function go(address: string, replace: boolean): void {
  if (replace || address === location.href) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  current.value = here()
  if (!replace) window.scrollTo(0, 0)
}

/** Changes members of the query, where filters live, so that a view can be shared. Never put a secret there. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const { parts, query } = current.peek()
  go(new URL(pathTo(parts, { ...Object.fromEntries(query), ...changes }), document.baseURI).href, true)
}

function here(): Route {
  return routeOf(location.href, document.baseURI)
}
