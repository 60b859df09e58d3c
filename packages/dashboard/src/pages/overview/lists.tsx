import type { ExpiringKey, Overview, Withheld } from '../../api/overview.ts'
import type { Account } from '../../api/types.ts'
import { Card } from '../../parts/layout/card.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Tag } from '../../parts/value/state.tsx'
import { Distance, Time } from '../../parts/value/time.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { named } from '../../state/names.ts'
import { count } from '../../text/amount.ts'
import { placeName } from '../../text/networks.ts'

/** Codes of refusals and failures, each with its requests in Activity. */
export function Refusals({ overview: { refusals, window } }: { readonly overview: Overview }) {
  return (
    <Card title="Refusals" about={refusals.length > 0 ? 'by code, failures too' : null}>
      {refusals.length === 0 ? (
        <p class="body muted">None.</p>
      ) : (
        <ul class="rows">
          {refusals.map(({ code, count: often }) => (
            <li key={code}>
              <Link to={pathTo(['activity'], { error: code, period: window })} class="mono break">
                {code}
              </Link>
              <span class="num">{count(often)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Shows what was crafted, by protocol and action. */
export function Crafts({ overview: { crafts, window } }: { readonly overview: Overview }) {
  return (
    <Card title="Crafts">
      {crafts.length === 0 ? (
        <p class="body muted">
          None. <Link to="protocols">Protocols</Link> has a line for each action to try.
        </p>
      ) : (
        <ul class="rows">
          {crafts
            .toSorted((one, other) => other.count - one.count)
            .map(({ protocol, action, count: often }) => (
              <li key={`${protocol} ${action}`}>
                <span class="what">
                  <Link to={pathTo(['activity'], { protocol, action, period: window })}>{action}</Link>{' '}
                  <span class="muted">{protocol}</span>
                </span>
                <span class="num">{count(often)}</span>
              </li>
            ))}
        </ul>
      )}
    </Card>
  )
}

/** Keys that end within 14 days; nothing where none does. */
export function ExpiringKeys({ keys, accounts }: { readonly keys: readonly ExpiringKey[]; readonly accounts: readonly Account[] }) {
  if (keys.length === 0) return null
  return (
    <Card title="Keys that expire" about="within 14 days">
      <ul class="rows">
        {keys.map(({ ulid, name, account, expires }) => (
          <li key={ulid}>
            <span class="what">
              <Link to={pathTo(['keys', ulid])}>{name}</Link>{' '}
              {accounts.length > 1 ? <span class="muted">{accounts.find(({ id }) => id === account)?.name ?? account}</span> : null}
            </span>
            <Tag kind="warn">
              <Distance at={expires} />
            </Tag>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Crafts that were withheld, above everything; nothing where none was. */
export function Alarms({ alarms, accounts }: { readonly alarms: readonly Withheld[]; readonly accounts: readonly Account[] }) {
  if (alarms.length === 0) return null
  const [one, verb] =
    alarms.length === 1 ? ['A transaction was', 'its bytes were'] : [`${count(alarms.length)} transactions were`, 'their bytes were']
  return (
    <Note kind="bad">
      <p>
        <strong>
          {one} withheld: {verb} not what was asked for (<code>DECODE_MISMATCH</code>).
        </strong>{' '}
        Nothing was handed out. Find out why before anything else: a chain library, an endpoint or this service may have been tampered with.
      </p>
      <ul class="alarms">
        {alarms.map(({ time, account, protocol, network, action, request_id: id }) => (
          <li key={id}>
            <Time at={time} /> {[action, placeName(named.value, protocol, network)].filter((each) => each !== null).join(' · ')}
            {accounts.length > 1 ? `, ${accounts.find((each) => each.id === account)?.name ?? account}` : ''}{' '}
            <Link to={pathTo(['activity', id], { error: 'DECODE_MISMATCH', period: '7d' })} aria-label={`Look at it: request ${id}`}>
              Look at it
            </Link>
          </li>
        ))}
      </ul>
    </Note>
  )
}
