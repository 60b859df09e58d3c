import type { StateCounts } from '../../api/positions.ts'
import { PlaceSelects } from '../../parts/form/place-selects.tsx'
import { SearchBar } from '../../parts/form/search-bar.tsx'
import { Select } from '../../parts/form/select.tsx'
import { Tag } from '../../parts/value/state.tsx'
import { setQuery } from '../../router/router.ts'
import { count } from '../../text/amount.ts'
import { type Filters, tagsOf } from './filters.ts'
import { STATE_CHOICES, STATES } from './words.ts'

/** Shows the fields of a search, and below them what needs a look, each a filter with its number. */
export function Toolbar({ filters, counts }: { readonly filters: Filters; readonly counts: StateCounts | undefined }) {
  const { q, protocol, network, state } = filters
  const chosen = [protocol, network, state].filter(Boolean).length
  const tags = counts === undefined ? [] : tagsOf(counts, state)
  return (
    <>
      <SearchBar label="Part of a wallet’s address, network or protocol" words={q} chosen={chosen} byPart>
        <PlaceSelects protocol={protocol} network={network} />
        <Select label="State" value={state ?? ''} options={STATE_CHOICES} onValue={(value) => setQuery({ state: value })} />
      </SearchBar>
      {counts === undefined || tags.length === 0 ? null : (
        <div class="chips" role="group" aria-label="By state">
          {tags.map((name) => {
            const { tag, look } = STATES[name]
            return (
              <Tag
                key={name}
                kind={look === 'bad' || look === 'warn' || look === 'accent' ? look : 'plain'}
                pressed={state === name}
                onClick={() => setQuery({ state: state === name ? null : name })}
              >
                {count(counts[name])} {tag}
              </Tag>
            )
          })}
        </div>
      )}
    </>
  )
}
