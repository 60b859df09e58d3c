import { Card } from '../../parts/layout/card.tsx'
import { Icon } from '../../parts/layout/icon.tsx'
import { count } from '../../text/amount.ts'
import { decimalText } from '../../text/decimal.ts'
import { utcDay } from '../../text/utc-day.ts'
import { plural } from '../positions/history.ts'
import { KIND_WORDS } from '../positions/operations.ts'
import { ExactAmount, widthOf } from './exact-amount.tsx'
import { type Period, periodName } from './period.ts'
import type { ReadStatement } from './read.ts'
import { proofText } from './words.ts'

/** Shows opening, entries by kind, and closing, and below them whether they add up. */
export function SheetCard({
  statement,
  period,
  today,
}: {
  readonly statement: ReadStatement
  readonly period: Period
  readonly today: string
}) {
  const { sheet, proof, detail, from, opening, closing } = statement
  const { places, kinds, past, inside, takenBack, days } = sheet
  const width = widthOf([sheet.opening, sheet.closing, ...kinds.map(({ units }) => units)], places)
  const symbol = detail.symbol ?? ''
  const isLasting = period.to > today
  const { words, look } = proofText(proof, sheet, symbol)
  return (
    <Card
      title={isLasting ? `${periodName(period)}, so far` : periodName(period)}
      about={`${utcDay(from)}, 00:00 to ${isLasting ? 'now' : `${utcDay(period.to)}, 00:00`} UTC; ${symbol}, every digit`}
    >
      <table class="sheet">
        <thead>
          <tr>
            <th scope="col">Entry</th>
            <th scope="col" class="right">
              Number
            </th>
            <th scope="col" class="right">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          <tr class="end">
            <th scope="row">
              Opening <span class="muted small">last reading of {utcDay(opening)}</span>
            </th>
            <td />
            <td class="right">
              <ExactAmount units={sheet.opening} places={places} width={width} />
            </td>
          </tr>
          {kinds.map(({ kind, count: number, units }) => (
            <tr key={kind}>
              <th scope="row">{KIND_WORDS[kind]}</th>
              <td class="right num muted">{number === 0 ? '' : count(number)}</td>
              <td class="right">
                <ExactAmount units={units} places={places} width={width} signed />
              </td>
            </tr>
          ))}
          <tr class="end">
            <th scope="row">
              {isLasting ? 'Now' : 'Closing'} <span class="muted small">last reading of {utcDay(closing)}</span>
            </th>
            <td />
            <td class="right">
              <ExactAmount units={sheet.closing} places={places} width={width} />
            </td>
          </tr>
        </tbody>
      </table>
      <div class={`proof ${look}`} role={look === 'bad' ? 'alert' : 'status'}>
        <Icon name={look === 'ok' ? 'check' : look === 'bad' ? 'warn' : 'ring'} />
        <span>{words}</span>
        <span class="small">
          {days.read} of {plural(days.all, 'day')} read
        </span>
      </div>
      {inside + past.count + takenBack === 0 ? null : (
        <p class="body muted small">
          {inside === 0 ? null : `${plural(inside, 'entry', 'entries')} within the position cancel out above. `}
          {past.count === 0
            ? null
            : `Past the position, in no total: ${decimalText(past.units, places)} ${symbol} in ${plural(past.count, 'entry', 'entries')}. `}
          {takenBack === 0 ? null : `${plural(takenBack, 'entry', 'entries')} that were taken back, or take back, are in no row.`}
        </p>
      )}
    </Card>
  )
}
