import type { EntryKind, FlowKind, UnknownReason } from '@svc/contract/book'
import type { WalletLife } from '../wallet-life.ts'

/** Something that may happen to a wallet. */
export interface LedgerStep {
  /** Completes the sentence: the wallet … @example claims its rewards by another front end */
  readonly name: string
  /** @throws where the chain refuses it just then, which changes nothing */
  run(life: WalletLife): Promise<void>
}

/** Test of a plugin's book: what may happen to a wallet, at random, and by what the rewards are judged. */
export interface LedgerTest {
  /** Brings a wallet to where its book begins. @default it has nothing */
  begin?(life: WalletLife): Promise<void>
  /** Everything that moves a position or passes time: own transactions, other front ends, the chain's own doing. */
  readonly steps: readonly LedgerStep[]
  /**
   * Everything that a wallet has and has paid as network fees, in base units, read past the plugin: what it holds, its whole position, and its fees. Between two moments it
   * changes by what is earned alone.
   */
  wealth(life: WalletLife): Promise<bigint>
  /** The same in other assets than the native one, by their identifiers in the book. @default there are none */
  others?(life: WalletLife): Promise<Readonly<Record<string, bigint>>>
  /** Kinds of entries by which that changes, in native units from the chain or to it. @default rewards alone */
  readonly earned?: readonly EntryKind[]
  /** Lets what has happened become final. */
  finalise(life: WalletLife): Promise<void>
  /**
   * Reasons for which an interval may stay open, since the nodes of the scenario keep no record of what it would take.
   *
   * @default none: every interval is explained
   */
  readonly open?: readonly UnknownReason[]
  /** Kinds of flows that none of the steps causes. @default none */
  readonly unreached?: readonly FlowKind[]
}
