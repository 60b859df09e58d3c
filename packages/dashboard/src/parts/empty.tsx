import type { ComponentChildren } from 'preact'
import { Copy } from './copy-button.tsx'

/** Where nothing is yet: what will be here, and how it comes about. `command` does it in a terminal. */
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
      {command ? (
        <div class="command">
          <code class="code">{command}</code>
          <Copy text={command} label="Copy command" bare />
        </div>
      ) : null}
    </div>
  )
}
