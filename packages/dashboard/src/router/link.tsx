import type { ComponentChildren } from 'preact'
import { addressOf, navigate } from './router.ts'

/** Tells whether a click is for the page: one that opens a tab or a window is the browser's. */
function isOurs(event: MouseEvent): boolean {
  return event.button === 0 && !event.defaultPrevented && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

/** Properties of a link. */
interface LinkProps {
  /** Relative to the page's base, such as `keys`. */
  readonly to: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly onClick?: () => void
  readonly 'aria-label'?: string
  readonly 'aria-current'?: 'page' | undefined
}

/** A link within the page; it opens in a tab of its own as any other does. */
export function Link({ to, children, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={addressOf(to)}
      onClick={(event) => {
        if (!isOurs(event)) return
        event.preventDefault()
        onClick?.()
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}
