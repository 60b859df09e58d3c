import type { FollowedTransaction, Status, TransactionDetail, Transition } from '../../src/api/transactions.ts'

const WALLET = '0x3c59cd4F1b6e6D0a1D5f8E1f6C2a7B9d40c2a403'
const IN_BLOCK: readonly Status[] = ['included', 'final', 'failed']
const UNITS = '100000000000000000001'
const MOVES = [
  { kind: 'leaves', asset: 'native', units: UNITS },
  { kind: 'staked', asset: 'native', units: UNITS },
] as const

/** A followed transaction in a state, the same for the same place; `at` is when it was seen first. */
export function followed(place: number, at: Date, status: Status, changes: Partial<FollowedTransaction> = {}): FollowedTransaction {
  const after = (ms: number) => new Date(at.getTime() + ms).toISOString()
  const inBlock = IN_BLOCK.includes(status)
  const ended = status !== 'pending' && status !== 'unknown' && status !== 'included'
  const moved = status === 'final' || status === 'included'
  const hash = (mark: string) => `0x${(0x8000_0000 + place).toString(16).padStart(64, mark)}`
  return {
    id: `01JD${'T'.repeat(2)}${String(1_000_000 - place).padStart(20, '0')}`,
    account: 'acme',
    protocol: 'evm-three',
    chain_id: '143',
    network: 'eip155:143',
    tx_hash: hash('b'),
    status,
    finality: inBlock ? (status === 'included' ? 'included' : 'final') : 'none',
    certainty: ended || status === 'included' ? 'proven' : 'likely',
    block: inBlock ? { height: 45_212 + place, hash: hash('c'), time: after(1000) } : null,
    fee: inBlock ? { amount: '0.002104250000000001', unit: 'MON' } : null,
    moves: moved ? MOVES : [],
    object_ids: moved ? ['7'] : [],
    error: status === 'failed' ? { code: 'REVERTED', reason: 'The delegation is below the least amount.' } : null,
    replaced_by: status === 'replaced' ? hash('d') : null,
    replaced_by_same: status === 'replaced' ? true : null,
    valid_until: { kind: 'nonce', value: String(place), estimated_at: null },
    looked_at: 45_230,
    first_seen: at.toISOString(),
    checked_at: after(1500),
    accepted_at: at.toISOString(),
    ended_at: ended ? after(2000) : null,
    next_look_at: ended ? null : after(4000),
    origin: 'broadcast',
    wallet: WALLET,
    sentence: `Delegate 100.000000000000000001 MON to validator 12 through 0x0000000000000000000000000000000000001000 on eip155:143; fee at most 0.0281962 MON; valid while the nonce of the account is ${place}.`,
    promised: MOVES,
    differences: moved ? [] : null,
    unsigned_hash: hash('a'),
    identity: null,
    request_id: `01JDR${String(place).padStart(21, '0')}`,
    ...changes,
  }
}

/** The same with its history and requests. @param states that it came to */
export function detailed(
  row: FollowedTransaction,
  states: readonly (Partial<Transition> & Pick<Transition, 'status'>)[],
): TransactionDetail {
  const seen = Date.parse(row.first_seen)
  const step = (name: 'craft' | 'prepare' | 'broadcast', ms: number) => ({
    id: `${name} ${row.id}`,
    step: name,
    time: new Date(seen - ms).toISOString(),
    status: 200,
    outcome: 'ok' as const,
    request_id: name === 'broadcast' ? row.request_id : `01JDQ${name.length}${row.request_id.slice(6)}`,
    error: null,
  })
  return {
    ...row,
    steps: [step('craft', 18_000), step('prepare', 9000), step('broadcast', 0)],
    history: states.map((state, place) => ({
      step: place + 1,
      finality: state.status === 'included' ? ('included' as const) : state.status === 'pending' ? ('none' as const) : row.finality,
      time: new Date(seen + 1000).toISOString(),
      block: state.status === 'included' || state.status === 'final' || state.status === 'failed' ? row.block : null,
      event: null,
      ...state,
    })),
  }
}

/** What GET /transactions answers, by the API's own way of paging. */
export function pageOfTransactions(rows: readonly FollowedTransaction[], query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 50)
  const text = query.get('q')
  const status = query.get('status')
  const before = query.get('before')
  const found = rows.filter(
    (row) =>
      (query.get('protocol') ?? row.protocol) === row.protocol &&
      (query.get('network') ?? row.chain_id) === row.chain_id &&
      (query.get('wallet') ?? row.wallet) === row.wallet &&
      (status === null || (status === 'open' ? row.ended_at === null : row.status === status)) &&
      (text === null || JSON.stringify(row).includes(text)) &&
      (before === null || row.id < before),
  )
  const shown = found.slice(0, limit)
  return { transactions: shown, next: found.length > limit ? (shown.at(-1)?.id ?? null) : null }
}
