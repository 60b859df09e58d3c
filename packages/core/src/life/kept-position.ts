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
  /** Powers of others over it, with which the next reading's are compared. Absent until they were read once: the first that are read tell nothing. */
  readonly control?: readonly KeptControl[]
  /** Rows of transactions whose promises have explained a fall already, and which may still be found as open or new. */
  readonly used?: readonly string[]
  /** Thresholds of rewards that were told, by receiver, until the rewards fall below them again. */
  readonly told: Readonly<Record<string, string>>
  /** Number of readings that have told something. */
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

/** A power as an event tells it, without the unit that the event has once. */
export type Power = Pick<KeptControl, 'aspect' | 'holder' | 'terms' | 'limit' | 'severity'>

/** A unit as it is kept between readings. */
export interface KeptObject {
  readonly status: StakedObject['status']
  /** Base units that lay in it, and its amount, as they were last read. Absent where nothing is told of what it loses. */
  readonly holds?: string
  readonly amount?: string
  /** That it can be withdrawn was told. */
  readonly withdrawable?: true
  /** While it is on its way out: when it will be, and what is told of it then where the chain pays by itself. */
  readonly leaves?: {
    readonly at: string
    readonly amount: string | null
    readonly type: StakedObject['type']
    readonly validator: string | null
    /** Where it is another than its name here. */
    readonly id?: string
  }
}
