import type { FollowedTransaction, ValidUntil } from '../../api/transactions.ts'
import { WORDS } from '../../text/status.ts'

/** Says what a state means for whoever waits for the transaction, in a sentence or two. */
export function meaningOf({ status, finality, certainty, origin, accepted_at }: FollowedTransaction): string {
  switch (status) {
    case 'unknown':
      return 'No node that was asked knows it. That proves nothing: it may still land, so sign nothing in its place.'
    case 'pending':
      if (accepted_at === null && origin === 'broadcast') return 'No endpoint took it, but it can still land: sign nothing in its place.'
      return 'It can still land. Sign nothing in its place.'
    case 'included':
      return 'It is in a block, which may still be replaced by another one.'
    case 'final':
      return 'It is in a block that stays.'
    case 'failed':
      return finality === 'final' && certainty === 'proven'
        ? 'The chain put it into a block that stays, charged its fee, and did not carry it out.'
        : 'The chain did not carry it out, in a block that may still be replaced: sign nothing in its place yet.'
    case 'replaced':
      return 'Another transaction used what it needs. It can never land.'
    case 'expired':
      return 'Its time is over. It can never land.'
  }
}

/** End of the validity, in words. */
interface SaidValidity {
  /** `nonce 17 is used by another transaction` */
  readonly until: string
  /** Each object or account that is watched for it, whole. */
  readonly parts: readonly string[]
}

/** Puts the end of a transaction's validity into words: `another transaction uses nonce 17`. */
export function validityOf({ kind, value }: Pick<ValidUntil, 'kind' | 'value'>): SaidValidity {
  switch (kind) {
    case 'nonce':
      return { until: `another transaction uses ${value === null ? 'its nonce' : `nonce ${value}`}`, parts: [] }
    case 'sequence':
      return { until: `another transaction uses ${value === null ? 'its sequence' : `sequence ${value}`}`, parts: [] }
    case 'block_height':
      return { until: value === null ? 'its block hash is too old' : `block ${value}`, parts: [] }
    case 'nonce_account':
      return { until: 'its nonce account has another value', parts: split(value) }
    case 'object_versions':
      return { until: 'one of its objects has another version', parts: split(value) }
    case 'epoch':
      return { until: value === null ? 'its epoch ends' : `epoch ${value} ends`, parts: [] }
    case 'time':
      return { until: value === null ? 'its time is over' : `the chain’s clock says ${value}`, parts: [] }
    default: {
      const name = kind.replaceAll('_', ' ')
      return { until: value === null ? name : `${name} ${value}`, parts: [] }
    }
  }
}

function split(value: string | null): readonly string[] {
  return value === null ? [] : value.split(',')
}

/** Choices of the state, as the filter names them. */
export const STATUSES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'All states' },
  { value: 'open', label: 'Not ended' },
  ...Object.entries(WORDS).map(([value, label]) => ({ value, label })),
]
