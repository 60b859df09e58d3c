import { useComputed } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import type { PositionDetail } from '../../api/positions.ts'
import { Segments } from '../../parts/form/select.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { StaleNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Address } from '../../parts/value/address.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { navigate, route, setQuery } from '../../router/router.ts'
import { useShortcut } from '../../shell/keys.ts'
import { narrow } from '../../state/media.ts'
import { named } from '../../state/names.ts'
import type { Resource } from '../../state/resource.ts'
import { placeName } from '../../text/networks.ts'
import { short } from '../../text/short.ts'
import { DueCard } from './due-card.tsx'
import { historyOf } from './history.ts'
import { HistoryChart } from './history-chart.tsx'
import type { OperationFilter } from './operations.ts'
import { OperationsCard } from './operations-card.tsx'
import { type Place, RANGES, rangeOf } from './place.ts'
import { usePosition } from './use-wallet.ts'
import { WalletFigures } from './wallet-figures.tsx'

/** Shows one wallet with one protocol: what it has, what it earned, what is due, and every entry of its book. */
export function WalletPage({ place }: { readonly place: Place }) {
  const range = useComputed(() => rangeOf(route.value.query)).value
  const position = usePosition(place, range)
  const { value, failure, reload } = position
  const statement = pathTo(['statements'], {
    account: place.account,
    protocol: place.protocol,
    network: place.network,
    wallet: place.address,
  })
  useShortcut('s', 'Statement', () => navigate(statement))
  return (
    <>
      <div class="page-head wallet-head">
        <span class="crumb">
          <Link to="positions">Positions</Link> <span class="muted">/</span>
        </span>
        <h1 tabIndex={-1}>{narrow.value ? short(place.address) : place.address}</h1>
        <Copy text={place.address} label="Copy address" bare />
        <span class="meta">{placeName(named.value, place.protocol, place.network)}</span>
        <div class="actions">
          <Segments label="Days" value={range} options={RANGES} onValue={(chosen) => setQuery({ days: chosen === '60' ? null : chosen })} />
          <Link class="btn" to={statement}>
            Statement
          </Link>
          <Copy text={location.href} label="Copy link" />
        </div>
      </div>
      {value !== undefined && failure !== undefined ? (
        <StaleNote failure={failure} onRetry={reload} {...(value.read_at === null ? {} : { of: value.read_at })} />
      ) : null}
      <Content place={place} range={range} position={position} />
    </>
  )
}

function Content({
  place,
  range,
  position,
}: {
  readonly place: Place
  readonly range: string
  readonly position: Resource<PositionDetail>
}) {
  const { value, failure, reload } = position
  const [filter, setFilter] = useState<OperationFilter | null>(null)
  const history = useMemo(() => (value === undefined ? undefined : historyOf(value, new Date().toISOString().slice(0, 10))), [value])
  if (value === undefined || history === undefined) {
    if (failure === undefined) return <Loading lines={6} />
    if (failure.kind !== 'missing') return <ErrorState failure={failure} onRetry={reload} />
    return (
      <>
        <ErrorState failure={failure} />
        <p class="muted">
          The address may be of an account that your token may not see: <Address text={place.address} what="wallet" whole />
        </p>
      </>
    )
  }
  return (
    <>
      <WalletFigures position={value} history={history} onUnexplained={() => setFilter('unexplained')} />
      <div class="columns wallet">
        <HistoryChart history={history} symbol={value.symbol ?? ''} opened={value.book?.opened_at ?? null} />
        <DueCard position={value} />
      </div>
      <OperationsCard place={place} range={range} position={value} history={history} filter={filter} onFilter={setFilter} />
    </>
  )
}
