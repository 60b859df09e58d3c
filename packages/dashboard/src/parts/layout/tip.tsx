import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

/** Between what it is about and the tip, in pixels. */
const GAP = 6

/** Shows more on hover and on focus, above everything, so that no table cuts it. `children` is drawn with the handlers that show it. */
export function Tip({
  text,
  children,
}: {
  readonly text: ComponentChildren
  readonly children: (handlers: {
    onMouseEnter(event: { currentTarget: Element }): void
    onMouseLeave(): void
    onFocus(event: { currentTarget: Element }): void
    onBlur(): void
  }) => ComponentChildren
}) {
  const tip = useRef<HTMLSpanElement>(null)
  const show = ({ currentTarget }: { currentTarget: Element }) => {
    const { current } = tip
    if (!current) return
    if (!current.matches(':popover-open')) current.showPopover()
    const { left, top, bottom } = currentTarget.getBoundingClientRect()
    const { width, height } = current.getBoundingClientRect()
    const below = bottom + GAP + height <= window.innerHeight
    current.style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - width - GAP))}px`
    current.style.top = `${below ? bottom + GAP : top - GAP - height}px`
  }
  const hide = () => {
    if (tip.current?.matches(':popover-open')) tip.current.hidePopover()
  }
  return (
    <>
      {children({ onMouseEnter: show, onMouseLeave: hide, onFocus: show, onBlur: hide })}
      <span ref={tip} class="tip mono" popover="manual" aria-hidden="true">
        {text}
      </span>
    </>
  )
}
