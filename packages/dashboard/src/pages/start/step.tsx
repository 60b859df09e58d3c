import type { ComponentChildren } from 'preact'
import { Icon } from '../../parts/layout/icon.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'

/** One step of the way: its number or a tick, its title, and what it shows once it is reached. */
export function Step({
  place,
  state,
  title,
  children,
}: {
  readonly place: number
  readonly state: 'done' | 'now' | 'later'
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <li class={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span class="mark" aria-hidden="true">
        {state === 'done' ? <Icon name="check" /> : place}
      </span>
      <div class="stack">
        <h3>
          {title}
          {state === 'done' ? <span class="hidden-visually">, done</span> : null}
        </h3>
        {children}
      </div>
    </li>
  )
}

/** The same in a program or a shell, folded. */
export function Same({ title, text }: { readonly title: string; readonly text: string }) {
  if (text === '') return null
  return (
    <details class="same">
      <summary>{title}</summary>
      <div class="stack">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
        <code class="code" tabIndex={0} role="group" aria-label={title}>
          {text}
        </code>
        <span>
          <Copy text={text} />
        </span>
      </div>
    </details>
  )
}
