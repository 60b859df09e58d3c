import { Segments } from '../../parts/form/select.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { StaleNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Warnings } from '../../parts/notice/open-alarms.tsx'
import { Time } from '../../parts/value/time.tsx'
import { route, setQuery } from '../../router/router.ts'
import { account } from '../../state/account.ts'
import type { PageProps } from '../page.ts'
import { Chart } from './chart.tsx'
import { WINDOWS, windowOf } from './figures.ts'
import { Alarms, Crafts, ExpiringKeys, Refusals } from './lists.tsx'
import { Endpoints, Replica, Snapshots } from './service.tsx'
import { Tiles } from './tiles.tsx'
import { useOverview } from './use-overview.ts'

/** Shows what happened lately, and how the service is; read again every 15 seconds. */
export function OverviewPage({ session }: PageProps) {
  const window = windowOf(route.value.query)
  const { figures, behind, failure, failingSince, reload } = useOverview(account.value, window)
  const name = session.accounts.find(({ id }) => id === account.value)?.name
  const overview = figures?.overview
  return (
    <>
      <PageHead
        title="Overview"
        meta={
          <>
            {name ?? 'all accounts'}
            {figures ? (
              <>
                , as of <Time at={figures.at} form="time" />
              </>
            ) : null}
          </>
        }
        actions={
          <Segments
            label="Figures of"
            value={window}
            options={WINDOWS}
            onValue={(chosen) => setQuery({ window: chosen === '24h' ? null : chosen })}
          />
        }
      />
      <Warnings session={session} />
      {figures && failure ? (
        <StaleNote failure={failure} since={failingSince} of={figures.at} every="every 15 seconds" onRetry={reload} />
      ) : null}
      {overview ? (
        <div class={behind ? 'stack wide behind' : 'stack wide'} aria-busy={behind}>
          <Alarms alarms={overview.alarms} accounts={session.accounts} />
          <Tiles overview={overview} />
          <Chart overview={overview} />
          <div class="columns top">
            <div class="stack">
              <Refusals overview={overview} />
              <ExpiringKeys keys={overview.keys.expiring} accounts={session.accounts} />
              {overview.service ? <Endpoints service={overview.service} /> : null}
            </div>
            <div class="stack">
              <Crafts overview={overview} />
              {overview.service ? <Snapshots service={overview.service} /> : null}
              {overview.service ? <Replica service={overview.service} /> : null}
            </div>
          </div>
        </div>
      ) : failure ? (
        <ErrorState failure={failure} onRetry={reload} />
      ) : (
        <Loading lines={6} />
      )}
    </>
  )
}
