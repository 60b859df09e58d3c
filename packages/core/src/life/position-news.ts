import type { StakedObject } from '@svc/contract'
import type { Severity } from '@svc/contract/control'
import type { Power } from './kept-position.ts'

/** News that a reading tells. */
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
  /** null where the protocol has no units. */
  readonly object: Pick<StakedObject, 'id' | 'key' | 'type' | 'validator' | 'withdrawableAt' | 'withdrawableEpoch'> | null
  /** Base units. */
  readonly amount: bigint | null
  /** What it tells besides, where the change was nobody's whose transaction is followed. */
  readonly tells?: Told
}

/** What is told of a change that came from elsewhere. */
interface Told {
  /** `critical`: money can be or is taken; `warning`: money has gone, or is kept, by the hand of who may send it, or may go; `info`: for the record. */
  readonly severity: Severity
  /** Identifiers of the units that it is about; none: the whole position. */
  readonly units: readonly string[]
  /** Of powers: their names, the weightiest first, and who has had one and has it no more, and who has one and had it not. */
  readonly aspects?: readonly string[]
  readonly before?: readonly Power[]
  readonly after?: readonly Power[]
  /** Of a loss: `authority`, the unit is somebody else's; `split`, a unit is less; `gone`, a unit is there no more; `withdrawn`, what was free to go is gone. */
  readonly cause?: 'authority' | 'split' | 'gone' | 'withdrawn'
  /** Of a loss, and of a move to another address of the account: who has it now, where that is known. */
  readonly holder?: string | null
  /** Of stake that has no units: the validator with which it lay. */
  readonly validator?: string
  /** Of a move: the validators with which it lies now. */
  readonly to?: readonly string[]
  /** Of a slash: the part that was taken, in percent, decimal text. */
  readonly percent?: string
  /** Of an exit: until when it can be cancelled. */
  readonly undoUntil?: Date
}
