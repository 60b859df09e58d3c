import type { StakedObject } from '@svc/contract'
import type { Control } from '@svc/contract/control'

/** A position as it is kept between readings. JSON: amounts are decimal text in base units. */
export interface KeptPosition {
  /** When it was read: ISO-8601. */
  readonly at: string
  readonly staked: string
  readonly activating: string | null
  readonly rewards: string | null
  /** Objects by their names among the units of the wallet; null where the protocol has no units. */
  readonly objects: Readonly<Record<string, KeptObject>> | null
  /**
   * Validators (pools, vaults) with which something lies, sorted, each by the last reading that looked there: one that the settings name no more is not looked at, and stays. At most
   * as many as the settings have ever named. Absent where a balance has no parts.
   */
  readonly held?: readonly string[]
  /** Shares by validator, as decimal text, and the height at which they were read. Absent where the protocol tells none. */
  readonly stakes?: Readonly<Record<string, KeptShare>>
  readonly height?: string
  /** Powers of others over the position, as last read, to compare with the next reading's. Absent until they were read once: the first reading of them causes no event. */
  readonly control?: readonly KeptControl[]
  /** Ids of the rows of transactions whose promises have already explained a fall, but which a query may still find as open or new. */
  readonly used?: readonly string[]
  /** Thresholds of rewards that receivers were told of, by receiver. A threshold is removed when the rewards fall below it again. */
  readonly told: Readonly<Record<string, string>>
  /** Number of readings so far that have caused an event. */
  readonly step: number
  /** Number of times in a row that the position was expected to have changed, and had not. */
  readonly overdue: number
}

/** Shares as they are kept between readings: as in `StakeShare`, decimal text. */
export interface KeptShare {
  readonly own: string
  readonly tokens: string
  readonly shares: string
}

/** A power as it is kept between readings. */
export interface KeptControl extends Omit<Control, 'limit'> {
  /** As in `Control`, decimal text. */
  readonly limit?: string
}

/** A power as an event shows it: without its unit, which the event names only once. */
export type Power = Pick<KeptControl, 'aspect' | 'holder' | 'terms' | 'limit' | 'severity'>

/** Power over a wallet's position whose next holder the account has announced. */
export interface AnnouncedPower {
  /** Name of the power, as `control` of a balance has it; null: any, since the holder is an own address of the account. */
  readonly aspect: string | null
  /** Canonical. */
  readonly holder: string
}

/** A unit as it is kept between readings. */
export interface KeptObject {
  readonly status: StakedObject['status']
  /** Base units that lay in the unit (`holds`), and its amount (`amount`), as last read. Absent where no event tells of what the unit loses. */
  readonly holds?: string
  readonly amount?: string
  /** Present if an event has told that the unit can be withdrawn. */
  readonly withdrawable?: true
  /** For a unit on its way out: the time at which it will have left, and its data for the event then, where the chain pays it out by itself. */
  readonly leaves?: {
    readonly at: string
    readonly amount: string | null
    readonly type: StakedObject['type']
    readonly validator: string | null
    /** Identifier of the unit, where it differs from its key in `objects`. */
    readonly id?: string
  }
}
