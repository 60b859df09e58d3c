import { startStage } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import { createCredential, createMetrics, createServer, freshSigner, openStore, parseConfig } from '@svc/core'
import { eventually } from '@svc/testing/eventually'
import t, { type Test } from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const chain = { prefix: 'celestia', denom: 'utia', algorithm: 'secp256k1', chainId: 'celestia', lookup: 'tx_status' } as const
const family = cosmosFamily({ ...chain, results: false })
const stage = await startStage({ plugin, scenario, family })
t.teardown(() => stage.close())
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** A service on the chain that follows by the beats of the test, at the time that the test says, and whose endpoints are real connections. */
async function follows(t: Test, endpoints: readonly string[], wallet: string) {
  const clock = { now: new Date() }
  const store = await openStore({ dataDir: ':memory:', log: quiet })
  const metrics = createMetrics()
  const { name } = stage.protocol
  const network = { name: 'local', endpoints: { rpc: endpoints }, ...stage.world.settings, max_block_age: 0 }
  let beat = async () => {}
  const app = await createServer({
    config: parseConfig(
      {
        plugins: { [name]: { networks: { [stage.world.chainId]: network } } },
        accounts: { acme: { name: 'Acme' } },
        life: { follow: true },
      } as never,
      {},
    ),
    plugins: [{ name, version: '0.0.0', plugin }],
    ...{ store, metrics, signer: await freshSigner(), peppers: ['a pepper that is long enough for the config'] },
    now: () => clock.now,
    pulse: {
      start(given: () => Promise<void>) {
        beat = given
        return () => {
          beat = async () => {}
        }
      },
    },
    logger: false,
  } as never)
  await app.listen({ host: '127.0.0.1', port: 0 })
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await app.close()
    await store.close()
  }
  t.teardown(close)
  const credential = (kind: 'key' | 'token') =>
    createCredential(store, ['a pepper that is long enough for the config'], clock.now, { kind, account: 'acme', name: kind }).then(
      ({ value }) => value,
    )
  const [key, token] = [await credential('key'), await credential('token')]
  const pass = async (ms: number, step = SECOND) => {
    for (let left = ms; left > 0; left -= step) {
      clock.now = new Date(clock.now.getTime() + step)
      await beat()
    }
  }
  const ask = async (method: 'GET' | 'PUT', url: string) =>
    (await app.inject({ method, url, headers: method === 'PUT' ? { 'x-api-key': key } : { authorization: `Bearer ${token}` } })).json()
  const types = async () =>
    ((await ask('GET', '/api/v1/events')).events as readonly { type: string }[])
      .map(({ type }) => type)
      .filter((type) => !/^validator|^pool/.test(type))
  const pushed = async () => /svc_stirrings_pushed\{[^}]*\} (\d)/.exec(await metrics.render())?.[1]
  /** Lets little time pass until something is told, and returns how much. */
  const told = async (what: string, count: number) => {
    const began = clock.now.getTime()
    await eventually(
      what,
      async () => {
        await pass(100, 100)
        return [(await types()).length, clock.now] as const
      },
      ([length]) => length >= count,
    )
    return clock.now.getTime() - began
  }
  await ask('PUT', `/api/v1/watch/${name.replace('@svc/plugin-', '')}/${wallet}`)
  await pass(MINUTE)
  await eventually('an endpoint pushes', pushed, (state) => state === '1')
  return { pass, types, pushed, told, close, ask, clock }
}

t.test('without an index a foreign exit is told within a minute, by what the node pushes alone', async (t) => {
  const [leaver, stayer] = [await stage.player(), await stage.player()]
  for (const player of [leaver, stayer]) await player.act('stake', { amount: 100 })
  const { told, types } = await follows(t, [stage.world.rpcUrl], leaver.wallet.address)
  await stayer.act('unstake', { amount: 40 })
  await leaver.act('stake', { amount: 1 })
  await leaver.act('unstake', { amount: 40 })
  t.ok((await told('the exit', 1)) <= MINUTE)
  t.same(await types(), ['position.exit_started'])
})

t.test('a connection that breaks is made anew, and what happened meanwhile is found by the search that follows', async (t) => {
  const player = await stage.player()
  await player.act('stake', { amount: 100 })
  const { pushed, pass, told, types, close } = await follows(t, [stage.world.rpcUrl], player.wallet.address)
  await stage.world.operate('keep', { index: true })
  await pass(MINUTE)
  await stage.world.fault({ kind: 'drop' })
  await eventually('nothing is pushed', pushed, (state) => state === '0')
  await stage.world.fault({ kind: 'none' })
  await eventually('it is pushed again', pushed, (state) => state === '1')
  await player.act('unstake', { amount: 7 })
  t.ok((await told('the exit', 1)) <= MINUTE)
  t.same(await types(), ['position.exit_started'])
  await stage.world.operate('keep', { index: false })
  await close()
})
