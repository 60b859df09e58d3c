import type { ComponentChildren } from 'preact'
import type { PositionDetail } from '../../api/positions.ts'
import { Button } from '../../parts/form/button.tsx'
import { Icon } from '../../parts/layout/icon.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { ColumnAmount } from '../../parts/value/column-amount.tsx'
import { Distance } from '../../parts/value/time.tsx'
import { percentText } from '../../text/column.ts'
import { decimalText } from '../../text/decimal.ts'
import { countDays, type History, lastRead, plural, totalOf } from './history.ts'
import { openAmountOf, shareOf, verdictOf } from './verdict.ts'
import { daysText, dueOf } from './words.ts'

/** Shows the figures of a wallet, of which the verdict of its book is one, and above them what nothing explains. */
export function WalletFigures({
  position,
  history,
  onUnexplained,
}: {
  readonly position: PositionDetail
  readonly history: History
  readonly onUnexplained: () => void
}) {
  const { earned_30d: earned, earned_days: days, rate_percent: rate, slashed_30d: slashed, symbol, read_at } = position
  const unit = symbol ?? ''
  const alone = position.buckets.some(({ role }) => role === 'foreign') ? ` in ${unit || 'the native token'} alone` : ''
  const last = lastRead(history)
  const total = last === undefined ? null : totalOf(last)
  const share = shareOf(history)
  const open = openAmountOf(position, history)
  const verdict = verdictOf(position, countDays(history))
  return (
    <>
      {verdict.look === 'bad' ? (
        <Note kind="bad">
          <div class="with-action">
            <span>
              <ColumnAmount inline value={open} unit={unit} /> has no explanation: it came or went, and no flow and no rule of the chain
              accounts for it. It is an entry of its own, and in no other.
            </span>
            <Button onClick={onUnexplained}>Show the entries</Button>
          </div>
        </Note>
      ) : null}
      {read_at === null ? <Note kind="warn">Nothing was read of this wallet yet: its first reading comes by itself.</Note> : null}
      <dl class="tiles figures">
        <Figure name="In the position" note={share === null ? null : `${percentText(share)} of it earns`}>
          <ColumnAmount inline value={total === null ? null : decimalText(total, history.places)} unit={unit} />
        </Figure>
        <Figure
          name="Rewards, 30 days"
          note={earned === null ? 'not known yet' : slashed ? 'with a slash' : `${daysText(days)}, after commission`}
          bad={slashed}
        >
          <ColumnAmount inline value={earned} unit={unit} signed loss />
        </Figure>
        <Figure name="Realised rate" note={rate === null ? 'known from 7 whole days on' : `a year${alone}, from ${plural(days, 'day')}`}>
          {rate === null ? <span class="muted">–</span> : <span class={rate.startsWith('-') ? 'loss' : ''}>{percentText(rate)}</span>}
        </Figure>
        <Due position={position} unit={unit} />
        <Figure name="Books" note={verdict.note} bad={verdict.look === 'bad'}>
          <span class={`verdict ${verdict.look}`}>
            <Icon name={verdict.look === 'ok' ? 'check' : verdict.look === 'bad' ? 'warn' : 'ring'} />
            {verdict.look === 'bad' ? <ColumnAmount inline value={open} unit={`${unit} open`} /> : verdict.word}
          </span>
        </Figure>
      </dl>
    </>
  )
}

function Due({ position, unit }: { readonly position: PositionDetail; readonly unit: string }) {
  const words = dueOf(position, Date.now())
  const amount = position.next_due?.amount ?? null
  if (words === null)
    return (
      <Figure name="Next due" note="nothing is on its way">
        {'–'}
      </Figure>
    )
  const time = words.at === null ? words.isNow ? 'now' : 'the time is not known' : <Distance at={words.at} />
  return (
    <Figure name="Next due" note={time}>
      {words.word} {amount === null ? null : <ColumnAmount inline value={amount} unit={unit} />}
    </Figure>
  )
}

function Figure({
  name,
  note,
  bad = false,
  children,
}: {
  readonly name: string
  readonly note: ComponentChildren
  readonly bad?: boolean
  readonly children: ComponentChildren
}) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd class={bad ? 'note loss' : 'note'}>{note}</dd>
    </div>
  )
}
