import { unescape as decoded } from 'node:querystring'
import { serviceError } from '../base/codes.ts'
import { createHeads, type Heads, type Lag } from './heads.ts'
import { createPaces, isSlowAlone, isSlowBeside, type Pace } from './pace.ts'

/** One upstream server as the operator configured it. */
export interface Endpoint {
  /** `http://` or `https://`, with a base path if there is one; `user:password@` becomes an Authorization header. */
  readonly url: string
  /** Headers for this endpoint, such as credentials; they take precedence over the caller's. */
  readonly headers?: Readonly<Record<string, string>>
}

/** State of an endpoint, for health and metrics. Of its address it has only the host, since paths and user names may contain keys. */
export interface EndpointState {
  /** Place in the configuration, from 1. */
  readonly number: number
  /** Name or address of the host, with the port if one was given. */
  readonly host: string
  /** True if the endpoint was ever asked. */
  readonly used: boolean
  readonly healthy: boolean
  /** Failures since the last success; those during a cool-down are not counted. */
  readonly failures: number
  /** Reason of the last failure, null while healthy. */
  readonly reason: string | null
  /** Milliseconds until the endpoint takes its place in the order again after failures; 0: it has its place. */
  readonly coolingMs: number
  /** True while the next endpoint is asked first, since this one usually takes longer. */
  readonly slow: boolean
  /** Milliseconds by which the endpoint's head is older than the newest of the group; null while that is not enough to ask others first. */
  readonly behindMs: number | null
  /** Duration of the last call that the endpoint answered; null: it answered none yet. */
  readonly lastMs: number | null
  /** Milliseconds for which the endpoint has been healthy, or has not been; null: it was never asked. */
  readonly sinceMs: number | null
}

/** An endpoint in use. */
export interface Server {
  readonly number: number
  /** Returns the address of a call with this path and query. */
  address(path: string, query: string): string
  readonly headers: Readonly<Record<string, string>>
  /** Notes the end of an attempt. `began` is what `begin` returned, `ms` how long it took. */
  succeeded(began: number, ms: number): void
  /** `waitMs` is what the endpoint asked for, if it did. */
  failed(reason: string, waitMs?: number): void
  begin(): number
  /** Ends an attempt that tells nothing of the endpoint. */
  left(began: number): void
  /** Ends an attempt that was given up because another endpoint answered first. A few such attempts in a row count as a failure. */
  overtaken(): void
  /** True if the endpoint's last call succeeded, or it was never asked. */
  isWell(): boolean
  /** Notes the time of the head that the endpoint told. @returns endpoints of the group that have thereby fallen behind or caught up */
  saw(head: Date): readonly Lag[]
  /** True while the endpoint's head is older than another's by more than the chain's pace explains. */
  isBehind(): boolean
  /** Returns the endpoint's pace for work of one kind. */
  pace(kind: string): Pace
}

/** The endpoints for one reading. */
interface ReadingOrder {
  /** Endpoints in the order to try: healthy ones as configured, except that a usually slow one comes later, then healthy ones that are behind, then those that cool down. */
  readonly servers: readonly Server[]
  /** Endpoint to ask additionally, without waiting for it, to learn whether it has recovered, or how long it takes; null: none. */
  readonly probe: Server | null
}

export interface Pool {
  /**
   * Returns every endpoint in the order to try: healthy ones as configured, then healthy ones that are behind, then those that cool down. In a group
   * that has had no readings, one whose cool-down is over takes its configured place.
   */
  order(): Server[]
  /** Returns the order for a reading of a kind, and an endpoint that can be asked in the background. */
  readingOrder(kind: string): ReadingOrder
  /**
   * Returns healthy endpoints that are to be asked for their heads in the background, since they have told none for a while. Each call that returns an endpoint counts as asking
   * it.
   */
  unseen(): Server[]
  states(): EndpointState[]
}

/** First cool-down after a failure (`COOL_FIRST_MS`), and the longest, in milliseconds; each failure in a row doubles it. */
const COOL_FIRST_MS = 1000
const COOL_MOST_MS = 30_000
/** Number of calls in a row that another endpoint answered first, far quicker, after which an endpoint counts as failed: it takes calls and does not answer them. */
const OVERTAKEN_MOST = 5

/**
 * Makes the pool of an endpoint group, which knows the state of each endpoint.
 *
 * @param name of the group, for the messages
 * @param now milliseconds of a clock that never runs backwards
 * @param wall milliseconds since 1970
 * @throws {ServiceError} 500 `ENDPOINT_INVALID`, at start; an address is never shown, since it may hold credentials
 */
