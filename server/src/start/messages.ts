import type { Series } from '@svc/core/primary'

/** Start order for a worker. */
export interface Order {
  /** The config file. */
  readonly file: string
  /** A config that was accepted before, as JSON, for a worker that serves beside another one or takes the place of one; without it the file is read. */
  readonly accepted?: string
  /** Whether another config is being served, which stays as it is when this one does not fit. */
  readonly isReload: boolean
  /** Of the command line, in place of the config's. */
  readonly port?: number
  readonly host?: string
  /** Which option or variable `port` is of. */
  readonly portBy?: '--port' | 'SVC_PORT' | undefined
}

/** What a worker asks its primary to do once for all of them. */
export type Claim =
  | { readonly what: 'address'; readonly host: string; readonly port: number }
  | { readonly what: 'folder'; readonly folder: string }
  | { readonly what: 'metrics'; readonly host: string; readonly port: number }

/** Where a claim stands: done; not, since another program has it; or not, for a reason. */
export type Verdict = { readonly kind: 'done' } | { readonly kind: 'taken' } | { readonly kind: 'refused'; readonly text: string }

/** Messages from the primary to a worker. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly order: Order }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | { readonly kind: 'count' }

/** Messages from a worker to its primary. */
export type ToPrimary =
  | { readonly kind: 'claim'; readonly claim: Claim }
  /** It serves: how many of its kind its config wants, that config as JSON, where it can be written as such, and sentences for whoever changed it. */
  | {
      readonly kind: 'ready'
      readonly workers: number
      readonly accepted: string | null
      readonly address: string
      readonly notes: readonly string[]
    }
  /** It will not serve. */
  | { readonly kind: 'refused'; readonly text: string; readonly stack: string }
  /** Something was thrown that nobody caught: it ends once what is under way is answered, and another one is wanted. */
  | { readonly kind: 'broken' }
  /** It takes no more connections. */
  | { readonly kind: 'left' }
  | { readonly kind: 'counted'; readonly series: Series }
