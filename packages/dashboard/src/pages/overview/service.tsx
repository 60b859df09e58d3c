import type { Endpoint, ServiceState, SnapshotAge } from '../../api/overview.ts'
import { Card } from '../../parts/layout/card.tsx'
import { State, Tag } from '../../parts/value/state.tsx'
import { Distance, Time } from '../../parts/value/time.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { named } from '../../state/names.ts'
import { count } from '../../text/amount.ts'
import { networkName } from '../../text/networks.ts'
import { ageText, byUrgency, endpointName, msText } from './figures.ts'

/** Endpoints as the replica that answered has found them, those first that need a look. */
export function Endpoints({ service: { endpoints } }: { readonly service: ServiceState }) {
  return (
    <Card title="Endpoints" about="of this replica">
      {endpoints.length === 0 ? (
        <p class="body muted">None is configured.</p>
      ) : (
        <ul class="rows">
          {byUrgency(endpoints).map((endpoint) => (
            <EndpointRow key={`${endpointName(endpoint)} ${endpoint.position}`} endpoint={endpoint} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Shows the age of the staking-info of each network, in the replica that answered. */
export function Snapshots({ service: { snapshots } }: { readonly service: ServiceState }) {
  return (
    <Card title="Staking-info" about="of this replica">
      {snapshots.length === 0 ? (
        <p class="body muted">No protocol is enabled.</p>
      ) : (
        <ul class="rows">
          {snapshots.map((snapshot) => (
            <SnapshotRow key={`${snapshot.protocol} ${snapshot.network}`} snapshot={snapshot} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Shows what the replica that answered is. */
export function Replica({ service }: { readonly service: ServiceState }) {
  return (
    <Card title="Service" about="this replica">
      <div class="body">
        <Facts service={service} />
      </div>
    </Card>
  )
}

function EndpointRow({ endpoint }: { readonly endpoint: Endpoint }) {
  const { host, state, ms, last_error: error, since } = endpoint
  const failing = state === 'failing' || state === 'resting'
  return (
    <li>
      <span class="what">
        {endpointName(endpoint, named.value)} <span class="muted break">{host}</span>
        {failing ? (
          <span class="small muted below">
            {error ?? 'It failed'}
            {since === null ? null : (
              <>
                , since <Distance at={since} />
              </>
            )}
            {state === 'resting' ? '; others are asked first' : ''}
          </span>
        ) : null}
        {state === 'behind' ? (
          <span class="small muted below">It is asked last: its newest block is over 20 s older than another one’s</span>
        ) : null}
        {state === 'slow' ? <span class="small muted below">Another one is asked first: it takes half as long</span> : null}
      </span>
      <span class="right">
        {ms === null || failing ? null : <span class="num muted">{msText(ms)}</span>}
        <EndpointTag state={state} />
      </span>
    </li>
  )
}

function EndpointTag({ state }: Pick<Endpoint, 'state'>) {
  if (state === 'failing') return <Tag kind="bad">Fails</Tag>
  if (state === 'resting') return <Tag kind="warn">Rests</Tag>
  if (state === 'behind') return <Tag kind="warn">Behind</Tag>
  if (state === 'slow') return <Tag kind="warn">Slow</Tag>
  return state === 'ok' ? <State kind="ok">Answers</State> : <State kind="off">Not asked yet</State>
}

function SnapshotRow({ snapshot: { protocol, network, age_seconds: age, stale } }: { readonly snapshot: SnapshotAge }) {
  return (
    <li>
      <span class="what">
        <Link to={pathTo(['protocols', protocol, network])}>{protocol}</Link>{' '}
        <span class="muted break">{networkName(named.value, network, protocol)}</span>
      </span>
      <span class="right">
        {age === null ? <Tag kind="warn">Not complete</Tag> : <span class="num muted">{ageText(age)}</span>}
        {age !== null && stale ? <Tag kind="warn">Stale</Tag> : null}
      </span>
    </li>
  )
}

function Facts({
  service: { replica, started, database, version, audit_unsaved: unsaved, following },
}: {
  readonly service: ServiceState
}) {
  return (
    <dl class="kv">
      <dt>Replica</dt>
      <dd class="mono">{replica}</dd>
      <dt>Serves since</dt>
      <dd>
        <Time at={started} />
      </dd>
      <dt>Version</dt>
      <dd>{version}</dd>
      <dt>Database</dt>
      <dd>{database === 'sqlite' ? 'SQLite, embedded' : 'PostgreSQL'}</dd>
      <dt>Audit records</dt>
      <dd>{unsaved === 0 ? <State kind="ok">All saved</State> : <Tag kind="warn">{count(unsaved)} not saved yet</Tag>}</dd>
      <dt>Following</dt>
      <dd>
        <Following of={following} />
      </dd>
    </dl>
  )
}

/** Whether transactions and positions are looked at when they are due. A service of an older version does not say. */
function Following({ of }: { readonly of: ServiceState['following'] | undefined }) {
  if (of === undefined || of.status === 'unknown') return <span class="muted">Not known</span>
  if (of.status === 'up') return <State kind="ok">On time</State>
  return <Tag kind="warn">{of.due_age_seconds === null ? 'Late' : `${ageText(of.due_age_seconds)} late`}</Tag>
}
