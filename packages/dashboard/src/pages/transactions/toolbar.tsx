import { PlaceSelects } from '../../parts/form/place-selects.tsx'
import { SearchBar } from '../../parts/form/search-bar.tsx'
import { Select } from '../../parts/form/select.tsx'
import { Icon } from '../../parts/layout/icon.tsx'
import { setQuery } from '../../router/router.ts'
import { short } from '../../text/short.ts'
import type { Filters } from './filters.ts'
import { STATUSES } from './words.ts'

/** Shows the fields of a search: a field for words, and choices. */
export function Toolbar({ filters: { q, protocol, network, status, wallet } }: { readonly filters: Filters }) {
  const chosen = [protocol, network, status].filter(Boolean).length
  return (
    <>
      <SearchBar label="Hash, wallet, identity, request id or words" words={q} chosen={chosen}>
        <PlaceSelects protocol={protocol} network={network} />
        <Select label="State" value={status ?? ''} options={STATUSES} onValue={(value) => setQuery({ status: value })} />
      </SearchBar>
      {wallet === undefined ? null : (
        <div class="chips">
          <span class="muted small">Only</span>
          <button type="button" class="tag accent" aria-label={`Take away Wallet ${wallet}`} onClick={() => setQuery({ wallet: null })}>
            Wallet {short(wallet, 12, 6)}
            <Icon name="close" />
          </button>
        </div>
      )}
    </>
  )
}
