import type { EndpointError } from './endpoint.ts'

/** The `error` member of an answer, as far as a node fills it in. */
export interface JsonRpcFault {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
}

/** Call by its method and parameters, as the asking code names it. */
export interface NamedCall {
  readonly method: string
  readonly params: unknown
}

/** Call as it is sent, with its id and text. */
export interface Question extends NamedCall {
  readonly id: number
  /** Text of the call as it is sent. */
  readonly text: string
}

/** Call that goes along with others and judges the endpoint that answers them: whether it is on the right chain, and up to date. */
export interface Sentinel {
  readonly method: string
  readonly params: readonly unknown[]
  /**
   * Finds the sentinel's answer in the result of another call of the wave, so that it need not be asked separately.
   *
   * @returns what takes it out of the result of the call; null when that does not tell it
   */
  readonly within?: (method: string, params: unknown) => ((result: unknown) => unknown) | null
  /** Judges the endpoint by the result. @throws EndpointError when nothing that this endpoint says is to be believed */
  read(result: unknown): SentinelReading | undefined
}

/** Facts learned from a sentinel's answer. */
export interface SentinelReading {
  /** Time of the endpoint's head. */
  readonly head?: Date
  /** Further sentinels to ask the same endpoint, when this one could not decide. */
  readonly further?: readonly Sentinel[]
}

/** Question whose answer confirms an earlier result. */
export interface Confirmation extends NamedCall {
  holds(result: unknown): boolean
}

/** Answer to a call as it came: a result, an error, or a fault of the endpoint. */
export type Result = { readonly result: unknown } | { readonly error: JsonRpcFault } | { readonly fault: EndpointError }
/** Outcome of a call at one endpoint: a value, the chain's verdict, or a fault of the endpoint. */
export type Outcome = { readonly value: unknown } | { readonly verdict: unknown } | { readonly fault: EndpointError }

/** Changes to a wave's questions when they are asked again. */
export interface Again {
  readonly height: bigint | null
  /** Replacement of a call by its index: the question that takes its place, and the outcome that it confirms. */
  readonly confirmed: ReadonlyMap<number, { readonly question: Confirmation; readonly outcome: Outcome }>
}

/** Results and outcomes of a wave's calls at one endpoint. */
export interface Journey {
  readonly results: readonly Result[]
  readonly outcomes: readonly Outcome[]
  /** Height of the endpoint's state; null where it was not asked for. */
  readonly height: bigint | null
  readonly again: Again | undefined
}
