import { useMemo, useState } from 'preact/hooks'
import { readWebhooks, type Webhook } from '../../api/webhooks.ts'
import { Button } from '../../parts/form/button.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { Empty } from '../../parts/notice/empty.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { StaleNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Table } from '../../parts/table/table.tsx'
import { pathTo } from '../../router/path.ts'
import { navigate, route } from '../../router/router.ts'
import { useShortcut } from '../../shell/keys.ts'
import { account } from '../../state/account.ts'
import { useEvery } from '../../state/every.ts'
import { snug } from '../../state/media.ts'
import { type Resource, useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { count } from '../../text/amount.ts'
import type { PageProps } from '../page.ts'
import { columnsOf } from './columns.tsx'
import { WebhookDialogs, type WebhookQuestion } from './webhook-dialogs.tsx'
import { WebhookPanel } from './webhook-panel.tsx'

/** Interval at which the state of the receivers is read again, in milliseconds: a choice of this project. */
const EVERY_MS = 15_000

/** Shows who is told what happened: made, tried, changed, rotated, deleted; and what was sent. */
export function WebhooksPage({ session, rest }: PageProps) {
  const operator = session.kind === 'operator'
  const of = operator ? account.value : null
  const list = useResource(`webhooks ${of ?? ''}`, (signal) => readWebhooks(api, of, signal))
  useEvery(EVERY_MS, () => {
    if (!list.loading) list.reload()
  })
  const [request, setAsked] = useState<WebhookQuestion | null>(null)
  const names = useMemo(() => new Map(session.accounts.map(({ id, name }) => [id, name])), [session.accounts])
  const nameOf = (id: string) => names.get(id) ?? id
  const several = operator && session.accounts.length > 1 && of === null
  const small = snug.value
  const columns = useMemo(() => columnsOf(several ? nameOf : null, small), [several, small, names])
  const [open = null] = rest
  const goTo = (ulid: string | null, replace = false) =>
    navigate(pathTo(ulid === null ? ['webhooks'] : ['webhooks', ulid], Object.fromEntries(route.peek().query)), { replace })
  const create = () => setAsked({ kind: 'create' })
  useShortcut('c', 'Create a webhook', create)
  const hooks = list.value
  return (
    <>
      <PageHead
        title="Webhooks"
        meta={hooks ? count(hooks.length) : null}
        actions={
          hooks?.length === 0 ? null : (
            <Button kind="primary" icon="plus" onClick={create}>
              Create webhook
            </Button>
          )
        }
      />
      <List list={list} columns={columns} open={open} onOpen={(ulid) => goTo(ulid, open !== null)} onCreate={create} />
      {open === null ? null : (
        <WebhookPanel
          ulid={open}
          known={hooks?.find(({ ulid }) => ulid === open)}
          nameOf={operator ? nameOf : null}
          onAsk={setAsked}
          onChanged={() => list.reload()}
          onClose={() => {
            goTo(null)
            focusList()
          }}
          onMove={(step) => {
            const next = hooks?.[hooks.findIndex(({ ulid }) => ulid === open) + step]
            if (next) goTo(next.ulid, true)
          }}
        />
      )}
      <WebhookDialogs
        asked={request}
        session={session}
        account={of}
        onAsk={setAsked}
        onChanged={() => list.reload()}
        onGone={() => {
          goTo(null, true)
          focusList()
        }}
      />
    </>
  )
}

function List({
  list: { value, failure, loading, reload },
  columns,
  open,
  onOpen,
  onCreate,
}: {
  readonly list: Resource<readonly Webhook[]>
  readonly columns: ReturnType<typeof columnsOf>
  readonly open: string | null
  readonly onOpen: (ulid: string) => void
  readonly onCreate: () => void
}) {
  if (!value) return failure && !loading ? <ErrorState failure={failure} onRetry={reload} /> : <Loading lines={5} />
  if (value.length === 0) {
    return (
      <Empty
        title="No webhooks yet"
        action={
          <Button kind="primary" icon="plus" onClick={onCreate}>
            Create the first webhook
          </Button>
        }
      >
        A program of yours is told what happened, in a signed message, at least once: a transaction is final, a withdrawal can be taken, a
        key ends. It asks nothing and waits for nothing.
      </Empty>
    )
  }
  const selection = value.some(({ ulid }) => ulid === open) ? open : null
  return (
    <>
      {failure ? <StaleNote failure={failure} onRetry={reload} /> : null}
      <Table
        label="Webhooks"
        columns={columns}
        rows={value}
        keyOf={({ ulid }) => ulid}
        open={selection}
        onOpen={({ ulid }) => onOpen(ulid)}
      />
      <p class="keys-hint muted small">
        <kbd>c</kbd> create &nbsp; <kbd>j</kbd> <kbd>k</kbd> move &nbsp; <kbd>Enter</kbd> open
      </p>
    </>
  )
}

/** Moves the focus to where the reader goes on after closing what he looked at. */
function focusList(): void {
  requestAnimationFrame(() => {
    const place = document.querySelector<HTMLElement>('main [role="grid"]') ?? document.querySelector<HTMLElement>('main h1')
    place?.focus({ preventScroll: true })
  })
}
