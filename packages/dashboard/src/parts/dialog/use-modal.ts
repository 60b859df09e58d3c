import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Opens the `<dialog>` that it is given to, above the page, for as long as it is drawn. It is closed before it is taken away: only then does the browser give the focus back. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = element
    current?.showModal()
    return () => current?.close()
  }, [])
  return element
}
