import { useState } from 'preact/hooks'
import { type Delivery, type DeliveryPage, readDeliveries, resendDelivery, type Webhook } from '../../api/webhooks.ts'
import { Button } from '../../parts/form/button.tsx'
import { Segments } from '../../parts/form/select.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { FailureNote, StaleNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Address } from '../../parts/value/address.tsx'
import { State, Tag } from '../../parts/value/state.tsx'
import { Distance, Time } from '../../parts/value/time.tsx'
import { useAction } from '../../state/action.ts'
import { useEvery } from '../../state/every.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { tell } from '../../state/toast.ts'
import { DELIVERY_STATES, outcomeOf } from './words.ts'

/** Deliveries of a page. */
const PAGE = 25
/** Most attempts of one. @see packages/core/src/webhooks/schedule.ts */
const MOST_ATTEMPTS = 10
/** Interval at which the newest are read again, in milliseconds: a choice of this project. */
const EVERY_MS = 10_000

type Chosen = Delivery['state'] | ''

/** Shows what was sent, newest first, with how each was received. */
export function Deliveries({ webhook: { ulid, status } }: { readonly webhook: Webhook }) {
  const [state, setState] = useState<Chosen>('')
  const [older, setOlder] = useState<{ readonly of: Chosen; readonly pages: readonly DeliveryPage[] }>({ of: '', pages: [] })
  const more = useAction()
  const chosen = state === '' ? undefined : state
  const { value, failure, loading, reload } = useResource(`deliveries ${ulid} ${state}`, (signal) =>
    readDeliveries(api, ulid, { state: chosen, limit: PAGE }, signal),
  )
  const pages = older.of === state ? older.pages : []
  useEvery(EVERY_MS, () => {
    if (!loading && pages.length === 0) reload()
  })
  const all = [...(value ? [value] : []), ...pages]
  const rows = [...new Map(all.flatMap(({ deliveries }) => deliveries).map((each) => [each.id, each])).values()]
  const next = all.at(-1)?.next ?? null
  return (
    <section aria-label="What was sent">
      <div class="part-head">
        <h3>What was sent</h3>
      </div>
      <Segments label="State of deliveries" value={state} options={DELIVERY_STATES} onValue={setState} />
      {failure && value ? <StaleNote failure={failure} onRetry={reload} /> : null}
      {value ? (
        rows.length === 0 ? (
          <p class="muted">{state === '' ? 'Nothing yet. Send a ping to try it.' : 'None is in this state.'}</p>
        ) : (
          <ul class="deliveries">
            {rows.map((each) => (
              <Row key={each.id} of={each} ulid={ulid} disabled={status === 'disabled'} onSent={reload} />
            ))}
          </ul>
        )
      ) : failure ? (
        <ErrorState failure={failure} onRetry={reload} />
      ) : (
        <Loading lines={4} />
      )}
      {next === null ? null : (
        <Button
          busy={more.busy}
          onClick={() =>
            void more.run(async () => {
              const page = await readDeliveries(api, ulid, { state: chosen, before: next, limit: PAGE })
              setOlder({ of: state, pages: [...pages, page] })
            })
          }
        >
          Show older ones
        </Button>
      )}
      {more.failure ? <FailureNote failure={more.failure} /> : null}
      <p class="muted small">What was delivered is kept for 7 days, what was not for 30.</p>
    </section>
  )
}

function Row({
  of,
  ulid,
  disabled,
  onSent,
}: {
  readonly of: Delivery
  readonly ulid: string
  readonly disabled: boolean
  readonly onSent: () => void
}) {
  const { id, event, type, state, attempts, next_at, created_at, answer } = of
  const { busy, failure, run } = useAction()
  const outcome = outcomeOf(of)
  return (
    <li>
      <div class="step-head">
        <strong>{type ?? 'An event that is no longer kept'}</strong>
        {state === 'delivered' ? <State kind="ok">Delivered</State> : null}
        {state === 'pending' ? <Tag kind="warn">{attempts === 0 ? 'Waiting' : 'Tried again'}</Tag> : null}
        {state === 'dead' ? <Tag kind="bad">Given up</Tag> : null}
        <span class="resend">
          <Button
            kind="quiet"
            busy={busy}
            disabled={disabled || type === null}
            label={`Resend ${type ?? 'the event'} ${event}`}
            onClick={() =>
              void run(async () => {
                await resendDelivery(api, ulid, id)
                onSent()
                tell({ text: `${type ?? 'The event'} is sent again.` })
              })
            }
          >
            Resend
          </Button>
        </span>
      </div>
      <p class="muted small">
        <Time at={created_at} form="both" />, {attempts === 0 ? 'not tried yet' : `attempt ${attempts} of ${MOST_ATTEMPTS}`}
        {next_at === null ? null : (
          <>
            , next <Distance at={next_at} />
          </>
        )}
      </p>
      {outcome === null ? null : (
        <p class="small break">
          {outcome}
          {answer ? (
            <>
              : <code class="break">{answer}</code>
            </>
          ) : (
            '.'
          )}
        </p>
      )}
      <p class="muted small">
        <Address text={event} what="event id" whole />
      </p>
      {failure ? <FailureNote failure={failure} /> : null}
    </li>
  )
}
