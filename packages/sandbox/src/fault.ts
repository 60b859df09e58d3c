import { SandboxError } from './error.ts'
import { parseCount, show } from './input.ts'
import { membersOf } from './members.ts'

/**
 * Fault between a client and its chain. `delay`: the answer comes `ms` late. `drop`: the connection breaks without an
 * answer. `error`: HTTP 500. `none`: nothing goes wrong.
 */
export interface Fault {
  readonly kind: 'delay' | 'drop' | 'error' | 'none'
  /** Milliseconds, for `delay` only. @default 1000 */
  readonly ms?: number
  /** Number of requests that the fault meets; absent, every one until `none`. */
  readonly times?: number
}

const kinds: readonly Fault['kind'][] = ['delay', 'drop', 'error', 'none']
const maxDelay = 600_000
const maxTimes = 1_000_000

/** Reads a fault from an outside value. @throws SandboxError `INVALID_INPUT` for an unknown kind, a delay out of bounds, or a member that does not belong to the kind */
export function parseFault(value: unknown): Fault {
  const { kind: input, ms, times } = membersOf(value)
  const kind = kinds.find((each) => each === input)
  if (kind === undefined) {
    throw new SandboxError('INVALID_INPUT', `kind is ${show(input)}: it must be one of ${kinds.join(', ')}`)
  }
  if (ms !== undefined && kind !== 'delay') throw new SandboxError('INVALID_INPUT', `ms belongs to delay, not to ${kind}`)
  if (times !== undefined && kind === 'none') throw new SandboxError('INVALID_INPUT', 'times does not belong to none: nothing goes wrong')
  return {
    kind,
    ...(kind === 'delay' ? { ms: ms === undefined ? 1000 : parseCount('ms', ms, maxDelay) } : {}),
    ...(times === undefined ? {} : { times: parseCount('times', times, maxTimes) }),
  }
}

/** Holds the fault that is switched on, and counts the requests it has met. */
export class FaultSwitch {
  #fault: Fault = { kind: 'none' }
  #left = Number.POSITIVE_INFINITY

  /** @throws SandboxError `INVALID_INPUT` */
  set(fault: Fault): void {
    this.#fault = parseFault(fault)
    this.#left = this.#fault.times ?? Number.POSITIVE_INFINITY
  }

  /** The fault that is switched on, with the requests that it is still to meet; null when there is none. */
  get current(): Fault | null {
    if (this.#fault.kind === 'none') return null
    return Number.isFinite(this.#left) ? { ...this.#fault, times: this.#left } : this.#fault
  }

  /** The fault that the next request meets. */
  take(): Fault {
    const fault = this.#fault
    this.#left -= 1
    if (this.#left <= 0) this.#fault = { kind: 'none' }
    return fault
  }
}
