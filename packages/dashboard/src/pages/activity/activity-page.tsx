import { useComputed } from '@preact/signals'
import { useCallback, useMemo, useState } from 'preact/hooks'
import type { AuditRecord } from '../../api/audit.ts'
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
import { againOf } from './again.ts'
import { columnsOf } from './columns.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { CLEARED, type Filters, filtersOf, isNarrowed, keyOfFilters, PERIODS, toQuery } from './filters.ts'
import { logKind, logOf } from './log.ts'
import { RecordPanel } from './record-panel.tsx'
import { Chips, Refusals } from './strips.tsx'
import { Toolbar } from './toolbar.tsx'

/** Shows what was asked of the service, newest first: a line for each transaction, with the requests that it took. */
export function ActivityPage({ session, rest }: PageProps) {
  const filters = useComputed(() => filtersOf(route.value.query)).value
  const key = keyOfFilters(filters, account.value)
  const feed = useFeed(key, () => logOf(api, toQuery(filters, account.value, Date.now())))
  const [exporting, setExporting] = useState(false)
  const [open = null] = rest
  const many = session.kind === 'operator' && account.value === null
  const [small, large] = [snug.value, roomy.value]
  const again = useMemo(() => againOf(feed.rows), [feed.rows])
  const columns = useMemo(() => columnsOf({ accounts: many, snug: small, roomy: large }, again), [many, small, large, again])
  const inUtc = utc.value
  const headingOf = useCallback((record: AuditRecord) => dayOf(record.time, inUtc), [inUtc])
  const goTo = (id: string | null, replace = false) =>
    navigate(pathTo(id === null ? ['activity'] : ['activity', id], Object.fromEntries(route.peek().query)), { replace })
  useShortcut('n', 'Show what is new', feed.show)

  const place = feed.rows.findIndex(({ request_id }) => request_id === open)
  const row = feed.rows[place]
  const newer = row && feed.fresh.find((each) => logKind.lineOf(each) === logKind.lineOf(row))
  const step = (by: 1 | -1) => {
    const next = feed.rows[place + by]
    if (next) goTo(next.request_id, true)
  }
  return (
    <>
      <PageHead
        title="Activity"
        meta={metaOf(feed, filters)}
        actions={
          <>
            <Copy text={location.href} label="Copy link" />
            <Button onClick={() => setExporting(true)}>Export</Button>
          </>
        }
      />
      <Toolbar filters={filters} rows={feed.rows} />
      <div class="strips">
        <Refusals filters={filters} />
        <Chips filters={filters} />
      </div>
      <div class="list-with-news">
        <News feed={feed} />
        {feed.rows.length > 0 ? (
          <Table
            key={key}
            label="Activity"
            columns={columns}
            rows={feed.rows}
            keyOf={({ request_id }) => request_id}
            {...(feed.next === null ? { total: feed.rows.length } : {})}
            headingOf={headingOf}
            open={place < 0 ? null : open}
            onOpen={({ request_id }) => goTo(request_id, open !== null)}
            onEnd={feed.older}
          />
        ) : (
          <Nothing feed={feed} filters={filters} />
        )}
      </div>
      <ListFoot feed={feed} />
      {open === null ? null : (
        <RecordPanel
          requestId={open}
          known={newer ?? row}
          onClose={() => {
            goTo(null)
            document.querySelector<HTMLElement>('main [role="grid"]')?.focus({ preventScroll: true })
          }}
          onMove={step}
        />
      )}
      {exporting ? <ExportDialog filters={filters} onClose={() => setExporting(false)} /> : null}
    </>
  )
}

function metaOf({ rows, next, reading }: ShownFeed<AuditRecord>, { period }: Filters): string {
  if (next === undefined) return reading ? '' : ''
  const label = PERIODS.find(({ value }) => value === period)?.label ?? ''
  const within = period === 'all' ? 'in all' : period === 'custom' ? 'between these times' : `in ${label}`
  return next === null ? `${count(rows.length)} ${within}` : `the newest ${count(rows.length)} ${within}`
}

/** Period of whatever time, as changes of the query. */
const EVER = { period: 'all', from: null, to: null } as const

function Nothing({ feed, filters }: { readonly feed: ShownFeed<AuditRecord>; readonly filters: Filters }) {
  const { failure, next, reading, older } = feed
  if (failure) return <ErrorState failure={failure} onRetry={older} />
  if (next !== null) return <Loading lines={6} key={String(reading)} />
  if (isNarrowed(filters)) {
    return (
      <Empty
        title="Nothing matches"
        action={
          <div class="with-action">
            {filters.period === 'all' ? null : <Button onClick={() => setQuery(EVER)}>Search all time</Button>}
            <Button onClick={() => setQuery(CLEARED)}>Clear the filters</Button>
          </div>
        }
      >
        No records match these filters in this period.{' '}
        {filters.q === undefined
          ? ''
          : 'A hash or wallet is found by its first 8 characters or more, if no other begins with them; an identity, request id, code or name of a key only whole; words are found in sentences.'}
      </Empty>
    )
  }
  if (filters.period !== 'all') {
    return (
      <Empty title="Nothing in this time" action={<Button onClick={() => setQuery(EVER)}>Show all time</Button>}>
        What programs ask of the service, and what is changed of keys, is recorded here.
      </Empty>
    )
  }
  return (
    <Empty title="Nothing was asked yet">
      Each request with a key is recorded here: transactions with what they do, refusals with their reason, and every change of a key.
    </Empty>
  )
}
