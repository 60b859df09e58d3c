import type { ComponentChildren } from 'preact'
import { Code } from '../value/code.tsx'

/** Shows what stands where nothing is yet: what will be here, and how it comes about. `command` does it in a terminal. */
export function Empty({
  title,
  children,
  action,
  command,
}: {
  readonly title: string
  readonly children?: ComponentChildren
  readonly action?: ComponentChildren
  readonly command?: string
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {action}
      {command ? <Code text={command} label="Copy command" /> : null}
    </div>
  )
}
