import { type ApiKey, readKey } from '../../api/keys.ts'
import { Panel } from '../../parts/dialog/panel.tsx'
import { Button } from '../../parts/form/button.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { FailureNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Address } from '../../parts/value/address.tsx'
import { Distance, Time } from '../../parts/value/time.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { useAction } from '../../state/action.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { type Condition, conditionOf } from './condition.ts'
import { KeyCondition } from './key-condition.tsx'

/** Actions on a key. */
export interface KeyActions {
  onChange(key: ApiKey): void
  onRoll(key: ApiKey): void
  onDelete(key: ApiKey): void
  /** Turns it off or on. */
  onActive(key: ApiKey, active: boolean): Promise<void>
}

/** Subject of the panel. */
interface KeyPanelProps {
  readonly ulid: string
  /** Key as the list knows it. */
  readonly known: ApiKey | undefined
  /** Name of its account, where there are several. */
  readonly nameOf: ((id: string) => string) | null
  readonly actions: KeyActions
  readonly onClose: () => void
  readonly onMove: (step: 1 | -1) => void
}

/**
 * One key beside the list, and what can be done with it. One that the list does not hold, or no longer, is read by its id. The panel itself stays meanwhile: on a phone it
 * would otherwise open anew, above a dialog.
 */
export function KeyPanel({ ulid, known: row, nameOf, actions, onClose, onMove }: KeyPanelProps) {
  const { value, failure, reload } = useResource(`key ${row === undefined} ${ulid}`, async (signal) => row ?? readKey(api, ulid, signal))
  const apiKey = row ?? value
  return (
    <Panel title={apiKey?.name ?? 'Key'} onClose={onClose} onMove={onMove}>
      {apiKey ? (
        <Known key={ulid} apiKey={apiKey} nameOf={nameOf} actions={actions} />
      ) : failure ? (
        <ErrorState failure={failure} onRetry={reload} />
      ) : (
        <Loading lines={6} />
      )}
    </Panel>
  )
}

function Known({ apiKey, nameOf, actions }: Pick<KeyPanelProps, 'nameOf' | 'actions'> & { readonly apiKey: ApiKey }) {
  const { active } = apiKey
  const { busy, failure, run } = useAction()
  return (
    <>
      <section>
        <p class="key-says">
          <KeyCondition of={apiKey} />
          <span class="muted">{SAYS[conditionOf(apiKey, Date.now())]}</span>
        </p>
        <div class="toolbar">
          <Button onClick={() => actions.onChange(apiKey)}>Change</Button>
          <Button onClick={() => actions.onRoll(apiKey)}>Replace</Button>
          <Button busy={busy} onClick={() => void run(() => actions.onActive(apiKey, !active))}>
            {active ? 'Turn off' : 'Turn on'}
          </Button>
          <Button kind="danger" onClick={() => actions.onDelete(apiKey)}>
            Delete
          </Button>
        </div>
        {failure ? <FailureNote failure={failure} /> : null}
      </section>
      <section>
        <Facts of={apiKey} nameOf={nameOf} />
        <p class="key-says">
          <Link to={pathTo(['activity'], { key: apiKey.ulid, period: '30d' })}>What it asked for</Link>
          <Link to={pathTo(['activity'], { target: apiKey.ulid, period: 'all' })}>Changes on record</Link>
        </p>
        <p class="muted small">
          “Last used” is up to a minute late. The value was shown once, when the key was made; nobody can show it again.
        </p>
      </section>
    </>
  )
}

const SAYS: Readonly<Record<Condition, string>> = {
  active: 'It is accepted.',
  soon: 'It is accepted until its end.',
  expired: 'It is refused since its end. Give it another one to use it again.',
  off: 'It is refused until it is turned on.',
}

function Facts({ of, nameOf }: { readonly of: ApiKey; readonly nameOf: ((id: string) => string) | null }) {
  const { ulid, prefix, account, description, createdAt, lastUsedAt, expirationDate } = of
  return (
    <dl class="kv">
      {nameOf && account !== undefined ? (
        <>
          <dt>Account</dt>
          <dd>{nameOf(account)}</dd>
        </>
      ) : null}
      <dt>Description</dt>
      <dd class={description === null ? 'muted' : 'lines'}>{description ?? 'none'}</dd>
      <dt>Key</dt>
      <dd class="mono">{prefix}…</dd>
      <dt>Id</dt>
      <dd>
        <Address text={ulid} what="id" whole />
      </dd>
      <dt>Last used</dt>
      <dd>{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} relative />}</dd>
      <dt>Expires</dt>
      <dd>
        {expirationDate === null ? (
          'never'
        ) : (
          <>
            <Distance at={expirationDate} />, <Time at={expirationDate} />
          </>
        )}
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={createdAt} />
      </dd>
    </dl>
  )
}
