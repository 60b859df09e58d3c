import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { Position, PositionState } from '../../src/api/positions.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import type { Status } from '../../src/api/transactions.ts'
import { recorded } from '../support/crafts.ts'
import { overviewOf, serviceOf } from '../support/figures.ts'
import { answer } from '../support/page.ts'
import { listOfPositions, position } from '../support/positions.ts'
import { MONAD } from '../support/protocols.ts'
import { pageOf, samples } from '../support/records.ts'
import { detailed, followed, pageOfTransactions } from '../support/transactions.ts'
import { csvOf, detailOf, statementOf, walletOf } from '../support/wallet.ts'
import { deliveryOf, webhookOf } from '../support/webhooks.ts'

/** The moment of all pictures. */
export const NOW = new Date('2026-11-22T12:14:00.000Z')

/** A page as a picture: what the service answers it, and what its reader did. */
export interface Shot {
  /** Of its file. */
  readonly name: string
  /** Below the dashboard's base. */
  readonly path: string
  /** On the sandbox itself, with its clock and its signatures; else on answers that are always the same. */
  readonly real?: boolean
  /** Whether somebody is signed in. @default true */
  readonly inside?: boolean
  /** Before the page is opened. */
  readonly answers?: (page: Page) => Promise<void>
  /** Once it is, until all is there that is to be seen. */
  readonly until: (page: Page) => Promise<void>
}

const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString()

