import { Icon } from '../../parts/layout/icon.tsx'
import { Tag } from '../../parts/value/state.tsx'
import { setQuery } from '../../router/router.ts'
import { account } from '../../state/account.ts'
import { named } from '../../state/names.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { count } from '../../text/amount.ts'
import { networkName } from '../../text/networks.ts'
import { short } from '../../text/short.ts'
import { chipsOf, type Filters } from './filters.ts'
import { NAMES } from './words.ts'

/** Part of GET /overview that tells of refusals. */
interface Refused {
  readonly refusals: readonly { readonly code: string; readonly count: number }[]
}

/** Most codes that are shown: a line of them. */
const MOST = 8

/** Refusals by code, each a filter. The service counts them over an hour, a day or a week: for longer times it is a week. */
export function Refusals({ filters: { period, error } }: { readonly filters: Filters }) {
  const window = period === '1h' || period === '24h' ? period : '7d'
  const { value } = useResource(`refusals ${window} ${account.value ?? ''}`, (signal) =>
    api.call<Refused>('overview', { signal, query: { account: account.value, window } }),
  )
  const rows = value?.refusals.slice(0, MOST) ?? []
  if (rows.length === 0) return null
  return (
    <div class="chips" role="group" aria-label="Refusals by code">
      <span class="muted small">Refused{window === period ? '' : ' in 7 days'}</span>
      {rows.map((each) => (
        <Tag key={each.code} pressed={error === each.code} onClick={() => setQuery({ error: error === each.code ? null : each.code })}>
          {each.code} {count(each.count)}
        </Tag>
      ))}
    </div>
  )
}

/** Filters that have no field, each to be taken away. */
export function Chips({ filters }: { readonly filters: Filters }) {
  const chips = chipsOf(filters)
  if (chips.length === 0) return null
  return (
    <div class="chips">
      <span class="muted small">Only</span>
      {chips.map(({ member, value }) => (
        <button
          key={member}
          type="button"
          class="tag accent"
          aria-label={`Take away ${NAMES[member]} ${value}`}
          onClick={() => setQuery({ [member]: null })}
        >
          {NAMES[member]} {member === 'network' ? networkName(named.value, value, filters.protocol) : short(value, 12, 6)}
          <Icon name="close" />
        </button>
      ))}
    </div>
  )
}
