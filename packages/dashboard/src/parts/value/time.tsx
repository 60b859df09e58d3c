import { signal } from '@preact/signals'
import { utc } from '../../state/preferences.ts'
import { relativeText, type TimeForm, timeText, zoneName } from '../../text/time.ts'
import { Segments } from '../form/select.tsx'

/** Interval at which relative times are renewed, in milliseconds. */
const RENEWED_MS = 30_000
/** From how far a time is not relative any more, in milliseconds. */
const RELATIVE_MS = 3_600_000

/** The moment that relative times count from. */
const now = signal(Date.now())
window.setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, RENEWED_MS)

const zone = () => (utc.value ? 'UTC' : undefined)

/** An instant in the reader's zone, or in UTC when he chose so. `relative` says it as `2 minutes ago` within an hour. `at` is ISO-8601. */
export function Time({
  at,
  form = 'both',
  relative = false,
}: {
  readonly at: string
  readonly form?: TimeForm
  readonly relative?: boolean
}) {
  const instant = new Date(at)
  const text = (relative ? relativeText(instant, Math.max(now.value, Date.now()), RELATIVE_MS) : null) ?? timeText(instant, form, zone())
  return (
    <time dateTime={at} title={`${timeText(instant, 'both', 'UTC')} UTC`}>
      {text}
    </time>
  )
}

/** Shows the distance of an instant: `in 41 days`. `at` is ISO-8601. */
export function Distance({ at }: { readonly at: string }) {
  const instant = new Date(at)
  return (
    <time dateTime={at} title={`${timeText(instant, 'both', 'UTC')} UTC`}>
      {relativeText(instant, Math.max(now.value, Date.now()))}
    </time>
  )
}

/** Name of the zone that times are shown in, for the head of a column. */
export function ZoneName() {
  return <>{zoneName(new Date(), zone())}</>
}

/** The reader's zone, or UTC, for all times of the page. */
export function ZoneToggle() {
  const own = zoneName(new Date())
  return (
    <Segments
      label="Times in"
      value={utc.value ? 'utc' : 'own'}
      options={[
        { value: 'own', label: own === 'UTC' ? 'Local' : own },
        { value: 'utc', label: 'UTC' },
      ]}
      onValue={(chosen) => {
        utc.value = chosen === 'utc'
      }}
    />
  )
}
