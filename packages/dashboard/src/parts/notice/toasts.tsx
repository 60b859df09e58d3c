import { useEffect, useState } from 'preact/hooks'
import { useShortcut } from '../../shell/keys.ts'
import { isAbort } from '../../state/abort.ts'
import { asFailure } from '../../state/resource.ts'
import { quiet, type Toast, tell, toast } from '../../state/toast.ts'
import { Button } from '../form/button.tsx'
import { Icon } from '../layout/icon.tsx'

/** Time for which a toast is shown, in milliseconds; not while the pointer or the focus is on it. A choice of this project. */
const SHOWN_MS = 10_000

/** Shows what was done, at the foot of the window. */
export function Toasts() {
  const { value } = toast
  return (
    // Always there: what is put in is read out.
    <div class="toasts" role="status">
      {value ? <Told key={value.text} told={value} /> : null}
    </div>
  )
}

function Told({ told: notice }: { readonly told: Toast }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = window.setTimeout(() => quiet(notice), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [notice, isHeld])
  const [hold, release] = [() => setHeld(true), () => setHeld(false)]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while it is looked at.
    <div class="toast" onMouseEnter={hold} onFocusIn={hold} onMouseLeave={release} onFocusOut={release}>
      <Icon name={notice.bad ? 'warn' : 'check'} />
      <span>{notice.text}</span>
      {notice.undo ? <Undo told={notice} undo={notice.undo} /> : null}
      <Button kind="quiet" icon="close" label="Dismiss" onClick={() => quiet(notice)} />
    </div>
  )
}

function Undo({ told: notice, undo }: { readonly told: Toast; readonly undo: () => Promise<void> }) {
  const run = async () => {
    quiet(notice)
    try {
      await undo()
    } catch (error) {
      if (!isAbort(error)) tell({ text: `That was not taken back. ${asFailure(error).message}`, bad: true })
    }
  }
  useShortcut('u', 'Undo', () => void run())
  return (
    <Button onClick={() => void run()}>
      Undo <kbd>u</kbd>
    </Button>
  )
}
