import type { EndpointError } from './endpoint.ts'

/** The `error` member of an answer, as far as a node fills it in. */
export interface JsonRpcFault {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
}

/** A call as whoever asks it names it. */
export interface NamedCall {
  readonly method: string
  readonly params: unknown
}

/** A call as it is sent. */
export interface Question extends NamedCall {
  readonly id: number
  /** The question as it is sent. */
  readonly text: string
}

/** A call that goes along with others and judges the endpoint that answers them: is it on the chain meant, and is it up to date. */
export interface Sentinel {
  readonly method: string
  readonly params: readonly unknown[]
  /**
   * Finds its answer in that to another call of the wave, so that it is not asked for by itself.
   *
   * @returns what takes it out of the result of the call; null when that does not tell it
   */
  readonly within?: (method: string, params: unknown) => ((result: unknown) => unknown) | null
  /** @throws EndpointError when nothing that this endpoint says is to be believed */
  read(result: unknown): SentinelReading | undefined
}

/** What a sentinel's answer tells. */
export interface SentinelReading {
  /** Time of the endpoint's head. */
  readonly head?: Date
  /** Further sentinels, to be asked of the same endpoint, when this one could not tell. */
  readonly further?: readonly Sentinel[]
}

/** Question whose answer says that something holds. */
export interface Confirmation extends NamedCall {
  holds(result: unknown): boolean
}

/** An answer as it came: a result, an error, or neither. */
export type Result = { readonly result: unknown } | { readonly error: JsonRpcFault } | { readonly fault: EndpointError }
/** End of a call at one endpoint: a value, the chain's verdict, or no verdict. */
export type Outcome = { readonly value: unknown } | { readonly verdict: unknown } | { readonly fault: EndpointError }

/** Changes of the questions, when they are asked once more. */
export interface Again {
  readonly height: bigint | null
  /** By the place of the call: the question that takes its place, and the outcome that it confirms. */
  readonly confirmed: ReadonlyMap<number, { readonly question: Confirmation; readonly outcome: Outcome }>
}

/** A wave's way through one endpoint. */
export interface Journey {
  readonly results: readonly Result[]
  readonly outcomes: readonly Outcome[]
  /** Null where it was not asked for. */
  readonly height: bigint | null
  readonly again: Again | undefined
}
