import { SandboxError } from './error.ts'
import type { Fault } from './fault.ts'

/** How far a chain is moved: by epochs of its protocol, or by seconds of its clock. */
export type Step = { readonly epochs: number } | { readonly seconds: number }

/**
 * A local chain, whatever its family. To the service it is only `rpcUrl`; everything else is for the control port and for tests.
 * Every method that answers a record answers the state after it, in values that JSON can carry.
 */
export interface SandboxChain {
  /** `<family>:<chain id>`, as in `evm:143`. */
  readonly id: `${string}:${string}`
  /** What a client is configured with; faults act here. */
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
  /** Makes blocks, for families where that means something. */
  mine?(blocks: number): Promise<Record<string, unknown>>
  /** What this chain can do besides, by name, for the control port. */
  readonly operations?: Readonly<Record<string, ChainOperation>>
  /** Lets the chain notice that real time has passed; called now and then when the sandbox runs with a clock. */
  tick?(): Promise<void>
  close(): Promise<void>
}

/** Something that the control port does to a chain. */
export interface ChainOperation {
  /** What a body looks like; shown by `GET /` and in refusals. */
  readonly example: Readonly<Record<string, unknown>>
  /** Members that a body may have; others are refused before `run`. */
  readonly members: readonly string[]
  /**
   * @returns the state after it, in values that JSON can carry
   * @throws SandboxError `INVALID_INPUT`, `NOT_SUPPORTED`
   */
  run(body: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
}

/** Most epochs of one step. At 4 hours and 10 minutes each this is half a year. */
export const maxEpochs = 1000
/** Most seconds of one step: a year of 365 days. */
export const maxSeconds = 31_536_000
/** Most blocks of one `mine`. */
export const maxBlocks = 10_000

/**
 * Reads a step from outside.
 *
 * @throws SandboxError `INVALID_INPUT` unless it has exactly one of `epochs` and `seconds`, a positive integer within bounds
 */
export function parseStep(value: unknown): Step {
  const { epochs, seconds } = (typeof value === 'object' && value !== null ? value : {}) as { epochs?: unknown; seconds?: unknown }
  if ((epochs === undefined) === (seconds === undefined)) {
    throw new SandboxError('INVALID_INPUT', 'say how far: either { "epochs": 1 } or { "seconds": 60 }')
  }
  if (epochs !== undefined) return { epochs: parseCount('epochs', epochs, maxEpochs) }
  return { seconds: parseCount('seconds', seconds, maxSeconds) }
}

/** @throws SandboxError `INVALID_INPUT` unless it is an integer from 1 to `max` */
export function parseCount(name: string, value: unknown, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new SandboxError('INVALID_INPUT', `${name} is ${show(value)}: it must be an integer from 1 to ${max}`)
}

/** A value as a message shows it: JSON, cut where it would be long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
