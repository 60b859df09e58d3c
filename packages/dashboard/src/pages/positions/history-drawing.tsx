import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { narrow } from '../../state/media.ts'
import { grouped } from '../../text/amount.ts'
import { decimalText } from '../../text/decimal.ts'
import { utcDay } from '../../text/utc-day.ts'
import { barsOf, stackOf } from './drawing.ts'
import { dayText, type History, type HistoryDay, type StackedRole } from './history.ts'
import { PATTERNED, Pattern } from './patterns.tsx'

/** Heights of the stack and of the bars, in pixels, and on a phone. */
const STACK_PX = [170, 112] as const
const BARS_PX = [54, 40] as const
/** Room below the ground of the bars, for what hangs there, and the size of a mark, in pixels. */
const BELOW_PX = 12
const MARK_PX = 4
/** Days that stand below the bars, at most. */
const LABELS = 5

/** Draws a history at the width that there is, so that its axis stands where it ends. Left and right go by a day while it has the focus, and each day is said. */
export function HistoryDrawing({
  history,
  at,
  onAt,
}: {
  readonly history: History
  readonly at: number | null
  readonly onAt: (index: number | null) => void
}) {
  const { days, places } = history
  const figure = useRef<HTMLDivElement>(null)
  const area = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const id = useId()
  useLayoutEffect(() => {
    const { current } = area
    if (!current) return
    const measure = () => setWidth(current.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [])
  const high = STACK_PX[narrow.value ? 1 : 0]
  const low = BARS_PX[narrow.value ? 1 : 0]
  const stack = stackOf(history, width, high)
  const bars = barsOf(history, new Date().toISOString().slice(0, 10), width, low)
  const place = width / Math.max(1, days.length)
  const pointed = at === null ? undefined : days[at]
  const ticks = [3n, 2n, 1n, 0n].map((times) => grouped(decimalText(stack.step * times, places)))
  const goTo = (index: number) => onAt(Math.max(0, Math.min(days.length - 1, index)))
  const pointer = at === null ? null : (at + 0.5) * place
  return (
    <>
      <div
        ref={figure}
        class="history"
        role="group"
        aria-label="Balance and rewards by day: left and right go by a day"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its days are gone through by keys.
        tabIndex={0}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
          if (step === 0 || event.metaKey || event.ctrlKey || event.altKey) return
          event.preventDefault()
          goTo((at ?? (step < 0 ? days.length : -1)) + step)
        }}
        onBlur={() => onAt(null)}
      >
        <div
          ref={area}
          class="area"
          onPointerMove={(event) =>
            goTo(Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left) / Math.max(1, place)))
          }
          onPointerLeave={() => onAt(null)}
        >
          <svg class="stack-chart" aria-hidden="true" width="100%" height={high + 1}>
            <defs>
              {PATTERNED.map((name) => (
                <Pattern key={name} name={name} id={`${id}-${name}`} />
              ))}
            </defs>
            {[0, 1, 2, 3].map((line) => (
              <line
                key={line}
                class={line === 3 ? 'ground' : ''}
                x1="0"
                x2="100%"
                y1={(high * line) / 3 + 0.5}
                y2={(high * line) / 3 + 0.5}
              />
            ))}
            {stack.bands.map(({ role, area: path }) => (
              <path key={role} class={role} d={path} {...fillOf(role, id)} />
            ))}
            {stack.bands.map(({ role, edge }) => (
              <path key={`edge ${role}`} class={`edge ${role}`} d={edge} />
            ))}
            {stack.gaps.map((gap) => (
              <rect key={gap.x} x={gap.x} width={gap.width} y={0} height={high} fill={`url(#${id}-gap)`} />
            ))}
            {pointer === null ? null : <line class="pointer" x1={pointer} x2={pointer} y1={0} y2={high} />}
          </svg>
        </div>
        <div class="ends small muted num" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick}>{tick}</span>
          ))}
        </div>
        <p class="title small">Rewards a day</p>
        <svg class="stack-chart" aria-hidden="true" width="100%" height={low + BELOW_PX}>
          <line x1="0" x2="100%" y1={0.5} y2={0.5} />
          <line class="ground" x1="0" x2="100%" y1={low + 0.5} y2={low + 0.5} />
          {bars.gaps.map((gap) => (
            <rect key={gap.x} x={gap.x} width={gap.width} y={0} height={low} fill={`url(#${id}-gap)`} />
          ))}
          {bars.bars.map(({ day, look, ...bar }) => (
            <rect key={day} class="bar" {...bar} {...(look === 'loss' ? { class: 'loss-bar', fill: `url(#${id}-loss)` } : {})} />
          ))}
          {days.map(({ day, unexplained }, index) =>
            unexplained === 0n ? null : <path key={day} class="open" d={markAt((index + 0.5) * place)} />,
          )}
          {pointer === null ? null : <line class="pointer" x1={pointer} x2={pointer} y1={0} y2={low} />}
        </svg>
        <div class="ends bars-ends small muted num" aria-hidden="true">
          <span>{grouped(decimalText(bars.top, places))}</span>
          <span>0</span>
        </div>
        <div class="marks small muted num" aria-hidden="true">
          {labelsOf(days).map(({ day }) => (
            <span key={day}>{utcDay(day).replace(/ \d{4}$/, '')}</span>
          ))}
        </div>
      </div>
      <p class="hidden-visually" role="status">
        {pointed === undefined ? '' : dayText(history, pointed, utcDay)}
      </p>
    </>
  )
}

/** The fill of a part, beside its word. */
export function Swatch({ role }: { readonly role: StackedRole }) {
  const id = useId()
  const pattern = PATTERNED.find((name) => name === role)
  return (
    <svg class="stack-chart" viewBox="0 0 14 12" aria-hidden="true">
      {pattern === undefined ? null : (
        <defs>
          <Pattern name={pattern} id={`${id}-${role}`} />
        </defs>
      )}
      <rect class={role} width="14" height="12" {...fillOf(role, id)} />
      <path class={`edge ${role}`} d="M0 0.75H14" />
    </svg>
  )
}

function fillOf(role: StackedRole, id: string): { readonly fill?: string } {
  return PATTERNED.some((name) => name === role) ? { fill: `url(#${id}-${role})` } : {}
}

/** Draws a triangle above a day. */
function markAt(x: number): string {
  return `M${x - MARK_PX} ${2 * MARK_PX}L${x} 1L${x + MARK_PX} ${2 * MARK_PX}Z`
}

/** Picks days at like distances, the first among them. */
function labelsOf(days: readonly HistoryDay[]): readonly HistoryDay[] {
  const many = Math.min(LABELS, days.length)
  return Array.from({ length: many }, (_, index) => days[Math.round((index * (days.length - 1)) / Math.max(1, many - 1))]).filter(
    (day) => day !== undefined,
  )
}
