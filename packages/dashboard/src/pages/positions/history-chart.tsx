import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../parts/form/button.tsx'
import { useShortcut } from '../../shell/keys.ts'
import { inColumn } from '../../text/column.ts'
import { decimalText } from '../../text/decimal.ts'
import { utcDay } from '../../text/utc-day.ts'
import { captionOf, type History, lastRead, ROLE_WORDS } from './history.ts'
import { HistoryDrawing, Swatch } from './history-drawing.tsx'
import { HistoryTable } from './history-table.tsx'

/** A wallet's days: a stack of its parts, what it earned, a sentence that says the same, and the exact amounts as a table. */
export function HistoryChart({
  history,
  symbol,
  opened,
}: {
  readonly history: History
  readonly symbol: string
  /** ISO-8601; null: there is no book yet. */
  readonly opened: string | null
}) {
  const { days, roles, places } = history
  const [asTable, setAsTable] = useState(false)
  const [at, setAt] = useState<number | null>(null)
  useShortcut('t', 'Chart or table', () => setAsTable(!asTable))
  const caption = useMemo(() => captionOf(history, symbol, utcDay), [history, symbol])
  const pointed = at === null ? undefined : days[at]
  const day = pointed ?? lastRead(history)
  const reads = days.filter(({ amounts }) => amounts !== null).length
  return (
    <figure class="card">
      <header>
        <h2>Balance by part</h2>
        <span class="muted small">{symbol === '' ? 'days in UTC' : `${symbol}, days in UTC`}</span>
        <div class="actions">
          <Button kind="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show as chart' : 'Show as table'}
          </Button>
        </div>
      </header>
      {asTable ? (
        <div class="bare">
          <HistoryTable history={history} />
        </div>
      ) : reads < 2 ? (
        <div class="body">
          <p class="muted">
            {opened === null ? 'There is no book yet.' : `The book begins ${utcDay(opened.slice(0, 10))}.`} Two days that were read make a
            history, and rewards show after the first whole day.
          </p>
        </div>
      ) : (
        <div class="body">
          <ul class="legend" aria-label={day === undefined ? 'Parts' : `Parts on ${utcDay(day.day)}`}>
            {roles.map((role, place) => {
              const units = day?.amounts?.[place]
              const { text, cut } = inColumn(units === undefined ? '–' : decimalText(units, places))
              return (
                <li key={role}>
                  <Swatch role={role} />
                  <span class="muted">{ROLE_WORDS[role]}</span>
                  <span class="num">
                    {text}
                    {cut ? '…' : ''}
                  </span>
                </li>
              )
            })}
          </ul>
          <HistoryDrawing history={history} at={at} onAt={setAt} />
          <figcaption class="small muted">{caption === null ? null : `${caption}.`}</figcaption>
        </div>
      )}
    </figure>
  )
}
