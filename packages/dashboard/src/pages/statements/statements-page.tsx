import { useComputed } from '@preact/signals'
import { Button } from '../../parts/form/button.tsx'
import { Segments, Select } from '../../parts/form/select.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { Empty } from '../../parts/notice/empty.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { route, setQuery } from '../../router/router.ts'
import { useShortcut } from '../../shell/keys.ts'
import { account } from '../../state/account.ts'
import { named } from '../../state/names.ts'
import { useResource } from '../../state/resource.ts'
import { placeName } from '../../text/networks.ts'
import { short } from '../../text/short.ts'
import { utcDay } from '../../text/utc-day.ts'
import { BucketCard } from './bucket-card.tsx'
import { ImportCard } from './import-card.tsx'
import { besides, latest, PERIOD_KINDS, type Period, periodAt, periodName, periodOf } from './period.ts'
import type { StatementWallet } from './place.ts'
import { readStatement } from './read.ts'
import type { NoEnds } from './sheet.ts'
import { SheetCard } from './sheet-card.tsx'
import { WalletSelect } from './wallet-select.tsx'

/** Shows the statement of one wallet: opening, what moved, and closing, which add up in the page or say where they do not. */
export function StatementsPage() {
  const place = useComputed(() => walletOf(route.value.query, account.value)).value
  const today = new Date().toISOString().slice(0, 10)
  const period = periodOf(route.value.query.get('period'), today)
  const goTo = ({ text }: Period) => setQuery({ period: text === periodAt('month', today).text ? null : text })
  const later = besides(period, 1)
  useShortcut('[', 'Earlier period', () => goTo(besides(period, -1)))
  useShortcut(']', 'Later period', () => {
    if (later.from <= today) goTo(later)
  })
  return (
    <>
      <PageHead
        title="Statements"
        meta={place === null ? '' : `${short(place.wallet)}, ${placeName(named.value, place.protocol, place.network)}`}
        actions={<Copy text={location.href} label="Copy link" />}
      />
      <div class="toolbar statement-choices">
        <WalletSelect place={place} />
        <Segments label="Length" value={period.kind} options={PERIOD_KINDS} onValue={(kind) => goTo(periodAt(kind, period.from))} />
        <Select
          label="Period"
          value={period.text}
          options={latest(period, today).map((each) => ({ value: each.text, label: periodName(each) }))}
          onValue={(text) => goTo(periodOf(text, today))}
        />
        <span class="muted small">Days end at 00:00 UTC, whatever zone the page shows.</span>
      </div>
      {place === null ? (
        <Empty title="Choose a wallet">
          A statement is of one wallet with one protocol. Any other than the first 200 is gone to from its own page, which{' '}
          <Link to="positions">Positions</Link> lists.
        </Empty>
      ) : (
        <Content key={JSON.stringify([place, period.text])} place={place} period={period} today={today} onPeriod={goTo} />
      )}
    </>
  )
}

function Content({
  place,
  period,
  today,
  onPeriod,
}: {
  readonly place: StatementWallet
  readonly period: Period
  readonly today: string
  readonly onPeriod: (period: Period) => void
}) {
  const { value, failure, reload } = useResource(`statement ${JSON.stringify([place, period.text, today])}`, (signal) =>
    readStatement(place, period, today, signal),
  )
  // No number at all rather than an old one.
  if (failure !== undefined) return <ErrorState failure={failure} onRetry={reload} />
  if (value === undefined) return <Loading lines={6} />
  if (typeof value === 'string') {
    return (
      <Empty
        title={NO_ENDS[value][0]}
        action={value === 'later' ? <Button onClick={() => onPeriod(besides(period, 1))}>Later period</Button> : undefined}
      >
        {NO_ENDS[value][1]}
      </Empty>
    )
  }
  return (
    <>
      {value.from > period.from ? (
        <Note kind="warn">
          The book begins on {utcDay(value.opening)}, within this period: the opening is the last reading of that day, and what was before
          is not in it.
        </Note>
      ) : null}
      <div class="columns statement">
        <div class="stack">
          <SheetCard statement={value} period={period} today={today} />
          <BucketCard statement={value} />
        </div>
        <ImportCard place={{ ...place, account: value.detail.account }} statement={value} period={period} onReload={reload} />
      </div>
      <p class="muted small">
        <Link to={pathTo(['positions', place.protocol, place.network, place.wallet, value.detail.account])}>
          Every entry, on the wallet’s page
        </Link>
      </p>
    </>
  )
}

/** Titles and sentences where there is no statement. */
const NO_ENDS: Readonly<Record<NoEnds, readonly [title: string, about: string]>> = {
  no_book: ['There is no book yet', 'It begins with the first reading of the wallet.'],
  later: ['The book begins later', 'Nothing was read before the end of this period.'],
  first_day: [
    'The book has one day',
    'A statement lies between the last readings of two days: the first one is there when a second day was read.',
  ],
  too_far: [
    'This period cannot be opened',
    'Its opening is a reading of more than 366 days ago, or was never read: the service gives the days of a year.',
  ],
}

function walletOf(query: URLSearchParams, account: string | null): StatementWallet | null {
  const [protocol, network, wallet] = ['protocol', 'network', 'wallet'].map((name) => query.get(name))
  return protocol && network && wallet ? { account, protocol, network, wallet } : null
}
