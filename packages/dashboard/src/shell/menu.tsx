import type { ComponentChildren } from 'preact'
import { useModal } from '../parts/dialog/use-modal.ts'
import { Button } from '../parts/form/button.tsx'

/** The sheet with the navigation, on a phone. */
export function Menu({ onClose, children }: { readonly onClose: () => void; readonly children: ComponentChildren }) {
  const element = useModal()
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
