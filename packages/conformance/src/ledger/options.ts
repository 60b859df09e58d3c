import type { FlowKind, UnknownReason } from '@svc/contract'
import type { Player } from '../player.ts'

/** A wallet in the middle of its life. */
export interface LedgerLife {
  readonly player: Player
  /** The chain itself, past the service. */
  readonly rpcUrl: string
  /** An operation of the chain's control port. @returns the state after it. @throws when it is refused */
  operate(name: string, body?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
  /** A whole number from 0 up to, and without, another one; the same ones in each run. */
  random(below: number): number
}

/** Something that may happen to a wallet. */
export interface LedgerStep {
  /** Completes the sentence: the wallet … @example claims its rewards by another front end */
  readonly name: string
  /** @throws where the chain refuses it just then, which changes nothing */
  run(life: LedgerLife): Promise<void>
}

/** Test of a plugin's book: what may happen to a wallet, at random, and by what the rewards are judged. */
export interface LedgerTest {
  /** Brings a wallet to where its book begins. @default it has nothing */
  begin?(life: LedgerLife): Promise<void>
  /** Everything that moves a position or passes time: own transactions, other front ends, the chain's own doing. */
  readonly steps: readonly LedgerStep[]
  /**
   * Everything that a wallet has and has paid as network fees, in base units, read past the plugin: what it holds, its whole position, and its fees. Between two moments it
   * grows by rewards alone.
   */
  wealth(life: LedgerLife): Promise<bigint>
  /** Lets what has happened become final. */
  finalise(life: LedgerLife): Promise<void>
  /**
   * Reasons for which an interval may stay open, since the nodes of the scenario keep no record of what it would take.
   *
   * @default none: every interval is explained
   */
  readonly open?: readonly UnknownReason[]
  /** Kinds of flows that none of the steps causes. @default none */
  readonly unreached?: readonly FlowKind[]
}