/** Who looks. */
const SESSION = {
  kind: 'operator',
  account: null,
  token: { ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', name: 'ops-laptop', prefix: 'svco_01JD4Z0V', expires: '2027-03-02T00:00:00.000Z' },
  accounts: [{ id: 'acme', name: 'Acme', keys: 6, max_keys: 1000 }],
  version: '1.0.0',
  sandbox: false,
}

const KEYS = [
  ['payments-production', null, true, 0.03],
  ['treasury-production', 24 * 41, true, 26],
  ['payments-staging', 24 * 7, true, 2.4],
  ['night-batch', 24 * 200, true, 11],
  ['old-backend', null, false, 24 * 90],
  ['audit-reader', 24 * 60, true, null],
].map(([name, left, active, used], place) => ({
  ulid: `01JD4Z0V9T6E6N1S2XKQ3B7W${place}R`,
  name: String(name),
  description: null,
  expirationDate: left === null ? null : ago(-Number(left)),
  active: active === true,
  createdAt: ago(24 * 100 - place),
  lastUsedAt: used === null ? null : ago(Number(used)),
  prefix: `svc_01JD4Z0V${place}`,
  account: 'acme',
}))

const OVERVIEW = {
  refusals: [
    { code: 'INSUFFICIENT_BALANCE', count: 12 },
    { code: 'SLOT_IN_USE', count: 4 },
    { code: 'RATE_LIMITED', count: 2 },
  ],
  crafts: [
    { protocol: 'evm-three', action: 'delegate', count: 702 },
    { protocol: 'svm-native', action: 'stake', count: 311 },
    { protocol: 'hub-one', action: 'stake', count: 184 },
    { protocol: 'evm-three', action: 'claim-rewards', count: 87 },
  ],
}

/** Most are final; one of each other state is among them. */
const STATES: readonly Status[] = [
  'pending',
  'included',
  'final',
  'final',
  'failed',
  'final',
  'final',
  'replaced',
  'final',
  'final',
  'expired',
]
/** States of the first wallets; all others earn. */
const POSITION_STATES: readonly PositionState[] = [
  'unexplained',
  'earning',
  'unread',
  'stale',
  'withdrawable',
  'withdrawable',
  'leaving',
  'activating',
  'activating',
]
const CHAINS = [
  { protocol: 'evm-three', network: 'eip155:143', network_id: '143', symbol: 'MON' },
  { protocol: 'hub-one', network: 'cosmos:cosmoshub-4', network_id: 'cosmoshub-4', symbol: 'ATOM' },
  { protocol: 'svm-native', network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', network_id: 'mainnet-beta', symbol: 'SOL' },
  { protocol: 'move-native', network: 'sui:mainnet', network_id: 'mainnet', symbol: 'SUI' },
] as const
/** Names of the chains but the first, which has more of it. */
const NAMES = [
  { protocol: 'hub-one', title: 'Cosmos Hub', networks: [{ network: 'cosmoshub-4', name: 'Cosmos Hub', caip2: 'cosmos:cosmoshub-4' }] },
  {
    protocol: 'svm-native',
    title: 'Solana',
    networks: [{ network: 'mainnet-beta', name: 'mainnet', caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
  },
  { protocol: 'move-native', title: 'Sui', networks: [{ network: 'mainnet', name: 'mainnet', caip2: 'sui:mainnet' }] },
]
/** Characters of addresses, without those that look alike. */
const LETTERS = '023456789acdefghjklmnpqrstuvwxyz'

/** A wallet with days that were not read, and something that nothing explains. */
const WALLET = walletOf({ now: NOW, days: 90, changes: { account: 'acme', staked: '377402.1145' } })

/** Makes an address in the form of a chain, the same for the same place. */
function addressOf(place: number, { symbol }: Partial<(typeof CHAINS)[number]>): string {
  const of = (length: number, letters: string) =>
    Array.from({ length }, (_, at) => letters[(place * 131 + at * 37 + place * at) % letters.length]).join('')
  if (symbol === 'ATOM') return `cosmos1${of(38, LETTERS)}`
  return symbol === 'SOL'
    ? of(44, 'ABCDEFGHJKLMNPQRSTUVWXYZ123456789abcdefghijkmnopqrstuvwxyz')
    : `0x${of(symbol === 'SUI' ? 64 : 40, '0123456789abcdef')}`
}
const TRANSACTIONS = Array.from({ length: 60 }, (_, place) => {
  const amount = `${(place * 37 + 12) % 900}.${String((place * 7919) % 1_000_000).padStart(6, '0')}`
  const row = followed(place, new Date(NOW.getTime() - place * 131_000), STATES[place] ?? 'final')
  const units = BigInt(`${amount.replace('.', '')}${'0'.repeat(12)}`).toString()
  const moves = (row.promised ?? []).map((move) => ({ ...move, units }))
  const sentence = row.sentence?.replace('100.000000000000000001', amount) ?? null
  return { ...row, sentence, promised: moves, moves: row.moves && row.moves.length > 0 ? moves : [] }
})

/** Wallets of four tokens, of which a few need a look. */
const POSITIONS: readonly Position[] = Array.from({ length: 64 }, (_, place) => {
  const state = POSITION_STATES[place] ?? 'earning'
  const row = position(place, NOW, state)
  const of = CHAINS[(place * 5) % CHAINS.length] ?? {}
  const staked =
    row.staked === null || row.staked === '0' ? row.staked : `${((place + 3) * 7919 * 61) % 90_000}.${String(place * 48_271 + 1_145_183)}`
  const rewards =
    staked === null || staked === '0' ? row.earned_30d : `${((place + 3) * 7919 * 61) % 460}.${String(place * 69_621 + 316_402)}`
  return { ...row, ...of, address: addressOf(place, of), staked, earned_30d: place === 1 ? '-0.11574' : rewards, slashed_30d: place === 1 }
})

const WEBHOOKS = [
  webhookOf(1, {
    url: 'https://payouts.example.org/hooks/staking',
    description: 'Of the payout desk.',
    events: ['transaction.*', 'position.withdrawable'],
  }),
  webhookOf(2, {
    url: 'https://books.example.org/staking',
    status: 'failing',
    reason: 'The last attempt failed: it answered 503.',
    failing_since: ago(2),
    events: ['transaction.final', 'transaction.failed'],
    backlog: { waiting: 12, next_at: ago(-0.1), missed: 0, missed_since: null },
  }),
  webhookOf(3, { url: 'https://alerts.example.org/on-call', events: ['security.*', 'validator.*', 'apikey.expiring'] }),
]
const DELIVERIES = Array.from({ length: 12 }, (_, place) => deliveryOf(place, NOW))

/** The same from every page: who is signed in, and what the frame asks. */
export async function frame(page: Page): Promise<void> {
  await answer(page, 'session', { body: SESSION })
  await answer(page, 'overview?*', ({ searchParams }) => {
    const window = searchParams.get('window')
    const shown = overviewOf(window === '1h' || window === '7d' ? window : '24h', NOW, (index) => 120 + ((index * 37) % 90), OVERVIEW)
    return { body: { ...shown, service: serviceOf(NOW) } }
  })
  await answer(page, 'apikeys*', { body: KEYS })
  await answer(page, 'protocols*', { body: [MONAD] })
  await answer(page, 'positions/**', ({ searchParams }) => ({ body: detailOf(WALLET, searchParams) }))
  await page.route('**/api/v1/statements?*', (route) => {
    const { searchParams } = new URL(route.request().url())
    return searchParams.get('format') === 'csv'
      ? route.fulfill({ contentType: 'text/csv', body: csvOf(WALLET, searchParams) })
      : route.fulfill({ json: statementOf(WALLET, searchParams) })
  })
  await answer(page, 'positions?*', ({ searchParams }) => ({ body: listOfPositions(POSITIONS, searchParams) }))
  await answer(page, 'audit?*', ({ searchParams }) => ({ body: pageOf(samples(301, NOW).slice(1), searchParams) }))
  await answer(page, 'webhooks*', { body: WEBHOOKS })
  await answer(page, 'webhooks/*/deliveries?*', { body: { deliveries: DELIVERIES, next: null } })
  await answer(page, 'transactions?*', ({ searchParams }) => ({ body: pageOfTransactions(TRANSACTIONS, searchParams) }))
  await answer(page, 'transactions/**', ({ pathname }) => {
    const row = TRANSACTIONS.find(({ tx_hash }) => pathname.endsWith(tx_hash)) ?? TRANSACTIONS[0]
    return { body: row && detailed(row, [{ status: 'included' }, { status: 'final' }]) }
  })
}

const TRUST = fileURLToPath(new URL('../inspector/trust.recorded.json', import.meta.url))
const crafted = recorded.find(({ plugin }) => plugin === 'evm-three')?.exchanges.delegate

/** Every page of the dashboard, in the order of its navigation. */
export const shots: readonly Shot[] = [
  { name: 'signin', path: '', inside: false, until: (page) => page.getByRole('button', { name: 'Use the sandbox’s token' }).waitFor() },
  {
    name: 'start',
    path: 'start',
    real: true,
    async answers(page) {
      // The sandbox's clock follows this machine's.
      await page.route('**/api/v1/sandbox', async (route) => {
        const response = await route.fetch()
        const told: Sandbox = await response.json()
        const chains = told.chains.map((chain) => ({ ...chain, block: 35, time: NOW.toISOString() }))
        await route.fulfill({ response, json: { ...told, chains } })
      })
    },
    async until(page) {
      await page.getByRole('button', { name: 'Ask for a transaction' }).click()
      await page.getByRole('button', { name: 'Sign with the demo wallet' }).waitFor()
    },
  },
  { name: 'overview', path: 'overview', until: (page) => page.getByText('rpc-1.example.net').first().waitFor() },
  {
    name: 'positions',
    path: 'positions',
    answers: (page) => answer(page, 'protocols*', { body: [MONAD, ...NAMES] }),
    until: (page) => page.locator('.positions .tag').first().waitFor(),
  },
  {
    name: 'position',
    path: `positions/evm-three/143/${WALLET.detail.address}/acme`,
    until: (page) => page.locator('.operations .row').first().waitFor(),
  },
  {
    name: 'statement',
    path: `statements?account=acme&protocol=evm-three&network=143&wallet=${WALLET.detail.address}&period=2026-10&layout=koinly`,
    until: (page) => page.getByText('its rows are those of the statement').waitFor(),
  },
  { name: 'keys', path: 'keys', until: (page) => page.getByText('night-batch').first().waitFor() },
  { name: 'activity', path: 'activity', until: (page) => page.getByText('Delegate', { exact: false }).first().waitFor() },
  { name: 'transactions', path: 'transactions', until: (page) => page.locator('.status-word').first().waitFor() },
  {
    name: 'transaction',
    path: `transactions/${TRANSACTIONS[2]?.tx_hash}`,
    until: (page) => page.getByRole('list', { name: 'Timeline' }).waitFor(),
  },
  {
    name: 'webhooks',
    path: `webhooks/${WEBHOOKS[0]?.ulid}`,
    until: (page) => page.locator('.deliveries li').first().waitFor(),
  },
  { name: 'protocols', path: 'protocols/evm-three/143', until: (page) => page.getByText('validator_id').first().waitFor() },
  {
    name: 'inspector',
    path: 'inspector',
    async until(page) {
      await page.getByLabel('Bytes, or a whole answer').fill(JSON.stringify(crafted?.response, null, 2))
      await page.getByLabel('Bytes, or a whole answer').evaluate((field) => {
        field.scrollTop = 0
        field.blur()
      })
      await page.locator('input[type=file]').first().setInputFiles(TRUST)
      await page
        .getByText(/^Delegate 25\.5 MON to validator 12/)
        .first()
        .waitFor()
      await page.getByText('4 terms agree').waitFor()
    },
  },
  { name: 'session', path: 'session', until: (page) => page.getByText('Operator token: sees every account').waitFor() },
]
