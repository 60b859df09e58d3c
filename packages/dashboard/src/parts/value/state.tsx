import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../layout/icon.tsx'

/** Shows what is normal, and needs no attention: muted words with a small picture. */
export function State({ kind, children }: { readonly kind: 'ok' | 'off' | 'pending'; readonly children: ComponentChildren }) {
  return (
    <span class={kind === 'ok' ? 'state ok' : 'state'}>
      <Icon name={kind === 'ok' ? 'check' : 'ring'} />
      {children}
    </span>
  )
}

/** Kind of a state that is not normal. The picture of each kind differs as well as its colour. */
export type TagKind = 'plain' | 'ok' | 'warn' | 'bad' | 'accent'

const PICTURES: Readonly<Record<TagKind, IconName | null>> = { plain: null, ok: 'check', warn: 'ring', bad: 'warn', accent: null }

/** A word on a tint, for what is not normal. With `onClick` it is a button, such as a filter; `pressed` says whether it holds. */
export function Tag({
  kind = 'plain',
  children,
  onClick,
  pressed,
}: {
  readonly kind?: TagKind
  readonly children: ComponentChildren
  readonly onClick?: () => void
  readonly pressed?: boolean
}) {
  const picture = PICTURES[kind]
  const content = (
    <>
      {picture ? <Icon name={picture} /> : null}
      {children}
    </>
  )
  if (onClick) {
    return (
      <button type="button" class={`tag ${kind}`} aria-pressed={pressed} onClick={onClick}>
        {content}
      </button>
    )
  }
  return <span class={`tag ${kind}`}>{content}</span>
}