export function createPool(name: string, endpoints: readonly Endpoint[], now: () => number, wall: () => number = () => Date.now()): Pool {
  if (endpoints.length === 0) throw serviceError(500, 'ENDPOINT_INVALID', `${name} has no endpoint; name at least one URL.`)
  // Numbers every beginning and every failure, so that a success which began before a failure does not hide it.
  let turn = 0
  const heads = createHeads(now, wall)
  const members = endpoints.map((endpoint, index) => member(name, endpoint, index + 1, now, () => ++turn, heads))
  const isAhead = (one: Member) => !one.server.isBehind()
  const behindLast = (all: readonly Member[]) => [...all.filter(isAhead), ...all.filter((one) => !isAhead(one))]
  // Then one that rests is tried by a reading that nobody waits for, and by no call of a customer's.
  let hasReadings = false
  return {
    order() {
      const at = now()
      const isFirst = (one: Member) => (hasReadings ? one.server.isWell() : one.fit(at))
      const cooling = members.filter((one) => !isFirst(one)).sort((a, b) => a.coolUntil() - b.coolUntil())
      return [...behindLast(members.filter(isFirst)), ...cooling].map((one) => one.server)
    },
    readingOrder(kind) {
      hasReadings = true
      const at = now()
      const fit = members.filter((one) => one.server.isWell())
      // One that is behind is asked last, however quick it is.
      const well = fit.some(isAhead) ? fit.filter(isAhead) : fit
      const behind = fit.filter((one) => !well.includes(one))
      const resting = members.filter((one) => !one.server.isWell()).sort((a, b) => a.coolUntil() - b.coolUntil())
      const pace = (one: Member) => one.server.pace(kind)
      const first = well.find((one) => !well.some((other) => isSlowBeside(pace(one), pace(other))))
      const passed = first === undefined ? [] : well.slice(0, well.indexOf(first))
      for (const one of well) one.noteSlow(passed.includes(one))
      const ordered = first === undefined ? well : [first, ...well.filter((one) => one !== first)]
      const recovering = well.length > 0 ? resting.find((one) => one.fit(at)) : undefined
      const others = first !== undefined && isSlowAlone(pace(first)) ? ordered.slice(1) : []
      const unknown = others.find((one) => pace(one).isScarce())
      return { servers: [...ordered, ...behind, ...resting].map((one) => one.server), probe: (recovering ?? unknown)?.server ?? null }
    },
    unseen: () => members.map((one) => one.server).filter((server) => server.isWell() && heads.isDue(server.number)),
    states: () => members.map((one) => one.state(now())),
  }
}

interface Member {
  readonly server: Server
  fit(at: number): boolean
  noteSlow(isSlow: boolean): void
  coolUntil(): number
  state(at: number): EndpointState
}

function member(name: string, endpoint: Endpoint, number: number, now: () => number, nextTurn: () => number, heads: Heads): Member {
  const { address, headers, host } = parse(name, endpoint, number)
  let failures = 0
  let failedAt = 0
  let coolUntil = Number.NEGATIVE_INFINITY
  let reason: string | null = null
  // The attempt that finds out whether a cooled endpoint has recovered; meanwhile other calls go elsewhere.
  let probe = 0
  let lastMs: number | null = null
  let changedAt: number | null = null
  let slow = false
  let overtakenTimes = 0
  const pace = createPaces(now)

  const failed: Server['failed'] = (why, waitMs = 0) => {
    probe = 0
    reason = why
    overtakenTimes = 0
    if (failures === 0) changedAt = now()
    failedAt = nextTurn()
    // Calls that were under way together fail together; that is one failure.
    if (now() < coolUntil) return
    failures++
    coolUntil = now() + Math.min(Math.max(COOL_FIRST_MS * 2 ** (failures - 1), waitMs), COOL_MOST_MS)
  }

  return {
    server: {
      number,
      address,
      headers,
      isWell: () => failures === 0,
      saw: (head) => heads.saw(number, head),
      isBehind: () => heads.behindMs(number) !== null,
      pace,
      failed,
      begin() {
        const began = nextTurn()
        if (failures > 0 && probe === 0) probe = began
        return began
      },
      succeeded(began, ms) {
        if (probe === began) probe = 0
        lastMs = ms
        if (began < failedAt) return
        overtakenTimes = 0
        if (failures > 0) changedAt = null
        changedAt ??= now()
        failures = 0
        // Whoever asks it alone finds out that it is back while it still rests: what fails from now on is a failure of its own, and not one of those.
        coolUntil = Number.NEGATIVE_INFINITY
        reason = null
      },
      left(began) {
        if (probe === began) probe = 0
      },
      overtaken() {
        overtakenTimes++
        if (overtakenTimes >= OVERTAKEN_MOST) failed('slow')
      },
    },
    noteSlow(isSlow) {
      slow = isSlow
    },
    fit: (at) => failures === 0 || (at >= coolUntil && probe === 0),
    coolUntil: () => coolUntil,
    state: (at) => ({
      number,
      host,
      used: changedAt !== null,
      healthy: failures === 0,
      failures,
      reason,
      coolingMs: failures === 0 ? 0 : Math.max(0, coolUntil - at),
      slow: slow && failures === 0,
      behindMs: failures === 0 ? heads.behindMs(number) : null,
      lastMs,
      sinceMs: changedAt === null ? null : at - changedAt,
    }),
  }
}

function parse(
  name: string,
  { url, headers = {} }: Endpoint,
  number: number,
): Pick<Server, 'address' | 'headers'> & { readonly host: string } {
  const base = URL.canParse(url) ? new URL(url) : null
  if (base === null || !/^https?:$/.test(base.protocol))
    throw serviceError(500, 'ENDPOINT_INVALID', `Endpoint ${number} of ${name} is not a URL that begins with http:// or https://.`)
  if (!sendable(headers))
    throw serviceError(500, 'ENDPOINT_INVALID', `Endpoint ${number} of ${name} has a header that HTTP does not allow.`)
  const { username, password, origin, search } = base
  const path = base.pathname.replace(/\/$/, '')
  const basic = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  const credentials: Record<string, string> = username === '' && password === '' ? {} : { authorization: `Basic ${basic}` }
  return {
    host: base.host,
    // As HTTP has them: names in lower case, values without what surrounds them.
    headers: { ...credentials, ...Object.fromEntries(new Headers(headers)) },
    address(callPath, callQuery) {
      // An endpoint's own path is kept to the letter when a call adds none: a key in the path may or may not end in a slash.
      const whole = callPath === '/' ? base.pathname : path + callPath
      const query = [search.slice(1), callQuery.slice(1)].filter((part) => part !== '').join('&')
      return origin + whole + (query && `?${query}`)
    },
  }
}

/** Tells whether headers can be sent; line breaks cannot, for example, as they come with a secret read from a file. */
function sendable(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) !== null
  } catch {
    return false
  }
}
