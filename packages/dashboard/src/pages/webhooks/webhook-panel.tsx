import { changeWebhook, type Webhook } from '../../api/webhooks.ts'
import { Panel } from '../../parts/dialog/panel.tsx'
import { Button } from '../../parts/form/button.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { FailureNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Address } from '../../parts/value/address.tsx'
import { Fact } from '../../parts/value/fact.tsx'
import { Time } from '../../parts/value/time.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { useAction } from '../../state/action.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { tell } from '../../state/toast.ts'
import { count } from '../../text/amount.ts'
import { Deliveries } from './deliveries.tsx'
import { TestPing } from './test-ping.tsx'
import type { WebhookQuestion } from './webhook-dialogs.tsx'
import { WebhookState } from './webhook-state.tsx'
import { eventsText, nameOf } from './words.ts'

/** Subject of the panel. */
interface WebhookPanelProps {
  readonly ulid: string
  /** Webhook as the list knows it. */
  readonly known: Webhook | undefined
  /** Name of its account, where there are several. */
  readonly nameOf: ((id: string) => string) | null
  readonly onAsk: (request: WebhookQuestion) => void
  /** It is no longer as the list has it. */
  readonly onChanged: () => void
  readonly onClose: () => void
  readonly onMove: (step: 1 | -1) => void
}

/** One webhook beside the list: its state and why, what can be done with it, and what was sent. */
export function WebhookPanel({ ulid, known: row, onClose, onMove, ...rest }: WebhookPanelProps) {
  const { value, failure, reload } = useResource(`webhook ${row === undefined} ${ulid}`, async (signal) =>
    row ? row : api.call<Webhook>(`webhooks/${encodeURIComponent(ulid)}`, { signal }),
  )
  const webhook = row ?? value
  return (
    <Panel title={webhook ? nameOf(webhook) : 'Webhook'} onClose={onClose} onMove={onMove}>
      {webhook ? (
        <Known key={ulid} webhook={webhook} {...rest} />
      ) : failure ? (
        <ErrorState failure={failure} onRetry={reload} />
      ) : (
        <Loading lines={6} />
      )}
    </Panel>
  )
}

function Known({
  webhook,
  nameOf: nameOfAccount,
  onAsk,
  onChanged,
}: Pick<WebhookPanelProps, 'nameOf' | 'onAsk' | 'onChanged'> & { readonly webhook: Webhook }) {
  const { ulid, status } = webhook
  const { busy, failure, run } = useAction()
  const enable = (enabled: boolean) =>
    run(async () => {
      await changeWebhook(api, ulid, { enabled })
      onChanged()
      const undo = async () => {
        await changeWebhook(api, ulid, { enabled: !enabled })
        onChanged()
      }
      tell({ text: `${nameOf(webhook)} is ${enabled ? 'enabled' : 'disabled'}.`, ...(enabled ? {} : { undo }) })
    })
  return (
    <>
      <section>
        <p class="key-says">
          <WebhookState of={webhook} />
          {status === 'enabled' ? <span class="muted">It is sent what happens.</span> : null}
        </p>
        <Why webhook={webhook} />
        <div class="toolbar">
          <Button onClick={() => onAsk({ kind: 'change', webhook })}>Change</Button>
          <Button onClick={() => onAsk({ kind: 'rotate', webhook })}>Rotate secret</Button>
          <Button busy={busy} onClick={() => void enable(status === 'disabled')}>
            {status === 'disabled' ? 'Enable' : 'Disable'}
          </Button>
          <Button onClick={() => onAsk({ kind: 'replay', webhook })}>Replay</Button>
          <Button kind="danger" onClick={() => onAsk({ kind: 'delete', webhook })}>
            Delete
          </Button>
        </div>
        {failure ? <FailureNote failure={failure} /> : null}
      </section>
      <TestPing webhook={webhook} onSent={onChanged} />
      <Facts of={webhook} nameOf={nameOfAccount} />
      <Deliveries webhook={webhook} />
    </>
  )
}

/** Says why nothing arrives, or may not. */
function Why({ webhook: { status, reason, failing_since, paused_until, backlog, public_key } }: { readonly webhook: Webhook }) {
  return (
    <>
      {status === 'enabled' ? null : (
        <Note kind={status === 'failing' ? 'warn' : 'bad'}>
          {reason ?? (status === 'failing' ? 'Its last attempt failed.' : 'Nothing is sent to it.')}
          {failing_since === null ? null : (
            <>
              {' '}
              Every attempt has failed since <Time at={failing_since} />.
            </>
          )}
          {paused_until === null ? null : (
            <>
              {' '}
              It asked to be left alone until <Time at={paused_until} />.
            </>
          )}
          {status === 'disabled' ? ' Enable it, and replay the time that it has missed.' : ''}
        </Note>
      )}
      {backlog.missed === 0 ? null : (
        <Note kind="warn">
          {count(backlog.missed)} events were not queued, since as many waited as may
          {backlog.missed_since === null ? null : (
            <>
              , from <Time at={backlog.missed_since} /> on
            </>
          )}
          . Replay that time.
        </Note>
      )}
      {public_key === null ? <Note kind="warn">Its secret cannot be worked out any more, so nothing can be signed: rotate it.</Note> : null}
    </>
  )
}

function Facts({ of, nameOf: nameOfAccount }: { readonly of: Webhook; readonly nameOf: ((id: string) => string) | null }) {
  const { ulid, url, account, description, events, protocols, rewards_threshold, public_key, old_secret_until, backlog } = of
  const thresholds = Object.entries(rewards_threshold ?? {})
  return (
    <section>
      <h3>Settings</h3>
      <dl class="kv">
        <Fact name="Address">
          <Address text={url} what="address" whole />
        </Fact>
        <Fact name="Account">{nameOfAccount && account !== undefined ? nameOfAccount(account) : null}</Fact>
        <Fact name="Description">
          <span class={description === null ? 'muted' : 'lines'}>{description ?? 'none'}</span>
        </Fact>
        <Fact name="Events">{eventsText(events)}</Fact>
        <Fact name="Protocols">{protocols === null ? 'every protocol' : protocols.join(', ')}</Fact>
        <Fact name="Rewards from">
          {thresholds.length === 0
            ? null
            : thresholds.map(([protocol, amount]) => (
                <div key={protocol}>
                  <span class="mono">{amount}</span> on {protocol}
                </div>
              ))}
        </Fact>
        <Fact name="Waiting">
          {count(backlog.waiting)}
          {backlog.next_at === null ? null : (
            <>
              , the first at <Time at={backlog.next_at} />
            </>
          )}
        </Fact>
        <Fact name="Public key">{public_key === null ? null : <Address text={public_key} what="public key" whole />}</Fact>
        <Fact name="Old secret">
          {old_secret_until === null ? null : Date.parse(old_secret_until) > Date.now() ? (
            <>
              signs too, until <Time at={old_secret_until} />
            </>
          ) : (
            'signs no more'
          )}
        </Fact>
        <Fact name="Id">
          <Address text={ulid} what="id" whole />
        </Fact>
        <Fact name="Created">
          <Time at={of.created_at} />
        </Fact>
      </dl>
      <p>
        <Link to={pathTo(['activity'], { target: ulid, period: 'all' })}>Changes on record</Link>
      </p>
    </section>
  )
}
