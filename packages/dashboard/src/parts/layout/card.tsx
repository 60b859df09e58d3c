import type { ComponentChildren } from 'preact'

/** A framed part of a page with its title. What it holds has the frame's own edges: put text into a `body`. */
export function Card({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string
  /** Beside the title, small. */
  readonly about?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        {about ? <span class="muted small">{about}</span> : null}
        {actions ? <div class="actions">{actions}</div> : null}
      </header>
      {children}
    </section>
  )
}
