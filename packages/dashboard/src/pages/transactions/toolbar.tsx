import { useMemo } from 'preact/hooks'
import { SearchBar } from '../../parts/form/search-bar.tsx'
import { type Option, Select } from '../../parts/form/select.tsx'
import { Icon } from '../../parts/layout/icon.tsx'
import { setQuery } from '../../router/router.ts'
import { named } from '../../state/names.ts'
import { networksOf } from '../../text/networks.ts'
import { short } from '../../text/short.ts'
import type { Filters } from './filters.ts'
import { STATUSES } from './words.ts'

/** Shows the fields of a search: a field for words, and choices. */
export function Toolbar({ filters: { q, protocol, network, status, wallet } }: { readonly filters: Filters }) {
  const { protocols, networks } = useChoices(protocol, network)
  const chosen = [protocol, network, status].filter(Boolean).length
  return (
    <>
      <SearchBar label="Hash, wallet, identity, request id or words" words={q} chosen={chosen}>
        <Select
          label="Protocol"
          value={protocol ?? ''}
          options={[{ value: '', label: 'All protocols' }, ...protocols]}
          onValue={(value) => setQuery({ protocol: value, network: null })}
        />
        <Select
          label="Network"
          value={network ?? ''}
          options={[{ value: '', label: 'All networks' }, ...networks]}
          onValue={(value) => setQuery({ network: value })}
        />
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

/** Protocols and networks to choose from: those that are enabled, and what is chosen already. */
function useChoices(protocol: string | undefined, network: string | undefined) {
  const enabled = named.value
  return useMemo(() => {
    const protocols: readonly Option<string>[] = [...new Map(enabled.map((each) => [each.protocol, each.title]))].map(([value, label]) => ({
      value,
      label,
    }))
    const networks = networksOf(enabled.filter((each) => protocol === undefined || each.protocol === protocol))
    return { protocols: withChosen(protocols, protocol), networks: withChosen(networks, network) }
  }, [enabled, protocol, network])
}

function withChosen(options: readonly Option<string>[], chosen: string | undefined): readonly Option<string>[] {
  return chosen === undefined || options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: chosen }]
}
