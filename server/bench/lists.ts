import { listTransactions, readEvents, type Store } from '@svc/core'

/** Inserts rows into a table, past the store: so many would take it an hour. */
export type Insert = (table: string, columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]) => Promise<void>

/** Transactions, and events: 2,200 a day for the 90 days for which they are kept. */
export const LISTED = Number(process.env.LISTED ?? 200_000)
/** Rows of one insertion: on PostgreSQL it has 65,535 values at most. */
const BATCH = 1_000
const DAYS_MS = 90 * 86_400_000

/** Reads of lists that find little or nothing, as the routes make them. */
export function listsOf(store: Store): Record<string, () => Promise<string>> {
  const transactions = (filter: object) => async () => described(await listTransactions(store, { limit: 50, ...filter }))
  const events = (filter: object) => async () => described(await readEvents(store, { account: 'acme', limit: 50, ...filter }))
  return {
    'transactions: one word that nothing has': transactions({ text: 'zzz' }),
    'transactions: the beginning of a wallet, as text': transactions({ text: walletOf(4).slice(0, 12) }),
    'transactions: a wallet': transactions({ account: 'acme', wallet: walletOf(128).toUpperCase().replace('0X', '0x') }),
    'transactions: a wallet that nobody has': transactions({ wallet: '0xnobody' }),
    'transactions: a hash that nobody has, as text': transactions({ text: `0x${'f'.repeat(64)}` }),
    'transactions: failed ones of an account without': transactions({ account: 'acme', status: 'failed' }),
    'events: a subject': events({ subject: subjectOf(77) }),
    'events: a subject that nothing has': events({ subject: 'nothing' }),
    'events: a protocol that the account never used': events({ protocol: 'svm-other' }),
  }
}

/** Writes the transactions and events of two accounts. */
export async function fillLists(insert: Insert, now: Date, dialect: Store['dialect']): Promise<void> {
  const at = (n: number) => {
    const time = new Date(now.getTime() - DAYS_MS + Math.floor((n / LISTED) * DAYS_MS))
    return dialect === 'sqlite' ? time.getTime() : time.toISOString()
  }
  for (let first = 0; first < LISTED; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, LISTED - first) }, (_, index) => first + index)
    await insert(
      'svc_transactions',
      TRANSACTION,
      numbers.map((n) => transactionOf(n, at(n))),
    )
    await insert(
      'svc_events',
      EVENT,
      numbers.map((n) => eventOf(n, at(n))),
    )
  }
}

const TRANSACTION = [
  ...[
    'id',
    'account',
    'protocol',
    'network',
    'tx_hash',
    'unsigned_hash',
    'wallet',
    'origin',
    'audit',
    'request_id',
    'sentence',
    'bounds',
    'look',
  ],
  ...['status', 'finality', 'certainty', 'history', 'first_seen', 'ended_at', 'looks', 'failures', 'fence'],
]
const EVENT = ['id', 'account', 'type', 'subject', 'transition', 'sequence', 'protocol', 'body', 'created_at']

const accountOf = (n: number) => (n % 3 === 0 ? 'beta' : 'acme')
const walletOf = (n: number) => `0x${n.toString(16).padStart(8, 'a')}${'b'.repeat(32)}`
const hashOf = (kind: 'u' | 't', n: number) => `0x${(kind === 'u' ? n * 2 : n * 2 + 1).toString(16).padStart(64, '0')}`
const idOf = (n: number) => `01${String(n).padStart(24, '0')}`
const subjectOf = (n: number) => `evm-three 143 ${hashOf('t', n)}`

/** As large as one of the service's, with the state and the two steps of a transaction that ended. */
function transactionOf(n: number, at: string | number): (string | number | null)[] {
  const sentence = `Delegate ${(n % 977) + 1}.5 MON to validator ${n % 200} through 0x0000000000000000000000000000000000001000 on eip155:143; fee at most 0.0281962 MON; valid while the nonce of the account is ${n}.`
  const bounds = JSON.stringify({
    wallet: walletOf(n % 20_000),
    validUntil: { kind: 'nonce', value: `${n}`, estimatedAt: null },
    replay: `nonce ${n}`,
  })
  const block = { height: String(n), hash: hashOf('u', n), time: new Date(at).toISOString() }
  const moved = { moves: [{ kind: 'leaves', asset: 'native', amount: `${n}` }], objectIds: [] }
  const ended = { status: 'final', finality: 'final', certainty: 'proven', error: null, replacedBy: null, validUntil: null, keep: {} }
  const units = { caip2: 'eip155:143', decimals: 18, symbol: 'MON' }
  const look = JSON.stringify({ look: { ...ended, block, fee: '21000', moved, lookedAt: String(n) }, units })
  const steps = JSON.stringify(
    ['transaction.included', 'transaction.final'].map((event, step) => ({ step, event, time: at, block: { height: n } })),
  )
  return [
    ...[
      idOf(n),
      accountOf(n),
      'evm-three',
      '143',
      hashOf('t', n),
      hashOf('u', n),
      walletOf(n % 20_000),
      'broadcast',
      idOf(n),
      idOf(n),
      sentence,
    ],
    ...[bounds, look, 'final', 'final', 'proven', steps, at, at, 9, 0, 9],
  ]
}

function eventOf(n: number, at: string | number): (string | number | null)[] {
  const data = {
    tx_hash: hashOf('t', n),
    unsigned_hash: hashOf('u', n),
    wallet: walletOf(n % 20_000),
    status: 'final',
    text: 'x'.repeat(400),
  }
  const body = JSON.stringify({ id: idOf(n), type: 'transaction.final', data })
  return [
    `msg_${idOf(n)}`,
    accountOf(n),
    n % 2 === 0 ? 'transaction.final' : 'transaction.included',
    subjectOf(n),
    '1',
    n + 1,
    'evm-three',
    body,
    at,
  ]
}

function described({ rows, next }: { readonly rows: readonly unknown[]; readonly next: unknown }): string {
  return `${rows.length}${next !== null && rows.length < 50 ? ', more' : ''}`
}
