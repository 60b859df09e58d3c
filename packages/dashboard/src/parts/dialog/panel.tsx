import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { narrow } from '../../state/media.ts'
import { Button } from '../form/button.tsx'
import { Toasts } from '../notice/toasts.tsx'
import { useModal } from './use-modal.ts'

/** Properties of a panel at the right, above a list. */
interface PanelProps {
  readonly title: string
  /** Beside the title, before the button that closes. */
  readonly actions?: ComponentChildren
  /** Escape, or its button. */
  readonly onClose: () => void
  /** `j` and `k`, or the arrows, while the panel has the focus: the next one, or the one before. */
  readonly onMove?: (step: 1 | -1) => void
  readonly children: ComponentChildren
}

/** One thing out of a list, beside it: the list stays in use. On a phone it covers everything, as a dialog does. Its title takes the focus when it is opened. */
export function Panel(props: PanelProps) {
  return narrow.value ? <Covering {...props} /> : <Beside {...props} />
}

function Beside(props: PanelProps) {
  const id = useId()
  const { onClose } = props
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    // Also from the list; but not out of a field or a dialog, where Escape has a meaning of its own.
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return
      if (event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return (
    <section class="panel" aria-labelledby={id} onKeyDown={(event) => steps(event, props)}>
      <Inside {...props} id={id} />
    </section>
  )
}

function Covering(props: PanelProps) {
  const id = useId()
  const element = useModal()
  return (
    <dialog
      ref={element}
      class="panel"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        props.onClose()
      }}
      onKeyDown={(event) => steps(event, props)}
    >
      <Inside {...props} id={id} />
      {/* What is told at the foot of the window lies below it, out of reach. */}
      <Toasts />
    </dialog>
  )
}

function Inside({ title, actions, onClose, children, id }: PanelProps & { readonly id: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <header>
        <h2 ref={heading} id={id} tabIndex={-1}>
          {title}
        </h2>
        <div class="actions">
          {actions}
          <Button kind="quiet" icon="close" label="Close" onClick={onClose} />
        </div>
      </header>
      {children}
    </>
  )
}

const MOVES: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 }

function steps(event: KeyboardEvent, { onMove }: PanelProps): void {
  const step = MOVES[event.key]
  if (step === undefined || !onMove || event.metaKey || event.ctrlKey || event.altKey) return
  if (event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
  event.preventDefault()
  onMove(step)
}
