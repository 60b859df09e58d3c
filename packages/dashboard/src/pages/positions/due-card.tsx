import type { PositionDetail } from '../../api/positions.ts'
import { Card } from '../../parts/layout/card.tsx'
import { ColumnAmount } from '../../parts/value/column-amount.tsx'
import { Distance, Time } from '../../parts/value/time.tsx'
import { dueOf } from './words.ts'

/** Shows what its owner waits for, and how far the book reaches. */
export function DueCard({ position }: { readonly position: PositionDetail }) {
  const { read_at, book, next_due, symbol } = position
  const due = dueOf(position, Date.now())
  return (
    <Card title="Due">
      <div class="body due">
        <ul class="due-list">
          {due === null ? (
            <li class="muted">Nothing can be withdrawn, and nothing is on its way.</li>
          ) : (
            <li>
              <p class="step-head">
                <strong>
                  {due.word} {next_due?.amount == null ? null : <ColumnAmount inline value={next_due.amount} unit={symbol ?? ''} />}
                </strong>
                <span>{due.at === null ? due.isNow ? 'now' : 'time not known' : <Distance at={due.at} />}</span>
              </p>
              <p class="muted small">
                {due.isNow ? 'It waits for its owner: nothing is lost by waiting but what it would earn.' : null}
                {!due.isNow && due.at !== null ? (
                  <>
                    The first of it is expected to have left by <Time at={due.at} />.
                  </>
                ) : null}
              </p>
            </li>
          )}
        </ul>
        <p class="muted small">
          {read_at === null ? (
            'Nothing was read yet.'
          ) : (
            <>
              Last read <Time at={read_at} relative />.
            </>
          )}{' '}
          {book === null ? (
            'There is no book yet.'
          ) : (
            <>
              The book begins <Time at={book.opened_at} form="date" />: what was before is not in it.
            </>
          )}
        </p>
      </div>
    </Card>
  )
}
