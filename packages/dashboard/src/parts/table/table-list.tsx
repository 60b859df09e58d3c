import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { count } from '../../text/amount.ts'
import { Button } from '../form/button.tsx'
import { classOf, type TableProps } from './table-column.ts'

/** Number of rows that are added at a time. */
const PAGE = 50

/** A table on a phone: rows of natural height, 50 at a time. */
export function TableList<T>({ label, columns, rows, keyOf, total, onOpen, onEnd, headingOf }: TableProps<T>) {
  const [most, setMost] = useState(PAGE)
  const page = rows.slice(0, most)
  // Asked once for a number of rows.
  useEffect(() => {
    if (most >= rows.length) onEnd?.()
  }, [most, rows.length])
  let last: string | null = null
  const more = (total ?? rows.length) > page.length || rows.length > page.length
  return (
    <div class="grid list">
      <ul aria-label={label}>
        {page.map((row) => {
          const text = headingOf?.(row) ?? null
          const heading = text !== null && text !== last ? text : null
          last = text
          return (
            <Fragment key={keyOf(row)}>
              {heading === null ? null : <li class="day">{heading}</li>}
              <li class="row">
                {columns.map((column) =>
                  column.phone === 'main' && onOpen ? (
                    <button key={column.key} type="button" class={`${classOf(column)} opener`} onClick={() => onOpen(row)}>
                      {column.cell(row)}
                    </button>
                  ) : (
                    <span key={column.key} class={classOf(column)}>
                      {column.cell(row)}
                    </span>
                  ),
                )}
              </li>
            </Fragment>
          )
        })}
      </ul>
      {more ? (
        <div class="more">
          <Button
            onClick={() => {
              setMost(most + PAGE)
            }}
          >
            Show {PAGE} more{total === undefined ? '' : ` of ${count(total)}`}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
