import { Dialog } from '../parts/dialog/dialog.tsx'
import { Button } from '../parts/form/button.tsx'
import { bound, type Shortcut } from './keys.ts'
import { ShortcutSwitch } from './shortcut-switch.tsx'

/** The sheet that lists the keys, and turns them off. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <List title="On this page" of={distinct(bound.value)} />
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
              {keys.split(/[ +]/).map((key) => (
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

/** Lists each key once, with what it does now: what was bound last is what it does. */
function distinct(all: readonly Shortcut[]): readonly Shortcut[] {
  return [...new Map(all.map((each) => [each.keys, each])).values()]
}
