import type { StakedObject } from '@svc/contract'
import type { Control } from '@svc/contract/control'

/** News that a reading tells. */
export interface PositionNews {
  readonly type:
    | 'position.active'
    | 'position.withdrawable'
    | 'position.withdrawn'
    | 'position.moved'
    | 'position.exit_cancelled'
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
  /** `critical`: money can be or is taken; `warning`: money has gone, or is kept, by the hand of who may send it; `info`: for the record. */
  readonly severity: 'critical' | 'warning' | 'info'
  /** Identifiers of the units that it is about; none: the whole position. */
  readonly units: readonly string[]
  /** Of a power: its name, and who has had it and has it no more, and who has it and had it not. */
  readonly aspect?: string
  readonly before?: readonly Pick<Control, 'holder' | 'terms'>[]
  readonly after?: readonly Pick<Control, 'holder' | 'terms'>[]
  /** Of a loss: `authority`, the unit is somebody else's; `split`, a unit is less; `gone`, a unit is there no more; `withdrawn`, what was free to go is gone. */
  readonly cause?: 'authority' | 'split' | 'gone' | 'withdrawn'
  /** Of a loss, and of a move to another address of the account: who has it now, where that is known. */
  readonly holder?: string | null
}
