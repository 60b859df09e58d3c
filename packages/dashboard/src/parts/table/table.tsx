import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useShortcut } from '../../shell/keys.ts'
import { narrow } from '../../state/media.ts'
import { classOf, type TableProps } from './table-column.ts'
import { layOut, moved, scrollTo, seen } from './table-layout.ts'
import { TableList } from './table-list.tsx'

/** Heights in pixels; they stand in style/tokens.css and style/parts.css too. */
const ROW = 36
const HEADING = 33
const HEAD = 36
/** Distance from the end at which more is asked for, in rows. */
const NEAR = 60

/** Rows in columns, however many: only those that are seen are drawn. On a phone it is a list in pages of 50. */
export function Table<T>(props: TableProps<T>) {
  return narrow.value ? <TableList {...props} /> : <Grid {...props} />
}

function Grid<T>({ label, columns, rows, keyOf, total, onOpen, onEnd, headingOf, open }: TableProps<T>) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 0 })
  const [active, setActive] = useState<string | null>(null)
  const lastLength = useRef(-1)
  const layout = useMemo(() => layOut(rows, { row: ROW, heading: HEADING }, headingOf), [rows, headingOf])
  const { items, tops, places } = layout
  const [from, to] = seen(layout, view.top, view.top + view.height)
  const chosen = open ?? active
  const at = chosen === null ? -1 : rows.findIndex((row) => keyOf(row) === chosen)

  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    const measure = () => setView({ top: current.scrollTop, height: current.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!onEnd || lastLength.current === rows.length || to < items.length - NEAR) return
    lastLength.current = rows.length
    onEnd()
  }, [to, items.length, rows.length, onEnd])

  const show = (index: number) => {
    const { current } = scroller
    const row = rows[index]
    if (!current || row === undefined) return
    setActive(keyOf(row))
    const top = scrollTo(layout, places[index] ?? 0, { top: current.scrollTop, height: current.clientHeight, head: HEAD })
    if (top !== null) current.scrollTop = top
  }
  // What is opened otherwise, by an address or by a step in the panel beside, is shown too, and stays the active one when it is closed.
  const opened = open !== undefined && open !== null && at >= 0
  useEffect(() => {
    if (opened) show(at)
  }, [open, opened])
  const step = (key: 'j' | 'k') => {
    const next = moved(key, at, rows.length, 1)
    if (next === null) return
    show(next)
    const reached = rows[next]
    if (open !== undefined && open !== null && reached !== undefined) onOpen?.(reached)
  }
  // From anywhere on the page; while the table has the focus it takes them itself.
  useShortcut('j', 'Down', () => step('j'))
  useShortcut('k', 'Up', () => step('k'))
  useShortcut('Enter', 'Open', () => {
    const row = rows[at]
    if (row !== undefined) onOpen?.(row)
  })
  const press = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || event.metaKey || event.ctrlKey || event.altKey) return
    const row = rows[at]
    if (event.key === 'Enter' && row !== undefined && onOpen) {
      event.preventDefault()
      onOpen(row)
      return
    }
    const next = moved(event.key, at, rows.length, Math.max(1, Math.floor((view.height - HEAD) / ROW) - 1))
    if (next === null) return
    event.preventDefault()
    show(next)
    const reached = rows[next]
    if (open !== undefined && open !== null && reached !== undefined) onOpen?.(reached)
  }
  const place = places[at]
  const drawn = place !== undefined && place >= from && place < to
  const template = columns.map(({ width }) => width).join(' ')
  return (
    <div class="grid" style={{ '--columns': template }}>
      <div
        ref={scroller}
        class="scroll"
        role="grid"
        aria-label={label}
        aria-readonly="true"
        aria-rowcount={(total ?? rows.length) + 1}
        aria-activedescendant={drawn ? `${id}-${place}` : undefined}
        tabIndex={0}
        onScroll={(event) => {
          const { scrollTop, clientHeight } = event.currentTarget
          setView({ top: scrollTop, height: clientHeight })
        }}
        onKeyDown={press}
        onFocus={(event) => {
          if (event.target === scroller.current && at < 0 && rows.length > 0) show(0)
        }}
      >
        <div class="head" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <span key={column.key} role="columnheader" class={column.align ? `cell ${column.align}` : 'cell'}>
              {column.head}
            </span>
          ))}
        </div>
        <div class="virtual" role="rowgroup" style={{ height: `${tops.at(-1) ?? 0}px` }}>
          {items.slice(from, to).map((item, offset) => {
            const index = from + offset
            const style = { transform: `translateY(${tops[index] ?? 0}px)` }
            if (item.kind === 'heading') {
              return (
                <div key={`heading ${item.text}`} class="day" role="row" style={style}>
                  <span role="gridcell" aria-colspan={columns.length}>
                    {item.text}
                  </span>
                </div>
              )
            }
            const key = keyOf(item.row)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid itself takes the keys.
              <div
                key={key}
                id={`${id}-${index}`}
                class={onOpen ? 'row opens' : 'row'}
                role="row"
                aria-rowindex={item.index + 2}
                aria-selected={item.index === at}
                style={style}
                onClick={() => {
                  setActive(key)
                  if (window.getSelection()?.isCollapsed !== false) onOpen?.(item.row)
                }}
              >
                {columns.map((column) => (
                  <span key={column.key} role="gridcell" class={classOf(column)}>
                    {column.cell(item.row)}
                  </span>
                ))}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
