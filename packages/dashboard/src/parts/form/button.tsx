import type { ComponentChildren, JSX, Ref } from 'preact'
import { Icon, type IconName } from '../layout/icon.tsx'

/** `primary` is the one action of a view, `danger` cannot be undone, `confirm` is the danger itself, `quiet` stands beside others. */
export type ButtonKind = 'plain' | 'primary' | 'danger' | 'confirm' | 'quiet'

const CLASSES: Readonly<Record<ButtonKind, string>> = {
  plain: 'btn',
  primary: 'btn primary',
  danger: 'btn danger',
  confirm: 'btn danger primary',
  quiet: 'btn quiet',
}

/** Properties of a button besides those of any button of HTML. */
interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'icon' | 'kind' | 'ref'> {
  readonly kind?: ButtonKind
  readonly icon?: IconName
  /** Says what a button without text does. */
  readonly label?: string
  /** True while the action that the button began is under way: the button takes no second click, and keeps the focus. */
  readonly busy?: boolean
  readonly buttonRef?: Ref<HTMLButtonElement>
  readonly children?: ComponentChildren
}

/** A button; it submits nothing unless its `type` says so. */
export function Button({ kind = 'plain', icon, label, busy = false, buttonRef, children, onClick, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      {...(buttonRef ? { ref: buttonRef } : {})}
      type={type}
      class={`${CLASSES[kind]}${children === undefined ? ' square' : ''}`}
      aria-label={label}
      title={label}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  )
}
