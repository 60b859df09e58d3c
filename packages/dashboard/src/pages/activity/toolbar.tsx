import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AuditRecord } from '../../api/audit.ts'
import { Check } from '../../parts/field.tsx'
import { SearchBar } from '../../parts/search-bar.tsx'
import { type Option, Select } from '../../parts/select.tsx'
import { setQuery } from '../../router/router.ts'
import { account } from '../../state/account.ts'
import { utc } from '../../state/preferences.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { instantOf, localOf } from '../../text/local-time.ts'
import { short } from '../../text/short.ts'
import { DEFAULT_PERIOD, type Filters, PERIODS } from './filters.ts'
import { OUTCOMES } from './words.ts'

/** What is looked for: a field for words, choices, and what was clicked on in records. */
export function Toolbar({ filters, rows }: { readonly filters: Filters; readonly rows: readonly AuditRecord[] }) {
  const { period, protocol, key, outcome, reads } = filters
  const protocols = useChoices(protocol, rows, ({ protocol }) => protocol)
  const keys = useKeys(key, rows)
  const chosen = [period !== DEFAULT_PERIOD, protocol, key, outcome, reads].filter(Boolean).length
  return (
    <SearchBar words={filters.q} chosen={chosen} below={period === 'custom' ? <Dates filters={filters} /> : null}>
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

/** What the records at hand say, and what is chosen. */
function useChoices(chosen: string | undefined, rows: readonly AuditRecord[], of: (record: AuditRecord) => string | null) {
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const found = new Set(known)
    for (const row of rows) {
      const value = of(row)
      if (value !== null) found.add(value)
    }
    if (found.size !== known.size) setKnown(found)
  }, [rows])
  return useMemo(
    () => [...new Set([...known, ...(chosen ? [chosen] : [])])].sort().map((value) => ({ value, label: value })),
    [known, chosen],
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
  const seen = useRef(new Map<string, string>())
  return useMemo(() => {
    const names = new Map((value ?? []).map(({ ulid, name }) => [ulid, name]))
    for (const { key } of rows) if (key) seen.current.set(key.ulid, key.name ?? short(key.ulid))
    for (const [ulid, name] of seen.current) if (!names.has(ulid)) names.set(ulid, name)
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
