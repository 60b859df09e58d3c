import { type History, type HistoryDay, type StackedRole, totalOf } from './history.ts'

/** Steps of a scale, in tenths, times a power of ten. */
const STEPS = [10n, 15n, 20n, 25n, 30n, 40n, 50n, 60n, 80n] as const
/** Steps from the ground to the top of a stack, so that its axis has so many numbers above zero. */
const TICKS = 3n
/** Fineness of a height, of which the whole drawing is one. */
const FINE = 10_000n
/** Part of a bar's place that it fills. */
const FILLED = 0.7
/** Least height of a bar that is not nothing, and the one below the ground, in pixels. */
const LEAST_PX = 2
const BELOW_PX = 10

/** Finds the step by which a scale with `ticks` steps holds the largest amount. */
export function stepOf(most: bigint, ticks: bigint = TICKS): bigint {
  for (let power = 1n; ; power *= 10n) {
    const step = STEPS.find((each) => each * power * ticks >= most)
    if (step !== undefined) return step * power
  }
}

/** A band of a stack: what it fills, and its upper edge, as paths of SVG. */
interface Band {
  readonly role: StackedRole
  readonly area: string
  readonly edge: string
}

/** A stretch of days in pixels. */
interface Stretch {
  readonly x: number
  readonly width: number
}

/** A stack as it is drawn: steps from day to day, and nothing where nothing was read. */
interface StackDrawing {
  readonly bands: readonly Band[]
  readonly gaps: readonly Stretch[]
  /** Step of the scale, in the history's units; the top is three of them. */
  readonly step: bigint
}

/** Draws a history as a stack. No amount is a float before it is a height. @param width in pixels @param height in pixels */
export function stackOf(history: History, width: number, height: number): StackDrawing {
  const { days, roles } = history
  const most = days.reduce((largest, day) => max(largest, totalOf(day) ?? 0n), 0n)
  const step = stepOf(most)
  const x = (index: number) => round((index / Math.max(1, days.length)) * width)
  const y = (units: bigint) => round(height - heightOf(units, step * TICKS, height))
  const runs = runsOf(days, ({ amounts }) => amounts !== null)
  const bands = roles.map((role, at) => {
    const below = (index: number) => sumTo(days[index], at)
    const above = (index: number) => sumTo(days[index], at + 1)
    const stretches = runs.flatMap(([from, to]) => runsOf(days.slice(from, to), (day) => (day.amounts?.[at] ?? 0n) > 0n, from))
    const areas = stretches.map(([from, to]) => {
      const upper = range(from, to).map((index) => `V${y(above(index))}H${x(index + 1)}`)
      const lower = range(from, to)
        .toReversed()
        .map((index) => `V${y(below(index))}H${x(index)}`)
      return `M${x(from)} ${y(below(from))}${upper.join('')}${lower.join('')}Z`
    })
    const edges = stretches.map(([from, to]) => {
      const [first, ...rest] = range(from, to)
      const line = rest.map((index) => `V${y(above(index))}H${x(index + 1)}`)
      return first === undefined ? '' : `M${x(first)} ${y(above(first))}H${x(first + 1)}${line.join('')}`
    })
    return { role, area: areas.join(''), edge: edges.join('') }
  })
  const gaps = runsOf(days, ({ amounts }) => amounts === null).map(([from, to]) => ({ x: x(from), width: round(x(to) - x(from)) }))
  return { bands, gaps, step }
}

/** A bar of a day, in pixels from the top. */
interface Bar extends Stretch {
  readonly day: string
  readonly y: number
  readonly height: number
  /** `loss`: it hangs below the ground, and its height says nothing. */
  readonly look: 'earned' | 'loss'
}

/** Bars of what was earned, on a scale of their own. */
interface BarDrawing {
  readonly bars: readonly Bar[]
  readonly gaps: readonly Stretch[]
  /** Amount at the top, in the history's units. */
  readonly top: bigint
}

/** Draws what was earned on each day; a day that has not ended has no bar yet. @param today in UTC, such as `2026-11-28` */
export function barsOf(history: History, today: string, width: number, height: number): BarDrawing {
  const { days } = history
  const ended = days.filter(({ day }) => day < today)
  const top = stepOf(
    ended.reduce((most, { earned }) => max(most, earned ?? 0n), 0n),
    1n,
  )
  const place = width / Math.max(1, days.length)
  const bars = days.flatMap(({ day, earned, slashed }, index): readonly Bar[] => {
    if (day >= today || earned === null) return []
    const at = { day, x: round((index + (1 - FILLED) / 2) * place), width: round(place * FILLED) }
    if (slashed > 0n || earned < 0n) return [{ ...at, y: height, height: BELOW_PX, look: 'loss' }]
    if (earned === 0n) return []
    const high = Math.max(LEAST_PX, heightOf(earned, top, height))
    return [{ ...at, y: round(height - high), height: round(high), look: 'earned' }]
  })
  const gaps = runsOf(days, ({ amounts }) => amounts === null).map(([from, to]) => ({
    x: round(from * place),
    width: round((to - from) * place),
  }))
  return { bars, gaps, top }
}

/** Lists the stretches of days for which something is so: the first of each, and the one after its last. */
function runsOf(
  days: readonly HistoryDay[],
  holds: (day: HistoryDay) => boolean,
  offset = 0,
): readonly (readonly [from: number, to: number])[] {
  const runs: [number, number][] = []
  days.forEach((day, index) => {
    if (!holds(day)) return
    const last = runs.at(-1)
    if (last?.[1] === index + offset) last[1] += 1
    else runs.push([index + offset, index + offset + 1])
  })
  return runs
}

function sumTo(day: HistoryDay | undefined, end: number): bigint {
  return (day?.amounts ?? []).slice(0, end).reduce((sum, amount) => sum + amount, 0n)
}

function heightOf(units: bigint, top: bigint, height: number): number {
  return (Number((units * FINE) / top) / Number(FINE)) * height
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

/** Rounds pixels to a tenth: a path of a year stays short. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
