import { useComputed } from '@preact/signals'
import { useCallback, useMemo } from 'preact/hooks'
import { type FollowedTransaction, partsOfTransaction, type TransactionPage } from '../../api/transactions.ts'
import { Button } from '../../parts/form/button.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { Empty } from '../../parts/notice/empty.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { ListFoot, News } from '../../parts/table/list-frame.tsx'
import { Table } from '../../parts/table/table.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { pathTo } from '../../router/path.ts'
import { navigate, route, setQuery } from '../../router/router.ts'
import { useShortcut } from '../../shell/keys.ts'
import { account } from '../../state/account.ts'
import { roomy, snug } from '../../state/media.ts'
import { utc } from '../../state/preferences.ts'
import { api } from '../../state/session.ts'
import { type ShownFeed, useFeed } from '../../state/use-feed.ts'
import { count } from '../../text/amount.ts'
import { dayOf } from '../../text/day.ts'
import type { PageProps } from '../page.ts'
import { columnsOf } from './columns.tsx'
import { CLEARED, type Filters, filtersOf, keyOfFilters, kindOf, pageOf, toQuery } from './filters.ts'
import { isAt, placeOf } from './place.ts'
import { Toolbar } from './toolbar.tsx'
import { TransactionPanel } from './transaction-panel.tsx'

/** Shows what was sent to a chain, newest first, and what became of it. */
export function TransactionsPage({ session, rest }: PageProps) {
  const filters = useComputed(() => filtersOf(route.value.query)).value
  const of = account.value
  const key = keyOfFilters(filters, of)
  const feed = useFeed(key, () => ({
    ...kindOf(filters),
    read: async (part, signal) => pageOf(await api.call<TransactionPage>('transactions', { signal, query: toQuery(filters, of, part) })),
  }))
  const many = session.kind === 'operator' && of === null
  const [small, large] = [snug.value, roomy.value]
  const columns = useMemo(() => columnsOf(many, small, large), [many, small, large])
  const inUtc = utc.value
  const headingOf = useCallback((row: FollowedTransaction) => dayOf(row.first_seen, inUtc), [inUtc])
  const goTo = (row: FollowedTransaction | null, replace = false) => {
    const parts = row === null ? ['transactions'] : partsOfTransaction(row)
    navigate(pathTo(parts, Object.fromEntries(route.peek().query)), { replace })
  }
  useShortcut('n', 'Show what is new', feed.show)

  const place = placeOf(rest)
  const at = place === null ? -1 : feed.rows.findIndex((row) => isAt(place, row))
  const open = feed.rows[at]
  return (
    <>
      <PageHead title="Transactions" meta={metaOf(feed)} actions={<Copy text={location.href} label="Copy link" />} />
      <Toolbar filters={filters} />
      <div class="list-with-news">
        <News feed={feed} />
        {feed.rows.length > 0 ? (
          <Table
            key={key}
            label="Transactions"
            columns={columns}
            rows={feed.rows}
            keyOf={({ id }) => id}
            {...(feed.next === null ? { total: feed.rows.length } : {})}
            headingOf={headingOf}
            open={open?.id ?? null}
            onOpen={(row) => goTo(row, place !== null)}
            onEnd={feed.older}
          />
        ) : (
          <Nothing feed={feed} filters={filters} />
        )}
      </div>
      <ListFoot feed={feed} />
      {place === null ? null : (
        <TransactionPanel
          place={place}
          known={open}
          onClose={() => {
            goTo(null)
            document.querySelector<HTMLElement>('main [role="grid"]')?.focus({ preventScroll: true })
          }}
          onMove={(step) => {
            const next = feed.rows[at + step]
            if (next) goTo(next, true)
          }}
        />
      )}
    </>
  )
}

function metaOf({ rows, next }: ShownFeed<FollowedTransaction>): string {
  if (next === undefined) return ''
  return next === null ? `${count(rows.length)} in all` : `the newest ${count(rows.length)}`
}

function Nothing({ feed, filters }: { readonly feed: ShownFeed<FollowedTransaction>; readonly filters: Filters }) {
  const { failure, next, reading, older } = feed
  if (failure) return <ErrorState failure={failure} onRetry={older} />
  if (next !== null) return <Loading lines={6} key={String(reading)} />
  if (Object.keys(filters).length > 0) {
    return (
      <Empty title="Nothing matches" action={<Button onClick={() => setQuery(CLEARED)}>Clear the filters</Button>}>
        No transaction is as the filters say.
      </Empty>
    )
  }
  return (
    <Empty title="Nothing was sent yet">
      What is broadcast through the service is followed here until it can no longer change. What was sent elsewhere is followed once a
      program tells <code>transaction/track</code> of it.
    </Empty>
  )
}
