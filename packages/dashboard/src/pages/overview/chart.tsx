import { Fragment } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Outcomes, Overview } from '../../api/overview.ts'
import { Button } from '../../parts/form/button.tsx'
import { Table } from '../../parts/table/table.tsx'
import type { Column } from '../../parts/table/table-column.ts'
import { Time, ZoneName } from '../../parts/value/time.tsx'
import { narrow } from '../../state/media.ts'
import { count } from '../../text/amount.ts'
import { type Bar, barsOf, endOf, lengthText, outcomesText, outcomeTexts, peakOf, segmentsOf, totalOf } from './bars.ts'
import { WINDOWS } from './figures.ts'

/** Height of what is drawn, in pixels. */
const HEIGHT = 160
/** Part of a bar's place that it fills. */
const FILLED = 0.66
/** Instants that stand below the bars. */
const LABELS = 4

/** Requests over time: bars, a sentence that says the same, and the numbers as a table. */
export function Chart({ overview }: { readonly overview: Overview }) {
  const bars = useMemo(() => barsOf(overview), [overview])
  const [asTable, setAsTable] = useState(false)
  const [at, setAt] = useState<number | null>(null)
  const pointed = at === null || asTable ? undefined : bars[at]
  return (
    <figure class="card">
      <header>
        <h2>Requests</h2>
        <span class="muted small num">
          {pointed ? (
            <>
              <Span bar={pointed} days={overview.window === '7d'} />: {outcomesText(pointed)}
            </>
          ) : (
            <>
              {lengthText(bars)}, <ZoneName />
            </>
          )}
        </span>
        <div class="actions">
          <Button kind="quiet" onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show as chart' : 'Show as table'}
          </Button>
        </div>
      </header>
      {asTable ? (
        <div class="bare">
          <Numbers bars={bars} days={overview.window === '7d'} />
        </div>
      ) : (
        <div class="body">
          <Drawing bars={bars} overview={overview} at={at} onAt={setAt} />
        </div>
      )}
    </figure>
  )
}

function Drawing({
  bars,
  overview,
  at,
  onAt,
}: {
  readonly bars: readonly Bar[]
  readonly overview: Overview
  readonly at: number | null
  readonly onAt: (index: number | null) => void
}) {
  const end = endOf(bars)
  const place = 100 / Math.max(1, bars.length)
  const labels = Array.from({ length: LABELS }, (_, index) => bars[Math.floor((index * bars.length) / LABELS)])
  return (
    <>
      <div class="axis">
        <svg
          class="chart"
          aria-hidden="true"
          width="100%"
          height={HEIGHT + 1}
          onPointerMove={(event) => {
            const { left, width } = event.currentTarget.getBoundingClientRect()
            onAt(Math.max(0, Math.min(bars.length - 1, Math.floor(((event.clientX - left) / width) * bars.length))))
          }}
          onPointerLeave={() => onAt(null)}
        >
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line key={y} x1="0" x2="100%" y1={y + 0.5} y2={y + 0.5} />
          ))}
          {at === null ? null : <rect class="pointed" x={`${at * place}%`} width={`${place}%`} y={0} height={HEIGHT} />}
          {bars.map((bar, index) =>
            segmentsOf(bar, end, HEIGHT).map(({ outcome, y, height }) => (
              <rect
                key={`${bar.time} ${outcome}`}
                class={outcome}
                x={`${(index + (1 - FILLED) / 2) * place}%`}
                width={`${place * FILLED}%`}
                y={y}
                height={height}
                rx={Math.min(2, height / 2)}
              />
            )),
          )}
        </svg>
        <div class="ends small muted num" aria-hidden="true">
          <span>{count(end)}</span>
          <span>{count(end / 2)}</span>
          <span>0</span>
        </div>
        <div class="marks small muted num" aria-hidden="true">
          {labels.map((bar) => (bar ? <Time key={bar.time} at={bar.time} form={overview.window === '7d' ? 'weekday' : 'minute'} /> : null))}
          <span>now</span>
        </div>
      </div>
      <figcaption class="small muted">
        <Caption bars={bars} overview={overview} />
      </figcaption>
    </>
  )
}

function Caption({ bars, overview }: { readonly bars: readonly Bar[]; readonly overview: Overview }) {
  const last = WINDOWS.find(({ value }) => value === overview.window)?.last ?? ''
  const peak = peakOf(bars)
  if (!peak) return <>No request in {last}.</>
  return (
    <>
      In {last}:{' '}
      {outcomeTexts(overview.totals).map(({ outcome, text }, index) => (
        <Fragment key={outcome}>
          {index > 0 ? ', ' : ''}
          <Swatch outcome={outcome} />
          {text}
        </Fragment>
      ))}
      . Most at once: {count(totalOf(peak))}, <Span bar={peak} days={overview.window === '7d'} />.
    </>
  )
}

/** The colour of an outcome, beside its word. */
function Swatch({ outcome }: { readonly outcome: keyof Outcomes }) {
  return (
    <svg class="chart swatch" viewBox="0 0 8 8" aria-hidden="true">
      <rect class={outcome} width="8" height="8" rx="2" />
    </svg>
  )
}

/** From when to when: `02:00 to 03:00`, with the day where there are several. */
function Span({ bar, days }: { readonly bar: Bar; readonly days: boolean }) {
  return (
    <>
      {days ? (
        <>
          <Time at={bar.time} form="weekday" />,{' '}
        </>
      ) : null}
      <Time at={bar.time} form="minute" /> to <Time at={bar.until} form="minute" />
    </>
  )
}

function Numbers({ bars, days }: { readonly bars: readonly Bar[]; readonly days: boolean }) {
  const thin = narrow.value
  const columns = useMemo((): readonly Column<Bar>[] => {
    const time: Column<Bar> = {
      key: 'time',
      head: (
        <>
          Time, <ZoneName />
        </>
      ),
      width: 'minmax(0, 2fr)',
      phone: 'main',
      cell: (bar) => <Span bar={bar} days={days} />,
    }
    // A list on a phone has no heads, so its numbers come with their words.
    if (thin) return [time, { key: 'all', head: 'Requests', width: '1fr', muted: true, cell: outcomesText }]
    const number = (key: keyof Outcomes, head: string): Column<Bar> => ({
      key,
      head,
      width: 'minmax(0, 1fr)',
      align: 'right',
      cell: (bar) => count(bar[key]),
    })
    return [time, number('ok', 'Answered'), number('refused', 'Refused'), number('failed', 'Failed')]
  }, [days, thin])
  // The newest first, as in every list of times.
  const rows = useMemo(() => bars.toReversed(), [bars])
  return <Table label="Requests over time" columns={columns} rows={rows} keyOf={({ time }) => time} />
}
