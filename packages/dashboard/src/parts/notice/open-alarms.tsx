import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Alarm } from '../../api/alarms.ts'
import type { Session } from '../../api/types.ts'
import { useAction } from '../../state/action.ts'
import { named } from '../../state/names.ts'
import { dismissAlarm, factsOf, guideOf, openAlarms } from '../../state/open-alarms.ts'
import { count } from '../../text/amount.ts'
import { placeName } from '../../text/networks.ts'
import { QuestionDialog } from '../dialog/question-dialog.tsx'
import { Button } from '../form/button.tsx'
import { Icon } from '../layout/icon.tsx'
import { Amount } from '../value/amount.tsx'
import { Time } from '../value/time.tsx'
import { FailureNote } from './failure-note.tsx'

/** Most alarms of one weight that stand open: the others are behind a press, so that the page is not pushed out of the window. */
const OPEN = 3

/** Above every page: money that can be or is taken. Each stays until somebody of the account has put it away. */
export function CriticalAlarms({ session }: { readonly session: Session }) {
  return <AlarmList severity="critical" title="Alarms" session={session} />
}

/** On the Overview: what somebody of the account should know was them. */
export function Warnings({ session }: { readonly session: Session }) {
  return <AlarmList severity="warning" title="Warnings" session={session} />
}

function AlarmList({
  severity,
  title,
  session,
}: {
  readonly severity: Alarm['severity']
  readonly title: string
  readonly session: Session
}) {
  const [chosen, choose] = useState<Alarm | null>(null)
  const isDone = useRef(false)
  useLayoutEffect(() => {
    if (chosen !== null || !isDone.current) return
    isDone.current = false
    // The button that had the focus is gone with its alarm.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [chosen])
  const alarms = openAlarms.value.alarms.filter((each) => each.severity === severity)
  const item = (alarm: Alarm) => <Item key={alarm.id} alarm={alarm} session={session} onDismiss={() => choose(alarm)} />
  const rest = alarms.slice(OPEN)
  return (
    <>
      {alarms.length === 0 ? null : (
        <section class={`open-alarms ${severity}`} aria-label={title}>
          {alarms.slice(0, OPEN).map(item)}
          {rest.length === 0 ? null : (
            <details>
              <summary>
                {count(rest.length)} more{openAlarms.value.more ? ', and others that come as these are put away' : ''}
              </summary>
              {rest.map(item)}
            </details>
          )}
        </section>
      )}
      {chosen === null ? null : (
        <Dismissal
          alarm={chosen}
          onClose={(hasDone) => {
            isDone.current = hasDone
            choose(null)
          }}
        />
      )}
    </>
  )
}

function Item({ alarm, session, onDismiss }: { readonly alarm: Alarm; readonly session: Session; readonly onDismiss: () => void }) {
  const { severity, sentence, protocol, account } = alarm
  const { network, amount, undo_until: undoUntil, last_seen_without: before, first_seen_with: since, confirmed_by: voices } = factsOf(alarm)
  const id = useId()
  const place = placeName(named.value, protocol, network ?? null)
  const whose = session.accounts.length > 1 ? (session.accounts.find(({ id }) => id === account)?.name ?? account) : null
  return (
    <div class="open-alarm">
      <Icon name="warn" />
      <div>
        <p class="break" id={id} role={severity === 'critical' ? 'alert' : 'status'}>
          <strong>{sentence}</strong>
        </p>
        <p class="facts">
          {amount ? (
            <span>
              At stake: <Amount value={amount.amount} {...(amount.unit === null ? {} : { unit: amount.unit })} />
            </span>
          ) : null}
          <span>
            Seen <Time at={since ?? alarm.created_at} />
            {before ? (
              <>
                , not yet <Time at={before} />
              </>
            ) : null}
            {voices ? `, by ${count(voices)} ${voices === 1 ? 'endpoint' : 'endpoints'}` : ''}
          </span>
          {undoUntil === undefined ? null : (
            <span>
              Can be undone until <Time at={undoUntil} />
            </span>
          )}
          {place === null ? null : <span>{place}</span>}
          {whose === null ? null : <span>{whose}</span>}
        </p>
        <p class="toolbar">
          {/* In a tab of its own: a token is kept by this one alone. */}
          <a href={guideOf(alarm)} target="_blank" rel="noopener" aria-describedby={id}>
            What to do now
          </a>
          <Button onClick={onDismiss} aria-describedby={id}>
            Put away
          </Button>
        </p>
      </div>
    </div>
  )
}

function Dismissal({ alarm, onClose }: { readonly alarm: Alarm; readonly onClose: (isDone: boolean) => void }) {
  const { busy, failure, run } = useAction()
  return (
    <QuestionDialog
      title="Put this alarm away?"
      about={alarm.sentence}
      does={['Put away', 'Putting away']}
      kind={alarm.severity === 'critical' ? 'confirm' : 'primary'}
      busy={busy}
      onClose={() => onClose(false)}
      onSubmit={() => void run(() => dismissAlarm(alarm)).then((isDone) => isDone && onClose(true))}
    >
      <p>
        It goes for everybody of the account, and the audit log says that it was you. Nothing on the chain is changed by it: what somebody
        else has gained he still has.
      </p>
      {failure ? <FailureNote failure={failure} /> : null}
    </QuestionDialog>
  )
}
