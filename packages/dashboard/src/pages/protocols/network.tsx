import { useEffect, useRef } from 'preact/hooks'
import type { ApiFailure } from '../../api/failure.ts'
import type { Protocol, ProtocolNetwork, SandboxState } from '../../api/protocols.ts'
import type { Session } from '../../api/types.ts'
import { Select } from '../../parts/form/select.tsx'
import { Card } from '../../parts/layout/card.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { StaleNote } from '../../parts/notice/failure-note.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Time } from '../../parts/value/time.tsx'
import { readIntentList } from '../../realm/intent-list.ts'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { navigate } from '../../router/router.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { networkName } from '../../text/networks.ts'
import { Actions } from './actions.tsx'
import { Conditions } from './condition.tsx'
import { Info } from './info.tsx'
import { Terms } from './terms.tsx'

/** One network of a protocol: what staking there means, what a customer pins, and what can be crafted. `at` is when it was read, in milliseconds since 1970. */
export function NetworkView({
  protocol,
  network,
  at,
  account,
  session,
  failure,
  onRetry,
}: {
  readonly protocol: Protocol
  readonly network: ProtocolNetwork
  readonly at: number
  readonly account: string
  readonly session: Session
  readonly failure: ApiFailure | undefined
  readonly onRetry: () => void
}) {
  const head = useRef<HTMLDivElement>(null)
  // It is gone to from a row, which is no longer there.
  useEffect(() => head.current?.querySelector('h1')?.focus({ preventScroll: true }), [])
  const { value: sandbox } = useResource('sandbox', async (signal) =>
    session.sandbox ? api.call<SandboxState>('sandbox', { signal }) : undefined,
  )
  const { value: intents } = useResource('intents', () => readIntentList(document.baseURI))
  const { staking_info: info, staking_info_age_seconds: age } = network
  return (
    <>
      <div ref={head} class="crumbed">
        <Link to="protocols" class="small">
          Protocols
        </Link>
        <PageHead
          title={protocol.title}
          meta={networkName([protocol], network.network)}
          actions={
            protocol.networks.length > 1 ? (
              <Select
                label="Network"
                value={network.network}
                options={protocol.networks.map((each) => ({
                  value: each.network,
                  label: `${networkName([protocol], each.network)}${each.default ? ', the default' : ''}`,
                }))}
                onValue={(chosen) => navigate(pathTo(['protocols', protocol.protocol, chosen]))}
              />
            ) : undefined
          }
        />
        <p class="muted">
          {aboutOf(protocol)} The operator calls this network “{network.name}”. Plugin {protocol.protocol} {protocol.version}.
        </p>
      </div>
      {failure ? <StaleNote failure={failure} of={new Date(at).toISOString()} onRetry={onRetry} /> : null}
      {intents === undefined || intents.some(({ plugins }) => plugins.includes(protocol.protocol)) ? null : (
        <Note>This page cannot check the bytes of this protocol: its plugin brings no intent for it, by svc.intent of its manifest.</Note>
      )}
      <Conditions network={network} at={at} />
      <div class="columns top">
        <Card title="Staking" about={age === null ? null : <Age at={at - age * 1000} />}>
          <div class="body">
            {info === null ? (
              <Note kind="warn">
                It was not read to the end yet. The service goes on asking the chain; until then GET {protocol.path}/staking-info is refused
                with 503.
              </Note>
            ) : (
              <Info info={info} symbol={protocol.symbol} />
            )}
          </div>
        </Card>
        <Terms network={network} protocol={protocol} account={account} session={session} />
      </div>
      <Actions key={network.network} protocol={protocol} network={network} sandbox={sandbox} />
    </>
  )
}

/** The summary without the title that stands above it. */
function aboutOf({ title, summary }: Protocol): string {
  return summary.startsWith(`${title}. `) ? summary.slice(title.length + 2) : summary
}

function Age({ at }: { readonly at: number }) {
  return (
    <>
      read from the chain <Time at={new Date(at).toISOString()} relative />
    </>
  )
}
