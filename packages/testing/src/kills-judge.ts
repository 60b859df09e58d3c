/** A message as it arrived. */
export interface Arrival {
  readonly id: string
  readonly body: string
  /** By the receiver's clock, in milliseconds since 1970. */
  readonly at: number
  /** By the sender's clock, in whole seconds since 1970: `webhook-timestamp`. */
  readonly sentAt: number
  /** Whether its signature holds. */
  readonly valid: boolean
}

/** What happened while messages were sent. */
export interface KillsRecord {
  /** Bodies of the events that are in the list, by id. */
  readonly listed: ReadonlyMap<string, string>
  /** In the order of their arrival. */
  readonly arrivals: readonly Arrival[]
  /** Events of which a process said that they were written. */
  readonly told: ReadonlySet<string>
  /** When processes were killed, and when one told that it had waited for an answer for too long, in milliseconds since 1970. */
  readonly deaths: readonly number[]
  readonly timeouts: readonly number[]
  readonly leaseMs: number
  readonly timeoutMs: number
}

/** What that comes to. */
export interface Judgement {
  readonly events: number
  readonly lost: number
  readonly unwritten: number
  readonly messages: number
  readonly duplicates: number
  readonly afterTimeout: number
  readonly unexplained: number
  readonly forged: number
}

/** What the receiver's clock, the moment of a kill and that at which a timeout is heard of may be apart, in milliseconds. */
const SLACK_MS = 400
/** Attempts at one receiver that are under way at once, in all replicas (`claim.ts` of the core): so many one kill repeats at most. */
const AT_A_TIME = 4
/** Nothing is tried again sooner, in whole seconds by the sender: the first pause is 4 s at least, and two are left to a machine that is slow to send what it has claimed. */
const SOONEST_S = 2

/**
 * Judges the deliveries that arrived. A message that comes again needs a reason: a process that was killed before it could record the answer, or one that did not hear the
 * answer in time. Each kill explains as many repeats as were under way, each timeout one, and neither explains two that were sent at once.
 */
export function judgeKills({ listed, arrivals, told, deaths, timeouts, leaseMs, timeoutMs }: KillsRecord): Judgement {
  const times = new Map<string, Arrival[]>()
  for (const each of arrivals) times.set(each.id, [...(times.get(each.id) ?? []), each])
  const again = [...times.values()].flatMap((each) =>
    each.slice(0, -1).map((first, index) => ({ at: first.at, isTooSoon: (each[index + 1]?.sentAt ?? 0) - first.sentAt < SOONEST_S })),
  )
  const kills = reasonsOf(deaths, leaseMs, AT_A_TIME)
  const lates = reasonsOf(timeouts, timeoutMs, 1)
  let afterTimeout = 0
  let unexplained = 0
  // The earliest first, each by the earliest that explains it: so as many are explained as can be.
  for (const { at, isTooSoon } of again.toSorted((one, other) => one.at - other.at)) {
    if (!isTooSoon && kills(at)) continue
    if (!isTooSoon && lates(at)) afterTimeout++
    else unexplained++
  }
  return {
    events: listed.size,
    lost: [...listed.keys()].filter((id) => !times.has(id)).length,
    unwritten: [...told].filter((id) => !listed.has(id)).length,
    messages: arrivals.length,
    duplicates: again.length,
    afterTimeout,
    unexplained,
    forged: arrivals.filter(({ id, body, valid }) => !valid || listed.get(id) !== body).length,
  }
}

/** @returns whether a message that arrived at a moment has a reason left, which is then used up */
function reasonsOf(moments: readonly number[], withinMs: number, each: number): (at: number) => boolean {
  const left = moments.toSorted((one, other) => one - other).map((moment) => ({ moment, count: each }))
  return (at) => {
    const kill = left.find(({ moment, count }) => count > 0 && moment >= at - SLACK_MS && moment <= at + withinMs + SLACK_MS)
    if (kill) kill.count--
    return kill !== undefined
  }
}
