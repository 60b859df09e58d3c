import type { ErrorBody } from './errors.ts'

/** An exchange that took place, as the document and the console show it. */
export interface ExampleExchange {
  /** Body of the request. */
  readonly request?: Readonly<Record<string, unknown>>
  readonly response?: unknown
  /** Refusals of this very operation, by status. */
  readonly refusals?: Readonly<Record<string, ErrorBody>>
}

/**
 * Examples that the document and the console show of a protocol. The requests succeed in the sandbox, where the scenario's `stage` has made
 * the requests' subjects; elsewhere the requests are well-formed for their network. `pnpm examples` records the examples.
 */
export interface ProtocolExamples {
  /** X-NETWORK of the chain that their bytes are for; the document leaves signed bytes out where that is not among the networks. */
  readonly network: string
  /** Parameters of paths, by name. */
  readonly parameters: Readonly<Record<string, string | number>>
  /** Exchanges by method and path behind the prefix: `post /action/stake`. */
  readonly exchanges: Readonly<Record<string, ExampleExchange>>
}
