import type { ComponentChildren } from 'preact'

/** Title of a page, what it counts, and what can be done there. The title takes the focus when the page is gone to. */
export function PageHead({
  title,
  meta,
  actions,
}: {
  readonly title: string
  readonly meta?: ComponentChildren
  readonly actions?: ComponentChildren
}) {
  return (
    <div class="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {meta ? <span class="meta num">{meta}</span> : null}
      {actions ? <div class="actions">{actions}</div> : null}
    </div>
  )
}
