import { useId, useState } from 'preact/hooks'
import type { ApiKey } from '../api/keys.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { Note } from '../parts/notice/note.tsx'
import { navigate } from '../router/router.ts'
import { account } from '../state/account.ts'
import { named } from '../state/names.ts'
import { useResource } from '../state/resource.ts'
import { api } from '../state/session.ts'
import { soughtBy } from '../text/pasted.ts'
import { looksSecret } from '../text/secret.ts'
import { type Choice, choicesOf } from './finder-choices.ts'

/** Most keys whose names are looked through here; the service finds the records of all others by their whole name. */
const KEYS = 100

/** One field for whatever a reader has at hand, from any page: it leads to records, transactions, keys and pages. */
export function Finder({
  pages,
  onClose,
}: {
  readonly pages: readonly { readonly path: string; readonly title: string }[]
  readonly onClose: () => void
}) {
  const id = useId()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const { value: keys = [] } = useResource(`keys ${account.value ?? ''}`, (signal) =>
    api.call<readonly ApiKey[]>('apikeys', { signal, query: { account: account.value, limit: KEYS } }),
  )
  const secret = looksSecret(text)
  const choices = secret ? [] : choicesOf(text, { protocols: named.value, keys, pages })
  const at = Math.min(place, choices.length - 1)
  const sought = soughtBy(text, named.value)
  const go = (choice: Choice | undefined) => {
    if (!choice) return
    onClose()
    navigate(choice.to)
  }
  return (
    <Dialog title="Find anything" onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label="Find anything"
        aria-expanded={choices.length > 0}
        aria-controls={choices.length > 0 ? id : undefined}
        aria-activedescendant={choices.length > 0 ? `${id}-${at}` : undefined}
        placeholder="Hash, wallet, key, identity, request id, code, protocol or words"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setPlace(0)
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (step !== 0) {
            event.preventDefault()
            setPlace((at + step + choices.length) % Math.max(1, choices.length))
          } else if (event.key === 'Enter' && !event.isComposing) {
            event.preventDefault()
            go(choices[at])
          }
        }}
      />
      {secret ? (
        <Note kind="warn" alert>
          That is the value of a key or token, which is not searched for. Find the key by its name, or delete it if others may have seen its
          value.
        </Note>
      ) : sought.by === 'q' && sought.hint !== null ? (
        <Note>{sought.hint}</Note>
      ) : null}
      {choices.length === 0 ? null : (
        <div class="found" id={id} role="listbox" aria-label="Where it leads">
          {choices.map((choice, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys, and says which is chosen.
            <div
              key={choice.to}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              class="choice"
              onClick={() => go(choice)}
            >
              {choice.label}
            </div>
          ))}
        </div>
      )}
    </Dialog>
  )
}
