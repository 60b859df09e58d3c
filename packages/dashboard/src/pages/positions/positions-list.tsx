import { useComputed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type Position, type PositionList, partsOfPosition } from '../../api/positions.ts'
import type { Session } from '../../api/types.ts'
import { Button } from '../../parts/form/button.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { Empty } from '../../parts/notice/empty.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { StaleNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { ListFoot } from '../../parts/table/list-frame.tsx'
import { Table } from '../../parts/table/table.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { pathTo } from '../../router/path.ts'
import { navigate, route, setQuery } from '../../router/router.ts'
import { account } from '../../state/account.ts'
import { cramped, narrow, roomy, snug, tight } from '../../state/media.ts'
import { named } from '../../state/names.ts'
import { api } from '../../state/session.ts'
import { type PartedList, usePages } from '../../state/use-pages.ts'
import { count } from '../../text/amount.ts'
import { networkIdOf } from '../../text/networks.ts'
import { columnsOf, type Room } from './columns.tsx'
import { allOf, CLEARED, countText, type Filters, filtersOf, keyOfFilters, toQuery } from './filters.ts'
import { Toolbar } from './toolbar.tsx'
import { Totals } from './totals.tsx'

/** An answer of the list, as parts of lists are read. */
type ListPart = PositionList & { readonly rows: readonly Position[] }

/** Shows all watched wallets, those first that need a look; read again every 30 seconds. */
export function PositionsList({ session }: { readonly session: Session }) {
  const filters = useComputed(() => filtersOf(route.value.query)).value
  const of = account.value
  const key = keyOfFilters(filters)
  const list = usePages<Position, ListPart>({
    key,
    scope: `positions ${of ?? ''}`,
    idOf: ({ id }) => id,
    read: async (after, signal) => {
      const part = await api.call<PositionList>('positions', { signal, query: toQuery(filters, of, after) })
      return { ...part, rows: part.positions }
    },
  })
  const { head, headFailure, at, rows, behind } = list
  const room = roomOf()
  const many = session.kind === 'operator' && of === null
  const columns = useMemo(() => columnsOf(many, room), [many, room])
  const idOf = (chain: string) => rows.find(({ network }) => network === chain)?.network_id ?? networkIdOf(named.value, chain)
  const meta = head === undefined ? '' : countText(head.counts, behind ? undefined : filters.state, count)
  return (
    <>
      <PageHead title="Positions" meta={meta} actions={<Copy text={location.href} label="Copy link" />} />
      {head !== undefined && headFailure !== undefined ? (
        <StaleNote failure={headFailure} every="every 30 seconds" onRetry={list.reload} {...(at === null ? {} : { of: at })} />
      ) : null}
      {head === undefined ? null : <Totals totals={head.totals} chosen={filters.network} idOf={idOf} />}
      <Toolbar filters={filters} counts={head?.counts} />
      <div class={behind ? 'positions behind' : 'positions'} aria-busy={behind}>
        {rows.length > 0 ? (
          <Table
            key={`${of} ${key}`}
            label="Positions"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            {...(list.next === null ? { total: rows.length } : {})}
            onOpen={(row) => navigate(pathTo(partsOfPosition(row)))}
            onEnd={list.older}
          />
        ) : (
          <Nothing list={list} filters={filters} />
        )}
      </div>
      <ListFoot feed={list} />
      {rows.length > 0 ? (
        <p class="muted small">Rewards and rates are of the last 30 days, after commission. “…” says that more digits follow.</p>
      ) : null}
    </>
  )
}

function roomOf(): Room {
  if (narrow.value) return 'phone'
  if (cramped.value) return 'cramped'
  if (tight.value) return 'tight'
  if (snug.value) return 'snug'
  return roomy.value ? 'roomy' : 'plain'
}

function Nothing({ list, filters }: { readonly list: PartedList<Position, ListPart>; readonly filters: Filters }) {
  const { head, headFailure, reload } = list
  if (head === undefined) return headFailure ? <ErrorState failure={headFailure} onRetry={reload} /> : <Loading lines={6} />
  if (Object.keys(filters).length > 0 || allOf(head.counts) > 0) {
    return (
      <Empty title="Nothing matches" action={<Button onClick={() => setQuery(CLEARED)}>Clear the filters</Button>}>
        No watched wallet is as the filters say.
      </Empty>
    )
  }
  return (
    <Empty title="No wallet is watched yet" command={watchCommand()}>
      A wallet is watched from its first craft through the service on. One that was staked elsewhere is watched once a program says so, with
      an API key of the account.
    </Empty>
  )
}

/** Writes the call that has a wallet watched; its protocol and address are the caller's to put in. */
function watchCommand(): string {
  const address = new URL('../api/v1/watch', document.baseURI).href
  return `curl -X PUT -H "X-API-KEY: $SVC_API_KEY" '${address}/<protocol>/<address>'`
}
