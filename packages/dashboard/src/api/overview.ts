/** Over which time figures are counted. */
export type Window = '1h' | '24h' | '7d'

/** Numbers of requests by outcome. */
export interface Outcomes {
  /** Answered below 400. */
  readonly ok: number
  /** Answered 4xx. */
  readonly refused: number
  /** Answered 5xx. */
  readonly failed: number
}

/** A stretch of time, by its beginning. */
export interface Point extends Outcomes {
  /** ISO-8601. */
  readonly time: string
}

/** A craft that was withheld: its bytes were not what was asked. */
export interface Withheld {
  readonly kind: string
  readonly time: string
  readonly account: string
  readonly protocol: string | null
  readonly network: string | null
  readonly action: string | null
  readonly request_id: string
}

/** A key that ends soon. */
export interface ExpiringKey {
  readonly ulid: string
  readonly name: string
  readonly account: string
  readonly expires: string
}

/** An endpoint as one replica has found it. */
export interface Endpoint {
  /** Null for the source of prices. */
  readonly protocol: string | null
  readonly network: string | null
  readonly group: string
  /** From 1: the first is asked first. */
  readonly position: number
  readonly host: string
  readonly state: 'ok' | 'slow' | 'behind' | 'failing' | 'resting' | 'unused'
  /** Duration of the endpoint's last answer, in milliseconds. */
  readonly ms: number | null
  readonly last_error: string | null
  /** Time since which it is in this state. */
  readonly since: string | null
}

/** Age of the staking-info of a network. */
export interface SnapshotAge {
  readonly protocol: string
  readonly network: string
  /** Null while it is not complete. */
  readonly age_seconds: number | null
  readonly stale: boolean
}

/** State of the service, for operators: of the replica that answered. */
export interface ServiceState {
  readonly replica: string
  readonly started: string
  readonly endpoints: readonly Endpoint[]
  readonly snapshots: readonly SnapshotAge[]
  readonly audit_unsaved: number
  /** How late what is followed is looked at, by all replicas. */
  readonly following: { readonly status: 'up' | 'late' | 'unknown'; readonly due_age_seconds: number | null }
  readonly database: 'sqlite' | 'postgres'
  readonly version: string
}

/** Answer of GET /overview. */
export interface Overview {
  readonly window: Window
  readonly from: string
  readonly to: string
  readonly bucket_seconds: number
  /** Every stretch of the window, oldest first; the last one is not over yet. */
  readonly series: readonly Point[]
  readonly totals: Outcomes & { readonly crafts: number; readonly broadcasts: number }
  readonly latency_ms: { readonly p50: number; readonly p95: number } | null
  /** Most frequent first. */
  readonly refusals: readonly { readonly code: string; readonly count: number }[]
  readonly crafts: readonly { readonly protocol: string; readonly action: string; readonly count: number }[]
  readonly alarms: readonly Withheld[]
  readonly keys: { readonly active: number; readonly inactive: number; readonly expiring: readonly ExpiringKey[] }
  /** Null but for operators. */
  readonly service: ServiceState | null
}
