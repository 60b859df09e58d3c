import type { ComponentChildren } from 'preact'
import type { Overview } from '../../api/overview.ts'
import { Link } from '../../router/link.tsx'
import { count } from '../../text/amount.ts'
import { totalOf } from './bars.ts'
import { msText, perMinute, shareText } from './figures.ts'

/** The figures that are looked at first. */
export function Tiles({ overview }: { readonly overview: Overview }) {
  const { totals, latency_ms: latency, keys, window } = overview
  const all = totalOf(totals)
  const soon = keys.expiring.length
  const those = (outcome: 'refused' | 'failed') => (
    <Link to={`activity?outcome=${outcome}&period=${window}`}>{requests(totals[outcome])}</Link>
  )
  return (
    <dl class="tiles six">
      <Tile name="Requests" note={perMinute(overview)}>
        {count(all)}
      </Tile>
      <Tile name="Crafts" note={`${count(totals.broadcasts)} broadcast`}>
        {count(totals.crafts)}
      </Tile>
      <Tile name="Refused" note={totals.refused === 0 ? 'none' : those('refused')}>
        {shareText(totals.refused, all)}
      </Tile>
      <Tile name="Failed" note={totals.failed === 0 ? 'none' : those('failed')} bad={totals.failed > 0}>
        {shareText(totals.failed, all)}
      </Tile>
      <Tile name="95 % answered within" note={latency ? `half within ${msText(latency.p50)}` : 'nothing was answered'}>
        {latency ? msText(latency.p95) : '–'}
      </Tile>
      <Tile
        name="Keys in use"
        note={soon > 0 ? `${count(soon)} expire${soon === 1 ? 's' : ''} within 14 days` : `${count(keys.inactive)} off or expired`}
      >
        {count(keys.active)}
      </Tile>
    </dl>
  )
}

function requests(number: number): string {
  return `${count(number)} request${number === 1 ? '' : 's'}`
}

function Tile({
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
      <dd class={bad ? 'bad' : undefined}>{children}</dd>
      <dd class="note">{note}</dd>
    </div>
  )
}
