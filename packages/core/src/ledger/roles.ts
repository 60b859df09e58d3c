import type { Bucket, EntryKind } from '@svc/contract/book'

/** Part of a position's life that a bucket holds. */
export type BucketRole = 'earning' | 'activating' | 'leaving' | 'withdrawable' | 'unclaimed' | 'units' | 'foreign'

/** Roles of the buckets of a book that holds what `balance` reports. */
const BALANCE_ROLES: Readonly<Record<string, BucketRole>> = {
  activating: 'activating',
  deactivating: 'leaving',
  withdrawing: 'withdrawable',
}

/** Tells which part of a position's life a bucket holds, by what moves it: stake that waits is deposited and then activated, an exit is requested and then withdrawn, and nobody deposits into one. */
export function roleOf({ name, asset, kind, movedBy }: Bucket): BucketRole {
  if (asset === null) return 'foreign'
  if (asset !== 'native') return 'units'
  if (kind === 'accrual') return 'unclaimed'
  const isMovedBy = (...kinds: readonly EntryKind[]) => kinds.every((each) => (movedBy as readonly EntryKind[]).includes(each))
  if (isMovedBy('exit_requested', 'withdrawal') && !isMovedBy('deposit')) return 'leaving'
  if (isMovedBy('deposit', 'activation')) return 'activating'
  return movedBy.length === 0 ? (BALANCE_ROLES[name] ?? 'earning') : 'earning'
}

/** Tells whether what a bucket holds counts as stake that earns. What waits in a queue at a price earns by it; other exits, and stake that waits to count, do not. */
export function earns(bucket: Bucket): boolean {
  return roleOf(bucket) === 'earning' || (bucket.kind === 'worth' && bucket.asset === 'native')
}
