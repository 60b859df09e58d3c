import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { bound, type Shortcut } from './keys.ts'
import { ShortcutSwitch } from './shortcut-switch.tsx'

/** What a table takes while it has the focus. */
const IN_TABLES: readonly Shortcut[] = [
  { keys: 'j k', does: 'Down and up' },
  { keys: 'Enter', does: 'Open' },
]

/** The sheet that lists the keys, and turns them off. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <List title="Anywhere" of={bound.value} />
      <List title="In a table" of={IN_TABLES} />
      <ShortcutSwitch />
    </Dialog>
  )
}

function List({ title, of }: { readonly title: string; readonly of: readonly Shortcut[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="kv shortcuts">
        {of.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
