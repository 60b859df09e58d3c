import type { Position, PositionList, PositionState, PositionTotal, StateCounts } from '../../src/api/positions.ts'

/** States in the service's order. */
const STATES: readonly PositionState[] = ['unexplained', 'unread', 'stale', 'withdrawable', 'leaving', 'activating', 'earning', 'empty']

/** A watched position, the same for the same place; `at` is when it was read. */
export function position(place: number, at: Date, state: PositionState, changes: Partial<Position> = {}): Position {
  const isRead = state !== 'unread'
  const isEmpty = state === 'empty'
  const due = (kind: 'withdrawable' | 'leaves', days: number | null) => ({
    kind,
    at: days === null ? null : new Date(at.getTime() + days * 86_400_000).toISOString(),
    amount: '14000',
  })
  return {
    id: `01JD${'P'.repeat(2)}${String(place).padStart(20, '0')}`,
    account: 'acme',
    protocol: 'evm-three',
    network: 'eip155:143',
    network_id: '143',
    symbol: 'MON',
    address: `0x3c59${(0x8000_0000 + place * 7919).toString(16).padStart(30, 'a')}c2a403`,
    state,
    read_at: isRead ? new Date(at.getTime() - (state === 'stale' ? 9 * 3_600_000 : 120_000)).toISOString() : null,
    staked: isRead ? (isEmpty ? '0' : `${37_740 + place}.114518310774520116`) : null,
    activating: isRead ? (state === 'activating' ? '250' : '0') : null,
    unclaimed: isRead ? '0.5' : null,
    next_due: state === 'withdrawable' ? due('withdrawable', null) : state === 'leaving' ? due('leaves', 11.5) : null,
    earned_30d: isRead ? (isEmpty ? '0' : '188.703164022811490773') : null,
    earned_days: isRead ? (place % 5 === 3 ? 27 : 30) : 0,
    rate_percent: isRead && !isEmpty ? '6.389512' : null,
    slashed_30d: false,
    book: isRead
      ? {
          opened_at: '2026-03-14T09:30:00.000Z',
          complete: state !== 'unexplained',
          unexplained: state === 'unexplained' ? '0.000418310774520116' : '0',
        }
      : null,
    ...changes,
  }
}

/** What GET /positions answers, by the API's own way of paging, with the worst first. */
export function listOfPositions(rows: readonly Position[], query: URLSearchParams): PositionList {
  const limit = Number(query.get('limit') ?? 50)
  const wallet = query.get('wallet')?.toLowerCase()
  const state = query.get('state')
  const matches = rows.filter(
    (row) =>
      (query.get('account') ?? row.account) === row.account &&
      (query.get('protocol') ?? row.protocol) === row.protocol &&
      (query.get('network') ?? row.network_id) === row.network_id &&
      (wallet === undefined || row.address.toLowerCase().includes(wallet)),
  )
  const ordered = matches
    .filter((row) => state === null || row.state === state)
    .toSorted((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state) || (one.id < other.id ? -1 : 1))
  const after = query.get('after')
  const start = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  const page = ordered.slice(start, start + limit)
  return {
    positions: page,
    next: ordered.length > start + limit ? (page.at(-1)?.id ?? null) : null,
    totals: totalsOf(matches),
    counts: Object.fromEntries(STATES.map((each) => [each, matches.filter((row) => row.state === each).length])) as StateCounts,
  }
}

function totalsOf(rows: readonly Position[]): readonly PositionTotal[] {
  const names = [...new Set(rows.map(({ network, symbol }) => `${network} ${symbol}`))]
  return names.map((name) => {
    const group = rows.filter(({ network, symbol }) => `${network} ${symbol}` === name)
    const sum = (of: (row: Position) => string | null) => {
      const units = group.reduce((total, row) => total + unitsOf(of(row) ?? '0'), 0n)
      const digits = units.toString().padStart(19, '0')
      return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '')
    }
    const { network, symbol } = group[0] as Position
    return {
      network,
      symbol,
      wallets: group.length,
      staked: sum(({ staked }) => staked),
      activating: sum(({ activating }) => activating),
      missing: group.filter(({ staked }) => staked === null).length,
    }
  })
}

/** Reads decimal text with up to 18 places. */
function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}
