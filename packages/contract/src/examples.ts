import type { ErrorBody } from './errors.ts'

/** Recorded exchange, as the document and the console show it. */
export interface ExampleExchange {
  /** Body of the request. */
  readonly request?: Readonly<Record<string, unknown>>
  readonly response?: unknown
  /** Refusals of this very operation, by status. */
  readonly refusals?: Readonly<Record<string, ErrorBody>>
}

/**
 * Examples of a protocol that the document and the console show. The requests succeed in the sandbox, where the scenario's `stage` has made their subjects; elsewhere they
 * are well-formed for their network. `pnpm examples` records the examples.
 */
export interface ProtocolExamples {
  /** X-NETWORK of the chain that the examples' bytes are for; the document leaves signed bytes out where that chain is not among the networks. */
  readonly network: string
  /** Path parameters by name. */
  readonly parameters: Readonly<Record<string, string | number>>
  /** Exchanges by method and path without the prefix: `post /action/stake`. */
  readonly exchanges: Readonly<Record<string, ExampleExchange>>
}
