import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'

/** The sheet with the navigation, on a phone. */
export function Menu({ onClose, children }: { readonly onClose: () => void; readonly children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = element
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by the browser; a click beside it does too.
    <dialog
      ref={element}
      class="sheet"
      aria-label="Menu"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose()
      }}
    >
      <div class="sheet-in">
        <Button kind="quiet" icon="close" label="Close the menu" onClick={onClose} />
        {children}
      </div>
    </dialog>
  )
}
