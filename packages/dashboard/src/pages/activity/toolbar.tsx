import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AuditRecord } from '../../api/audit.ts'
import { Check } from '../../parts/form/field.tsx'
import { SearchBar } from '../../parts/form/search-bar.tsx'
import { type Option, Select } from '../../parts/form/select.tsx'
import { setQuery } from '../../router/router.ts'
import { account } from '../../state/account.ts'
import { named } from '../../state/names.ts'
import { utc } from '../../state/preferences.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { instantOf, localOf } from '../../text/local-time.ts'
import { protocolName } from '../../text/networks.ts'
import { short } from '../../text/short.ts'
import { DEFAULT_PERIOD, type Filters, PERIODS } from './filters.ts'
import { OUTCOMES } from './words.ts'

/** Shows the fields of a search: a field for words, choices, and what was clicked on in records. */
export function Toolbar({ filters, rows }: { readonly filters: Filters; readonly rows: readonly AuditRecord[] }) {
  const { period, protocol, key, outcome, reads } = filters
  const protocols = useProtocols(protocol, rows)
  const keys = useKeys(key, rows)
  const chosen = [period !== DEFAULT_PERIOD, protocol, key, outcome, reads].filter(Boolean).length
  return (
    <SearchBar
      label="Hash, wallet, key, identity, request id, code or words"
      words={filters.q}
      chosen={chosen}
      below={period === 'custom' ? <Dates filters={filters} /> : null}
    >
      <Select
        label="Time"
        value={period}
        options={PERIODS}
        onValue={(value) => setQuery({ period: value === DEFAULT_PERIOD ? null : value, from: null, to: null })}
      />
      <Select
        label="Protocol"
        value={protocol ?? ''}
        options={all('All protocols', protocols)}
        onValue={(value) => setQuery({ protocol: value })}
      />
      <Select label="Key" value={key ?? ''} options={all('All keys', keys)} onValue={(value) => setQuery({ key: value })} />
      <Select
        label="Outcome"
        value={outcome ?? ''}
        options={all('All outcomes', OUTCOMES)}
        onValue={(value) => setQuery({ outcome: value })}
      />
      <Check checked={reads} onChecked={(on) => setQuery({ reads: on ? 'yes' : null })}>
        Reads too
      </Check>
    </SearchBar>
  )
}

function all(label: string, options: readonly Option<string>[]): readonly Option<string>[] {
  return [{ value: '', label }, ...options]
}

/** Protocols that are enabled, those of the records at hand, and what is chosen. */
function useProtocols(chosen: string | undefined, rows: readonly AuditRecord[]): readonly Option<string>[] {
  const [ids, setSeen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const union = new Set(ids)
    for (const { protocol } of rows) if (protocol !== null) union.add(protocol)
    if (union.size !== ids.size) setSeen(union)
  }, [rows])
  const protocols = named.value
  return useMemo(
    () =>
      [...new Set([...protocols.map(({ protocol }) => protocol), ...ids, ...(chosen ? [chosen] : [])])]
        .map((value) => ({ value, label: protocolName(protocols, value) }))
        .sort((a, b) => a.label.localeCompare(b.label)),
    [protocols, ids, chosen],
  )
}

/** Keys by name: those that there are, and those of the records at hand, which may be deleted by now. */
function useKeys(chosen: string | undefined, rows: readonly AuditRecord[]): readonly Option<string>[] {
  const { value } = useResource(`keys ${account.value ?? ''}`, (signal) =>
    api.call<readonly { readonly ulid: string; readonly name: string }[]>('apikeys', {
      signal,
      query: { account: account.value, limit: KEYS },
    }),
  )
  const nameCache = useRef(new Map<string, string>())
  return useMemo(() => {
    const names = new Map((value ?? []).map(({ ulid, name }) => [ulid, name]))
    for (const { key } of rows) if (key) nameCache.current.set(key.ulid, key.name ?? short(key.ulid))
    for (const [ulid, name] of nameCache.current) if (!names.has(ulid)) names.set(ulid, name)
    if (chosen !== undefined && !names.has(chosen)) names.set(chosen, short(chosen))
    return [...names].map(([ulid, name]) => ({ value: ulid, label: name })).sort((a, b) => a.label.localeCompare(b.label))
  }, [value, rows, chosen])
}

/** Most keys to choose from; one that is not among them is found by its records. */
const KEYS = 100

function Dates({ filters: { from, to } }: { readonly filters: Filters }) {
  const field = (name: 'from' | 'to', label: string, value: string | undefined) => (
    <label class="date">
      <span class="muted small">{label}</span>
      <input
        class="input"
        type="datetime-local"
        value={localOf(value, utc.value)}
        onChange={(event) => setQuery({ [name]: instantOf(event.currentTarget.value, utc.value) })}
      />
    </label>
  )
  return (
    <div class="toolbar">
      {field('from', 'From', from)}
      {field('to', 'Before', to)}
    </div>
  )
}
