import type { StakedObject } from '@svc/contract'
import type { Severity } from '@svc/contract/control'
import type { AnnouncedPower, Power } from './kept-position.ts'

/** One event that a reading of a position causes. */
export interface PositionNews {
  readonly type:
    | 'position.active'
    | 'position.withdrawable'
    | 'position.withdrawn'
    | 'position.moved'
    | 'position.exit_started'
    | 'position.exit_cancelled'
    | 'position.slashed'
    | 'position.control_changed'
    | 'position.lost'
  /** Unit that the event is about; null where the protocol has no units. */
  readonly object: Pick<StakedObject, 'id' | 'key' | 'type' | 'validator' | 'withdrawableAt' | 'withdrawableEpoch'> | null
  /** Base units. */
  readonly amount: bigint | null
  /** Details of a change that no followed transaction explains. */
  readonly tells?: Told
}

/** Details of a change that no followed transaction explains. */
interface Told {
  /** `critical`: money can be taken, or is taken; `warning`: money may go, or was sent or held back by somebody who has the power to do that; `info`: for the record. */
  readonly severity: Severity
  /** Identifiers of the units that changed; none: the whole position. */
  readonly units: readonly string[]
  /**
   * Of a change of powers: their names, the weightiest first (`aspects`); the powers that somebody had and has no longer (`before`), and those that somebody has and had not
   * before (`after`).
   */
  readonly aspects?: readonly string[]
  readonly before?: readonly Power[]
  readonly after?: readonly Power[]
  /** Powers that went to whom the account had announced, in the order of their announcements. Absent: none did. */
  readonly announced?: readonly AnnouncedPower[]
  /** Of a loss: `authority`: the unit belongs to somebody else now; `split`: a unit holds less; `gone`: a unit no longer exists; `withdrawn`: what could be withdrawn is gone. */
  readonly cause?: 'authority' | 'split' | 'gone' | 'withdrawn'
  /** Of a loss, and of a move to another address of the account: the present holder, where it is known. */
  readonly holder?: string | null
  /** Of stake that has no units: the validator with which it lay. */
  readonly validator?: string
  /** Of a move: the validators with which the stake lies now. */
  readonly to?: readonly string[]
  /** Of a slash: the part that was taken, in percent, decimal text. */
  readonly percent?: string
  /** Of an exit: the time until which it can be cancelled. */
  readonly undoUntil?: Date
}
