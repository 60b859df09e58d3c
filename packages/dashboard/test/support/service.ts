import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import {
  createCredential,
  createServer,
  findIntents,
  freshSigner,
  type IntentScript,
  NO_ACCOUNT,
  openStore,
  type Peppers,
  parseConfig,
} from '@svc/core'
import { memoryLog } from '@svc/testing/paper'
import type { Test } from 'tap'
import { HOST } from './chromium.ts'

const peppers: Peppers = ['a pepper that is long enough for the config']
/** A file in the folder of this repository, which is an operator's: its package names the plugins. */
export const root = fileURLToPath(new URL('../../../../package.json', import.meta.url))
const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** A service that serves the built page, without a protocol: what a page shows of protocols is tried with the sandbox, or with answers given by the test. */
export interface TestService {
  /** `http://stake.test:PORT/dashboard/`. */
  readonly dashboard: string
  /** The same under an address of this machine, as a sandbox has it. */
  readonly local: string
  /** A management token of acme. */
  readonly customer: string
  /** An operator token. */
  readonly operator: string
}

/**
 * Starts it, with its state in memory, until the tests end.
 *
 * @param intents scripts that the page loads; by default those of the plugins of this repository
 */
export async function service(t: Test, intents?: readonly IntentScript[]): Promise<TestService> {
  if (!existsSync(dist)) throw new Error('The dashboard is not built: pnpm --filter @svc/dashboard build')
  const store = await openStore({ dataDir: ':memory:', log: memoryLog() })
  const app = await createServer({
    // One test asks more often in a minute than one reader does.
    config: parseConfig(
      {
        plugins: {},
        accounts: { acme: { name: 'Acme' }, globex: { name: 'Globex' } },
        limits: { console_per_minute: 10_000 },
        // Receivers of a test are on this machine.
        webhooks: { allow_private: true },
      },
      {},
    ),
    plugins: [],
    store,
    signer: await freshSigner(),
    peppers,
    dashboard: dist,
    intents: intents ?? (await findIntents([root])).scripts,
    logger: false,
  })
  t.teardown(async () => {
    await app.close()
    await store.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const made = await Promise.all([
    createCredential(store, peppers, new Date(), { kind: 'token', account: 'acme', name: 'laptop' }),
    createCredential(store, peppers, new Date(), { kind: 'operator', account: NO_ACCOUNT, name: 'ops-laptop' }),
  ])
  const [customer, operator] = made.map(({ value }) => value)
  if (customer === undefined || operator === undefined) throw new Error('A token was not made.')
  return { dashboard: `http://${HOST}:${port}/dashboard/`, local: `http://127.0.0.1:${port}/dashboard/`, customer, operator }
}
