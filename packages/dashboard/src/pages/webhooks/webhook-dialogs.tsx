import type { Session } from '../../api/types.ts'
import { changeWebhook, createWebhook, type NewWebhook, removeWebhook, type Webhook } from '../../api/webhooks.ts'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Time } from '../../parts/value/time.tsx'
import { api } from '../../state/session.ts'
import { tell } from '../../state/toast.ts'
import { count } from '../../text/amount.ts'
import { changesOf, draftOf, emptyDraft, inputOf } from './form.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { hostOf, nameOf } from './words.ts'

/** Question that is asked above the page. */
export type WebhookQuestion =
  | { readonly kind: 'create' }
  | { readonly kind: 'change' | 'rotate' | 'replay' | 'delete'; readonly webhook: Webhook }
  | { readonly kind: 'secret'; readonly made: NewWebhook }

/** The dialogs of the page, one at a time. A secret stands in `asked` alone, and goes with it. */
export function WebhookDialogs({
  asked: request,
  session,
  account,
  onAsk,
  onChanged,
  onGone,
}: {
  readonly asked: WebhookQuestion | null
  readonly session: Session
  /** That is looked at; null: all, or the token's own. */
  readonly account: string | null
  readonly onAsk: (next: WebhookQuestion | null) => void
  readonly onChanged: () => void
  /** The webhook that was open is no more. */
  readonly onGone: () => void
}) {
  const close = () => onAsk(null)
  const show = (addition: NewWebhook) => {
    onChanged()
    onAsk({ kind: 'secret', made: addition })
  }
  if (request === null) return null
  if (request.kind === 'create') {
    const operator = session.kind === 'operator'
    const [only, second] = session.accounts
    return (
      <WebhookForm
        title="Create webhook"
        about="Its secret is shown once, in the next step."
        begin={emptyDraft(operator ? (account ?? (second === undefined && only ? only.id : '')) : null)}
        {...(operator ? { accounts: session.accounts } : {})}
        does={['Create webhook', 'Creating']}
        unknown="Whether the webhook was made is not known: look for it in the list before you try again."
        onDone={async (draft) => show(await createWebhook(api, inputOf(draft), draft.account))}
        onClose={close}
      />
    )
  }
  if (request.kind === 'secret') return <Secret made={request.made} onClose={close} />
  const { kind, webhook } = request
  if (kind === 'rotate') return <RotateDialog webhook={webhook} onMade={show} onClose={close} />
  if (kind === 'replay') return <ReplayDialog webhook={webhook} onDone={onChanged} onClose={close} />
  if (kind === 'delete') {
    const { waiting } = webhook.backlog
    return (
      <ConfirmDialog
        title={`Delete ${nameOf(webhook)}`}
        about="Nothing is sent to it any more, and its secret and what waits for it are gone. To be able to take it back, disable it instead."
        name={hostOf(webhook)}
        noun="webhook"
        onClose={close}
        onDelete={async () => {
          await removeWebhook(api, webhook.ulid)
          close()
          onChanged()
          tell({ text: `${nameOf(webhook)} is deleted.` })
          onGone()
        }}
      >
        <Note kind={waiting > 0 ? 'bad' : 'warn'}>
          {waiting > 0
            ? `${count(waiting)} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'} for it, and will not be sent.`
            : 'A program that relies on it is told of nothing more.'}
        </Note>
      </ConfirmDialog>
    )
  }
  return (
    <WebhookForm
      title={`Change ${nameOf(webhook)}`}
      begin={draftOf(webhook)}
      does={['Save', 'Saving']}
      onDone={async (draft) => {
        const changes = changesOf(webhook, draft)
        if (changes) {
          const changed = await changeWebhook(api, webhook.ulid, changes)
          onChanged()
          tell({ text: `${nameOf(changed)} is changed.` })
        }
        close()
      }}
      onClose={close}
    />
  )
}

function Secret({ made: webhook, onClose }: { readonly made: NewWebhook; readonly onClose: () => void }) {
  const { old_secret_until: until } = webhook
  return (
    <SecretDialog
      title={`Secret of ${nameOf(webhook)}`}
      noun="Secret"
      text={webhook.secret}
      lost="if it is lost, rotate it."
      onClose={onClose}
    >
      <p class="hint muted">
        With it the receiver checks each message: <code>verifyWebhook</code> of <code>@svc/client/webhooks</code>, or any library of
        Standard Webhooks. The public key on the webhook’s page serves as well, and is no secret.
      </p>
      {until !== null && Date.parse(until) > Date.now() ? (
        <Note>
          Until <Time at={until} /> messages are signed with the secret before, too.
        </Note>
      ) : null}
    </SecretDialog>
  )
}
