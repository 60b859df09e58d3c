import type { Balance, StakedObject } from '@svc/contract'
import type { Control, Departed } from '@svc/contract/control'
import { desk } from '@svc/testing/paper'
import type { Test } from 'tap'
import type { Store } from '../../src/index.ts'
import { following } from './heart.ts'
import { createScript, NOTHING } from './living.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const ONE = 10n ** 18n

/** A unit of a position. */
export const unit = (
  id: string,
  amount: bigint,
  status: StakedObject['status'] = 'active',
  changes: Partial<StakedObject> = {},
): StakedObject => ({
  ...{ id, type: 'delegation', status, amount, rewards: null, validator: 'v1' },
  ...{ activationEpoch: null, withdrawableEpoch: null, withdrawableAt: null },
  ...changes,
})
/** A power of somebody else. */
export const power = (
  aspect: string,
  objectId: string | null,
  holder: string | null = 'thief',
  terms: string | null = null,
  severity?: Control['severity'],
): Control => ({ ...{ aspect, holder, objectId, terms }, ...(severity === undefined ? {} : { severity }) })
/** A position of units. */
export const held = (objects: readonly StakedObject[], control: readonly Control[] = []): Balance => ({
  ...NOTHING,
  staked: objects.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n),
  objects,
  control,
})
/** Nothing became of any unit. */
export const NO_ONE: Departed = new Map()

/** Further options of a watched wallet. */
interface Further {
  /** Is waited for before an endpoint answers which one it is, where a position asks. */
  readonly reading?: () => Promise<unknown>
  /** Settings of the account in the config. */
  readonly account?: object
}

/** A wallet that was read once, with two units of its own, and is read again whenever two hours pass. */
export async function watching(
  t: Test,
  state: Store,
  endpoints: readonly string[] = ['desk'],
  units = [unit('1', 6n * ONE), unit('2', 3n * ONE)],
  { reading = async () => {}, account = {} }: Further = {},
) {
  const script = createScript()
  script.departed = () => NO_ONE
  const urls = endpoints.map((name) => `http://${name}.invalid`)
  const network = { name: 'paper one', endpoints: { desk: urls }, clerk: 'p002' }
  const config = { plugins: { '@svc/plugin-paper': { networks: { 1: network } } }, accounts: { acme: { name: 'Acme', ...account } } }
  const usual = desk()
  const answering: typeof fetch = async (url, init) => {
    const { hostname: host, pathname } = new URL(String(url))
    if (pathname !== '/host') return usual(url, init)
    await reading()
    return Response.json({ host })
  }
  const served = await following(t, state, { script, config, fetch: answering })
  script.positions.set('p001', held(units))
  script.dues.set('p001', new Date(served.clock.now.getTime() + MINUTE))
  await served.call('PUT', '/api/v1/watch/paper/p001')
  await served.pass(2_000)
  return { ...served, later: () => served.pass(2 * HOUR, 5 * MINUTE), units }
}
