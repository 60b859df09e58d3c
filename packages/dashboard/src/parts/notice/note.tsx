import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../layout/icon.tsx'

const PICTURES = { ok: 'check', warn: 'warn', bad: 'warn', plain: 'ring' } as const satisfies Readonly<Record<string, IconName>>

/** A sentence or two that stand out. `alert` reads it out at once. */
export function Note({
  kind = 'plain',
  alert = false,
  children,
}: {
  readonly kind?: keyof typeof PICTURES
  readonly alert?: boolean
  readonly children: ComponentChildren
}) {
  return (
    <div class={`note-box ${kind}`} {...(alert ? { role: 'alert' } : {})}>
      <Icon name={PICTURES[kind]} />
      <div>{children}</div>
    </div>
  )
}
