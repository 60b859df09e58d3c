import type { TransactionDetail } from '../../api/transactions.ts'
import { Icon, type IconName } from '../../parts/layout/icon.tsx'
import { Address } from '../../parts/value/address.tsx'
import { Time } from '../../parts/value/time.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { type Moment, momentsOf } from './timeline.ts'

const PICTURES: Readonly<Record<Moment['look'], IconName>> = { done: 'check', bad: 'warn', warn: 'warn', later: 'ring' }

/** Shows what a transaction went through, oldest first, and what is to come. */
export function TimelineOf({ detail }: { readonly detail: TransactionDetail }) {
  return (
    <section>
      <h3>Timeline</h3>
      <ol class="journey compact" aria-label="Timeline">
        {momentsOf(detail).map((moment) => (
          <li key={moment.key} class={moment.look === 'warn' ? 'bad' : moment.look === 'later' ? '' : moment.look}>
            <span class="mark">
              <Icon name={PICTURES[moment.look]} />
            </span>
            <MomentOf moment={moment} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function MomentOf({ moment: { title, time, about, block, record, look } }: { readonly moment: Moment }) {
  return (
    <div>
      <p class="step-head">
        <strong class={look === 'later' ? 'muted' : ''}>{title}</strong>
        {record === null ? null : (
          <Link to={pathTo(['activity', record], { period: 'all' })} aria-label={`${title}: its record in Activity`}>
            Record
          </Link>
        )}
      </p>
      <p class="muted small">
        {time === null ? null : <Time at={time} form="both" />}
        {time === null || about === null ? null : '. '}
        {about}
      </p>
      {block === null ? null : (
        <p class="muted small">
          {block.height === null ? 'Block' : `Block ${block.height}`}{' '}
          {block.hash === null ? null : <Address text={block.hash} what="block hash" />}
        </p>
      )}
    </div>
  )
}
