import { type ApiKey, createKey, type NewApiKey } from '../../api/keys.ts'
import type { Session } from '../../api/types.ts'
import { isAbort } from '../../state/abort.ts'
import { utc } from '../../state/preferences.ts'
import { asFailure } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { tell } from '../../state/toast.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { type Farewell, farewellTo } from './farewell.ts'
import { changesOf, draftOf, emptyDraft, inputOf } from './form.ts'
import { FormDialog } from './form-dialog.tsx'
import { RollDialog } from './roll-dialog.tsx'
import type { Keys } from './use-keys.ts'
import { ValueDialog } from './value-dialog.tsx'

/** Question that is asked above the page. */
export type KeyQuestion =
  | { readonly kind: 'create' }
  | { readonly kind: 'change' | 'roll' | 'delete'; readonly key: ApiKey }
  | { readonly kind: 'value'; readonly made: NewApiKey; readonly old?: { readonly key: ApiKey; readonly farewell: Farewell } }

/** The dialogs of the page, one at a time. A value stands in `asked` alone, and goes with it. */
export function KeyDialogs({
  asked: request,
  session,
  account,
  keys,
  onAsk,
  onGone,
}: {
  readonly asked: KeyQuestion | null
  readonly session: Session
  /** That is looked at; null: all, or the token's own. */
  readonly account: string | null
  readonly keys: Keys
  readonly onAsk: (next: KeyQuestion | null) => void
  /** The key that was open is no more. */
  readonly onGone: () => void
}) {
  const close = () => onAsk(null)
  const show = (newKey: NewApiKey, old?: { readonly key: ApiKey; readonly farewell: Farewell }) => {
    const { key: _value, ...record } = newKey
    keys.put(record)
    onAsk({ kind: 'value', made: newKey, ...(old ? { old } : {}) })
  }
  if (request === null) return null
  if (request.kind === 'create') {
    const operator = session.kind === 'operator'
    const [only, second] = session.accounts
    const begin = emptyDraft(operator ? (account ?? (second === undefined && only ? only.id : '')) : null)
    return (
      <FormDialog
        title="Create key"
        about="Its value is shown once, in the next step."
        begin={begin}
        {...(operator ? { accounts: session.accounts } : {})}
        does={['Create key', 'Creating']}
        unknown="Whether the key was made is not known: look for it in the list before you try again."
        onDone={async (draft) => show(await createKey(api, inputOf(draft, Date.now(), utc.peek()), draft.account))}
        onClose={close}
      />
    )
  }
  if (request.kind === 'value') {
    const { made: keyToShow, old } = request
    return (
      <ValueDialog
        made={keyToShow}
        onClose={() => {
          close()
          if (old) void sayFarewell(keys, old.key, old.farewell)
        }}
      />
    )
  }
  const { kind, key } = request
  if (kind === 'delete') {
    return (
      <DeleteDialog
        apiKey={key}
        onClose={close}
        onDelete={async () => {
          await keys.remove(key.ulid)
          close()
          tell({ text: `“${key.name}” is deleted.` })
          onGone()
        }}
      />
    )
  }
  if (kind === 'roll') {
    const names = new Set(keys.list?.keys.map(({ name }) => name))
    return <RollDialog apiKey={key} taken={names} onMade={(successor, farewell) => show(successor, { key, farewell })} onClose={close} />
  }
  return (
    <FormDialog
      title={`Change “${key.name}”`}
      begin={draftOf(key)}
      kept={key.expirationDate}
      does={['Save', 'Saving']}
      onDone={async (draft) => {
        const changes = changesOf(key, draft, Date.now(), utc.peek())
        if (changes) {
          const { name } = await keys.change(key.ulid, changes)
          tell({ text: `“${name}” is changed.` })
        }
        close()
      }}
      onClose={close}
    />
  )
}

/** Ends the key whose place was taken, as it was chosen. */
async function sayFarewell(keys: Keys, key: ApiKey, farewell: Farewell): Promise<void> {
  const changes = farewellTo(key, farewell, Date.now())
  if (changes === null) return
  try {
    await keys.change(key.ulid, changes)
    const undo = async () => {
      await keys.change(key.ulid, 'active' in changes ? { active: true } : { expirationDate: key.expirationDate })
    }
    tell({
      text:
        'active' in changes ? `“${key.name}” is turned off.` : `“${key.name}” ends in ${farewell === '1' ? 'a day' : `${farewell} days`}.`,
      undo,
    })
  } catch (error) {
    if (!isAbort(error)) tell({ text: `“${key.name}” goes on as before. ${asFailure(error).message}`, bad: true })
  }
}
