import type { Page } from 'playwright-core'
import { type Answer, answer } from './page.ts'
import { pageOf, type Sample } from './records.ts'
import { detailed, followed } from './transactions.ts'

/** A session with a management token. */
export const CUSTOMER = {
  kind: 'account',
  account: { id: 'acme', name: 'Acme' },
  token: { ulid: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', name: 'laptop', prefix: 'svcm_01JD4Z0V', expires: null },
  accounts: [{ id: 'acme', name: 'Acme', keys: 3, max_keys: 1000 }],
  version: '1.0.0',
  sandbox: false,
}
const TERMS = { decimals: 18, symbol: 'MON' }
const PROTOCOLS = [
  { protocol: 'evm-three', title: 'Monad', networks: [{ network: '143', name: 'mainnet', caip2: 'eip155:143', terms: TERMS }] },
  {
    protocol: 'evm-three-liquid',
    title: 'Magma gMON on Monad',
    networks: [{ network: '143', name: 'mainnet', caip2: 'eip155:143', terms: TERMS }],
  },
]
const REFUSALS = [
  { code: 'INSUFFICIENT_BALANCE', count: 12 },
  { code: 'SLOT_IN_USE', count: 4 },
]

/** Each that was broadcast is final by now. */
function fateOf(pathname: string): Answer {
  const unsigned_hash = pathname.split('/').at(-1) ?? ''
  return { body: detailed(followed(1, new Date(), 'final', { unsigned_hash }), [{ status: 'final' }]) }
}

/** The API to a customer, with a log of its own, which a test may change. */
export async function serveLog(
  page: Page,
  log: { records: readonly Sample[]; alarms?: readonly unknown[]; audit?: Answer },
): Promise<void> {
  await answer(page, 'session', { body: CUSTOMER })
  await answer(page, 'audit?*', ({ searchParams }) => log.audit ?? { body: pageOf(log.records, searchParams) })
  await answer(page, 'transactions/**', ({ pathname }) => fateOf(pathname))
  await answer(page, 'overview?*', () => ({ body: { refusals: REFUSALS, alarms: log.alarms ?? [] } }))
  await answer(page, 'protocols?*', { body: PROTOCOLS })
  await answer(page, 'apikeys?*', { body: [{ ulid: '01JD51QK3M8YB0WZ4T5C6D7E8F', name: 'night-batch' }] })
}
