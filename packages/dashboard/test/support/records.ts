/** A record of the audit log as GET /audit answers it. */
export interface Sample {
  readonly id: string
  readonly time: string
  readonly [member: string]: unknown
}

const KEYS = [
  { ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', name: 'payments' },
  { ulid: '01JD51QK3M8YB0WZ4T5C6D7E8F', name: 'night-batch' },
  { ulid: '01J9A2ZZ7H1K2M3N4P5Q6R7S8T', name: 'treasury' },
] as const
const WALLET = '0x3c59cd4F1b6e6D0a1D5f8E1f6C2a7B9d40c2a403'
const MON = 10n ** 18n

/** Records of the newest `count` transactions before an instant, 41 s apart, newest first: crafted, prepared, broadcast, or refused, in turns. */
export function samples(count: number, before: Date): readonly Sample[] {
  return Array.from({ length: count }, (_none, place) => sample(place, new Date(before.getTime() - place * 41_000)))
}

/** The record of a transaction, the same for the same place. */
export function sample(place: number, at: Date, changes: Readonly<Record<string, unknown>> = {}): Sample {
  const reached = place % 7 === 2 ? 0 : place % 7 === 1 ? 1 : place % 7 === 4 ? 2 : 3
  const time = at.toISOString()
  const requestId = idOf('R', place)
  const hash = `0x${(0x8000_0000 + place).toString(16).padStart(64, 'a')}`
  const amount = `${(place * 37) % 900}.${String((place * 7919) % 1_000_000).padStart(6, '0')}000000000001`
  const base = {
    id: idOf('A', place),
    time,
    account: 'acme',
    key: KEYS[place % KEYS.length],
    by_operator: false,
    address: '203.0.113.7',
    identity: place % 5 === 0 ? 'batch-7' : null,
    method: 'POST',
    protocol: 'evm-three',
    network: '143',
    count: 1,
    duration_ms: 12.417,
    request_id: requestId,
    wallet: WALLET,
    target: null,
    changes: null,
    asked: null,
    path: null,
    kind: 'craft',
  }
  if (reached === 0) {
    return {
      ...base,
      route: '/api/v1/evm-three/withdraw',
      status: 400,
      outcome: 'refused',
      action: 'withdraw',
      sentence: null,
      moves: null,
      unsigned_hash: null,
      tx_hash: null,
      error: { code: place % 2 ? 'SLOT_IN_USE' : 'INSUFFICIENT_BALANCE', sentence: 'The slot or the balance does not allow it.' },
      asked: { amount: '0.5' },
      steps: [],
      ...changes,
    }
  }
  const names = ['craft', 'prepare', 'broadcast'].slice(0, reached)
  const units = (BigInt(amount.replace('.', '')) * MON) / MON
  return {
    ...base,
    route: `/api/v1/evm-three/${reached === 1 ? 'delegate' : names.at(-1)}`,
    status: 200,
    outcome: 'ok',
    action: reached === 1 ? 'delegate' : names.at(-1),
    sentence: `Delegate ${amount} MON to validator 12 through 0x0000000000000000000000000000000000001000 on eip155:143; fee at most 0.0281962 MON; valid while the nonce of the account is ${place}.`,
    moves: [
      { kind: 'leaves', asset: 'native', amount: units.toString() },
      { kind: 'staked', asset: 'native', amount: units.toString() },
    ],
    unsigned_hash: hash,
    tx_hash: reached === 3 ? hash.replace('a', 'b') : null,
    error: null,
    steps: names.map((step, index) => ({
      id: index === names.length - 1 ? idOf('A', place) : idOf(`S${index}`, place),
      step,
      time: new Date(at.getTime() - (names.length - 1 - index) * 9000).toISOString(),
      status: 200,
      outcome: 'ok',
      request_id: index === names.length - 1 ? requestId : idOf(`Q${index}`, place),
      error: null,
    })),
    ...changes,
  }
}

/** 26 characters, as ids have. */
function idOf(kind: string, place: number): string {
  return `01JD${kind}${String(place).padStart(22 - kind.length, '0')}`
}

/** The API's own way of paging, over records that are newest first. */
export function pageOf(
  records: readonly Sample[],
  query: URLSearchParams,
): { readonly records: readonly Sample[]; readonly next: string | null } {
  const limit = Number(query.get('limit') ?? 50)
  const from = query.get('from')
  const same = ['request_id', 'outcome', 'protocol', 'wallet'].filter((name) => query.has(name))
  const [key, error, transaction, q] = ['key', 'error', 'transaction', 'q'].map((name) => query.get(name))
  const tests: ((record: Sample) => boolean)[] = [
    ...(from ? [(record: Sample) => record.time >= from] : []),
    ...same.map((name) => (record: Sample) => record[name] === query.get(name)),
    ...(key ? [(record: Sample) => (record.key as { ulid: string } | null)?.ulid === key] : []),
    ...(error ? [(record: Sample) => (record.error as { code: string } | null)?.code === error] : []),
    ...(transaction ? [(record: Sample) => record.unsigned_hash === transaction] : []),
    ...(q ? [(record: Sample) => JSON.stringify(record).includes(q)] : []),
  ]
  const found = tests.length === 0 ? records : records.filter((record) => tests.every((fits) => fits(record)))
  const begin = Number(query.get('before') ?? 0)
  const end = begin + limit
  return { records: found.slice(begin, end), next: end < found.length ? String(end) : null }
}
