import type { Outcomes, Overview, Point } from '../../api/overview.ts'
import { count } from '../../text/amount.ts'

/** A bar: what happened from one instant to another. */
export interface Bar extends Point {
  /** ISO-8601: where the next one begins. */
  readonly until: string
}

/** More bars than that are too thin for a phone. */
const MOST_BARS = 60
/** Least size of what is not zero, in pixels; and the gap between what is above each other. */
const LEAST_PX = 2
const GAP_PX = 1
/** Ends of the axis: whose half is a whole number of requests, too. */
const ENDS = [2, 4, 6, 8, 10, 12, 14, 16, 18]

/** Turns the stretches of a window into bars; several are one where they are too many, such as the hours of a week. */
export function barsOf({ series, bucket_seconds }: Pick<Overview, 'series' | 'bucket_seconds'>): readonly Bar[] {
  const together = Math.ceil(series.length / MOST_BARS)
  // Of a number that parts a day: 4 hours rather than 3 or 5.
  const each = [1, 2, 3, 4, 6, 8, 12, 24].find((number) => number >= together) ?? together
  const bars: Bar[] = []
  for (let from = 0; from < series.length; from += each) {
    const points = series.slice(from, from + each)
    const [first] = points
    if (!first) continue
    const until = new Date(Date.parse(first.time) + points.length * bucket_seconds * 1000).toISOString()
    bars.push({ time: first.time, until, ok: sum(points, 'ok'), refused: sum(points, 'refused'), failed: sum(points, 'failed') })
  }
  return bars
}

function sum(points: readonly Point[], outcome: keyof Outcomes): number {
  return points.reduce((total, point) => total + point[outcome], 0)
}

/** Counts all requests. */
export function totalOf({ ok, refused: refusals, failed }: Outcomes): number {
  return ok + refusals + failed
}

/** Returns the end of the axis: the next of 2, 4, … 18, 20, 40, … 180, 200, … */
export function endOf(bars: readonly Outcomes[]): number {
  const most = Math.max(1, ...bars.map(totalOf))
  for (let power = 1; ; power *= 10) {
    const end = ENDS.find((each) => each * power >= most)
    if (end !== undefined) return end * power
  }
}

/** A part of a bar, in pixels from the top. */
interface Segment {
  readonly outcome: keyof Outcomes
  readonly y: number
  readonly height: number
}

/** Lists a bar's parts, from the bottom up: answered, refused, failed. What there is of each is at least two pixels high. */
export function segmentsOf(bar: Outcomes, end: number, height: number): readonly Segment[] {
  const segments: Segment[] = []
  let floor = height
  for (const outcome of ['ok', 'refused', 'failed'] as const) {
    if (bar[outcome] === 0) continue
    const high = Math.max(LEAST_PX, (bar[outcome] / end) * height)
    const top = Math.max(0, floor - high)
    segments.push({ outcome, y: top, height: Math.max(0, floor - top) })
    floor = top - GAP_PX
  }
  return segments
}

/** Says the length of a bar, in words: `minutes`, `hours`, `4 hours each`. */
export function lengthText(bars: readonly Bar[]): string {
  const [first] = bars
  if (!first) return ''
  const minutes = (Date.parse(first.until) - Date.parse(first.time)) / 60_000
  if (minutes === 1) return 'minutes'
  if (minutes < 60) return `${minutes} minutes each`
  return minutes === 60 ? 'hours' : `${minutes / 60} hours each`
}

const WORDS = { ok: 'answered', refused: 'refused', failed: 'failed' } as const

/** Says what happened, an outcome each: `386 answered`, `26 refused`, `none failed`. */
export function outcomeTexts(outcomes: Outcomes): readonly { readonly outcome: keyof Outcomes; readonly text: string }[] {
  return (['ok', 'refused', 'failed'] as const).map((outcome) => ({
    outcome,
    text: `${outcomes[outcome] === 0 ? 'none' : count(outcomes[outcome])} ${WORDS[outcome]}`,
  }))
}

/** Says what happened in words: `386 answered, 26 refused, none failed`. */
export function outcomesText(outcomes: Outcomes): string {
  return outcomeTexts(outcomes)
    .map(({ text }) => text)
    .join(', ')
}

/** Finds the bar with the most requests; undefined when there were none at all. */
export function peakOf(bars: readonly Bar[]): Bar | undefined {
  const most = Math.max(0, ...bars.map(totalOf))
  return most === 0 ? undefined : bars.find((bar) => totalOf(bar) === most)
}
