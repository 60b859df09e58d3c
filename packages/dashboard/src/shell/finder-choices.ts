import type { ApiKey } from '../api/keys.ts'
import { pathTo } from '../router/path.ts'
import type { NamedProtocol } from '../text/networks.ts'
import { soughtBy } from '../text/pasted.ts'

/** Somewhere to go from what was typed. */
export interface Choice {
  readonly label: string
  /** Path relative to the page's base. */
  readonly to: string
}

/** Most keys and pages that are offered of each kind. */
const MOST = 5

/**
 * Lists where a text leads, the likeliest first: a protocol's or network's records, the records that the service finds by it in all time, the transaction, keys by name or
 * id, and pages by title. Nothing for a secret is the caller's to see to.
 */
export function choicesOf(
  text: string,
  {
    protocols,
    keys,
    pages,
  }: {
    readonly protocols: readonly NamedProtocol[]
    readonly keys: readonly Pick<ApiKey, 'ulid' | 'name'>[]
    readonly pages: readonly { readonly path: string; readonly title: string }[]
  },
): readonly Choice[] {
  const words = text.trim().toLowerCase()
  if (words === '') return pages.map(({ path, title }) => ({ label: title, to: path }))
  const sought = soughtBy(text, protocols)
  const matches = keys
    .filter(({ ulid, name }) => name.toLowerCase().includes(words) || `svc_${ulid}`.toLowerCase().startsWith(words) || same(ulid, words))
    .slice(0, MOST)
    .map(({ ulid, name }) => ({ label: `Key “${name}”`, to: pathTo(['keys', ulid]) }))
  const gone = pages
    .filter(({ title }) => title.toLowerCase().startsWith(words))
    .slice(0, MOST)
    .map(({ path, title }) => ({ label: `Page ${title}`, to: path }))
  const query = sought.by === 'q' ? { q: sought.value } : { [sought.by]: sought.value }
  const phrase = sought.by === 'q' ? `“${sought.value}”` : sought.name
  const searched = [
    { label: `Activity of all time: ${phrase}`, to: pathTo(['activity'], { ...query, period: 'all' }) },
    { label: `Transactions: ${phrase}`, to: pathTo(['transactions'], query) },
  ]
  return [...(sought.by === 'q' && gone.length > 0 ? [...gone, ...searched] : [...searched, ...gone]), ...matches]
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other
}
