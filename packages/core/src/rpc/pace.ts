/** Statistics of the time that an endpoint takes for one kind of work, from its last answers. */
export interface Pace {
  /** Notes the duration of one answer, or of a wait for an answer that did not come. */
  note(ms: number): void
  /** Returns the time after which another endpoint is worth asking too, in milliseconds; null while too little is known. */
  patienceMs(): number | null
  /** Returns the median in milliseconds; null while too little is known. */
  medianMs(): number | null
  /** True while so few answers are known that an additional call is worthwhile to learn the pace. */
  isScarce(): boolean
}

/** Most answers that are remembered (`MOST`), and the time for which they are, in milliseconds (`AGE_MS`): an endpoint's pace of yesterday says nothing of today's. */
const MOST = 200
const AGE_MS = 300_000
/** Fewest answers from which the patience is computed (`FEWEST`), and the median (`FEWEST_FOR_MEDIAN`). */
const FEWEST = 20
const FEWEST_FOR_MEDIAN = 8
/** Number of answers (`RENEW_AFTER`), or time in milliseconds (`RENEW_MS`), after which the figures are computed again. */
const RENEW_AFTER = 10
const RENEW_MS = 30_000
/** Patience as a multiple of the median: of the kind of work, or of all work where too little is known of the kind. */
const MEDIANS = 2
/** Shortest patience, in milliseconds: within this time, the answer is more often than not already on its way. */
const LEAST_MS = 5

/**
 * Twice the median, whatever the 95th percentile is. Where one answer in twenty is late, the percentile is late itself (measured 2026-11-23: 99 of 100 answers within
 * 5.6 medians, and within 3.1 by the median); where answers come close together, one in twenty is asked for twice in vain, and the budget is used up when one is late in
 * earnest (2026-11-28: 99 of 100 balances within 20 medians, at 10.7 % more calls).
 *
 * @param now milliseconds of a clock that never runs backwards
 * @see Dean and Barroso, "The Tail at Scale", CACM 56(2), 2013
 */
function createPace(now: () => number): Pace {
  const answers: { readonly ms: number; readonly at: number }[] = []
  let figures: { readonly count: number; readonly p50: number } | null = null
  let notedSince = 0
  let workedOutAt = 0

  function current() {
    if (figures !== null && notedSince < RENEW_AFTER && now() - workedOutAt < RENEW_MS) return figures
    while (answers[0] !== undefined && now() - answers[0].at >= AGE_MS) answers.shift()
    const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
    figures = { count: sorted.length, p50: sorted[Math.ceil(sorted.length / 2) - 1] ?? 0 }
    notedSince = 0
    workedOutAt = now()
    return figures
  }

  return {
    note(ms) {
      answers.push({ ms, at: now() })
      if (answers.length > MOST) answers.shift()
      notedSince++
      // Too few for a figure: each one counts.
      if (figures !== null && figures.count < FEWEST) figures = null
    },
    patienceMs() {
      const { count, p50 } = current()
      return count < FEWEST ? null : Math.max(LEAST_MS, MEDIANS * p50)
    },
    medianMs() {
      const { count, p50 } = current()
      return count < FEWEST_FOR_MEDIAN ? null : p50
    },
    isScarce: () => current().count < FEWEST_FOR_MEDIAN,
  }
}

/** Most kinds of work whose times are kept separately for an endpoint. The code names the kinds, so that there are a few dozen. */
const MOST_KINDS = 100

/** Makes the memory of how long each kind of work takes, by its latest times. For a new kind, the patience follows from all kinds together. */
export function createPaces(now: () => number): (kind: string) => Pace {
  const paces = new Map<string, Pace>()
  const all = createPace(now)
  const paceOf = (): Pace => {
    const own = createPace(now)
    return {
      ...own,
      note(ms) {
        own.note(ms)
        all.note(ms)
      },
      patienceMs() {
        const usual = all.patienceMs() === null ? null : all.medianMs()
        return own.patienceMs() ?? (usual === null ? null : Math.max(LEAST_MS, MEDIANS * usual))
      },
    }
  }
  return (kind) => {
    const pace = paces.get(kind) ?? paceOf()
    const [oldest] = paces.keys()
    if (oldest !== undefined && paces.size >= MOST_KINDS && !paces.has(kind)) paces.delete(oldest)
    paces.set(kind, pace)
    return pace
  }
}

/** Tells whether an endpoint is so slow that others may be noticeably quicker. */
export function isSlowAlone(pace: Pace): boolean {
  return (pace.medianMs() ?? 0) > NOTICED_MS
}

/** Tells whether an endpoint is usually so much slower than another that the other is asked first: at least twice as slow, and by more than chance in a network explains. */
export function isSlowBeside(one: Pace, other: Pace): boolean {
  const [own, others] = [one.medianMs(), other.medianMs()]
  return own !== null && others !== null && own > 2 * others && own - others > NOTICED_MS
}

/** Difference of medians below which nobody notices the order, in milliseconds. */
const NOTICED_MS = 25
