/** A change that came from elsewhere, as GET /alarms gives it. */
export interface Alarm {
  /** Identifier of the event. */
  readonly id: string
  readonly account: string
  readonly type: string
  readonly severity: 'critical' | 'warning'
  /** Short name of the plugin. */
  readonly protocol: string | null
  readonly sentence: string
  readonly created_at: string
  /** The event as it is sent, as JSON: its `data` has the members of `AlarmFacts`. */
  readonly body: string
}

/** Answer of GET /alarms: critical ones first, and of each weight the newest. */
export interface Alarms {
  readonly alarms: readonly Alarm[]
  /** True if there are more than those. */
  readonly more: boolean
}

/** Members of an event's data that are shown; what an event has not is left out. Times are ISO-8601. */
export interface AlarmFacts {
  /** By CAIP-2. */
  readonly network?: string
  readonly amount?: { readonly amount: string; readonly unit: string | null } | null
  /** Time until which the exit can be cancelled. */
  readonly undo_until?: string
  readonly last_seen_without?: string | null
  readonly first_seen_with?: string
  readonly confirmed_by?: number | null
}
