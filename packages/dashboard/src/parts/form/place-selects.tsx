import { useMemo } from 'preact/hooks'
import { setQuery } from '../../router/router.ts'
import { named } from '../../state/names.ts'
import { networksOf } from '../../text/networks.ts'
import { type Option, Select } from './select.tsx'

/** Choices of a protocol and of one of its networks, which stand in the query as `protocol` and `network`. */
export function PlaceSelects({ protocol, network }: { readonly protocol: string | undefined; readonly network: string | undefined }) {
  const { protocols, networks } = useChoices(protocol, network)
  return (
    <>
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
