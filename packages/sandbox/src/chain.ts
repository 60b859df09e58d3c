import type { Fault } from './fault.ts'
import type { Step } from './input.ts'

/**
 * A local chain, whatever its family. To the service it is only `rpcUrl`; everything else is for the control port and for tests.
 * Every method that answers a record answers the state after it, in values that JSON can carry.
 */
export interface SandboxChain {
  /** `<family>:<chain id>`, as in `evm:143`. */
  readonly id: `${string}:${string}`
  /** Address with which a client is configured; faults act here. */
  readonly rpcUrl: string
  /** @throws SandboxError `INVALID_INPUT`, `NOT_SUPPORTED` */
  advance(step: Step): Promise<Record<string, unknown>>
  /**
   * Adds to a balance.
   *
   * @param amount decimal text in native units, exact: `1.5`
   */
  fund(address: string, amount: string): Promise<Record<string, unknown>>
  /** Switches a fault on, in place of the one before, or off. */
  fault(fault: Fault): void
  /** The fault that is switched on; null when there is none. */
  faulted?(): Fault | null
  /** Number and time (seconds since 1970) of the latest block, and what else says where the chain stands, such as its epoch. */
  latest?(): Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>
  /** Makes blocks, for families where that means something. */
  mine?(blocks: number): Promise<Record<string, unknown>>
  /** Further operations of this chain, by name, for the control port. */
  readonly operations?: Readonly<Record<string, ChainOperation>>
  /** Lets the chain notice that real time has passed; called now and then when the sandbox runs with a clock. */
  tick?(): Promise<void>
  /** Makes a block on top of one that is not final yet, as on a chain that never rests; called twice a second when the sandbox runs with a clock. */
  grow?(): Promise<void>
  /** Registers what a scenario started besides the chain and ends with it, such as a server. */
  onClose(closer: () => Promise<void>): void
  /** Ends the chain and what was registered, and waits until all have ended. */
  close(): Promise<void>
}

/** Something that the control port does to a chain. */
export interface ChainOperation {
  /** Example of a body; shown by `GET /` and in refusals. */
  readonly example: Readonly<Record<string, unknown>>
  /** Members that a body may have; others are refused before `run`. */
  readonly members: readonly string[]
  /**
   * @returns the state after it, in values that JSON can carry
   * @throws SandboxError `INVALID_INPUT`, `NOT_SUPPORTED`
   */
  run(body: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
}
