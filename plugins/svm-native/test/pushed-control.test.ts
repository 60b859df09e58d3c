import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createCredential, createServer, freshSigner, openStore, type Peppers, parseConfig } from '@svc/core'
import { isSandboxError, type PushClient, type PushListener, readBody, startFaultProxy } from '@svc/sandbox'
import { startSvmChain } from '@svc/sandbox-svm'
import { PublicKey } from '@svc/solana'
import { eventually } from '@svc/testing/eventually'
import { freePort } from '@svc/testing/free-ports'
import t, { type Test } from 'tap'
import { OFFSET } from '../src/chain/stake-account.ts'
import plugin from '../src/index.ts'
import { poke } from './chain.ts'

const SOL = 1_000_000_000n
const SECOND = 1_000
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const PEPPERS: Peppers = ['pushes pushes pushes pushes pushes pushes']
const { name } = plugin.protocol
const keyOf = (byte: number) => new PublicKey(Buffer.alloc(32, byte)).toBase58()
const [OWNER, OTHER] = [keyOf(7), keyOf(8)]

/** Opens something at a port and the next one, of which nobody else has either. */
async function pairOf<T>(open: (port: number) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await open(await freePort())
    } catch (error) {
      if (!isSandboxError(error) || error.code !== 'PORT_BUSY') throw error
    }
  }
}

/** The node with a WebSocket that pushes what a test wants, and a count of the positions that were read. */
async function lying(t: Test, rpcUrl: string) {
  const clients: PushClient[] = []
  let positions = 0
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request, 1_000_000)
    if (body?.includes(`"offset":${OFFSET.withdrawer}`) && body.includes('confirmed')) positions++
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: body ?? '' })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }
  const push: PushListener = (_path, client) => {
    clients.push(client)
    return {
      text: (text) => client.send(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(text).id, result: 0 })),
      closed: () => void clients.splice(clients.indexOf(client), 1),
    }
  }
  const target: RequestListener = (...call) => void forward(...call)
  const { rpc, pubsub } = await pairOf(async (port) => ({
    pubsub: await startFaultProxy({ target, push, port: port + 1, name: 'pushes of a liar' }),
    rpc: await startFaultProxy({ target, port, name: 'a liar' }),
  }))
  t.teardown(() => Promise.all([rpc.close(), pubsub.close()]))
  const say = (value: object) => {
    const result = { context: { slot: 1 }, value }
    for (const client of clients)
      client.send(JSON.stringify({ jsonrpc: '2.0', method: 'programNotification', params: { result, subscription: 0 } }))
  }
  return { url: rpc.url, push: say, readings: () => positions, open: () => clients.length }
}

/** The service that watches two wallets of a validator, by a clock that a test turns. */
async function watching(t: Test, { isLiar = false } = {}) {
  const chain = await startSvmChain({ chainId: 'mainnet-beta', time: Date.now() })
  t.teardown(() => chain.close())
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 0 })
  const give = (wallet: string, name = wallet) => chain.giveStake({ name, wallet, vote, amount: 10n * SOL, cooledDown: false })
  const accounts = [give(OWNER), give(OTHER)]
  await chain.mine(40)
  const liar = isLiar ? await lying(t, chain.rpcUrl) : null
  const life = { follow: true, sweeps_per_day: 6 }
  const store = await openStore({ dataDir: ':memory:', log: SILENT })
  const clock = { now: new Date() }
  let beat = async () => {}
  const lines: Record<string, unknown>[] = []
  const app = await createServer({
    config: parseConfig(
      {
        plugins: {
          [name]: {
            networks: {
              'mainnet-beta': { name: 'Solana', endpoints: { rpc: [liar?.url ?? chain.rpcUrl] }, validator: vote, max_block_age: 0 },
            },
          },
        },
        accounts: { owner: { name: 'Owner' } },
        life,
      },
      {},
    ),
    plugins: [{ name, version: '0.0.0', plugin }],
    store,
    signer: await freshSigner(),
    peppers: PEPPERS,
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(JSON.parse(line)) } },
    now: () => clock.now,
    pulse: {
      start(given) {
        beat = given
        return () => {
          beat = async () => {}
        }
      },
    },
  })
  t.teardown(() => app.close())
  const { value: key } = await createCredential(store, PEPPERS, clock.now, { kind: 'key', account: 'owner', name: 'pushes' })
  const { value: token } = await createCredential(store, PEPPERS, clock.now, { kind: 'token', account: 'owner', name: 'pushes' })
  /** Lets seconds pass, with a beat each. */
  const pass = async (seconds: number, step = 1) => {
    for (let left = seconds; left > 0; left -= step) {
      clock.now = new Date(clock.now.getTime() + step * SECOND)
      await beat()
    }
  }
  const events = async () => {
    const answer = await app.inject({ method: 'GET', url: '/api/v1/events', headers: { authorization: `Bearer ${token}` } })
    return (answer.json().events as { type: string; subject: string; severity: string }[]).toReversed()
  }
  /** Turns the clock second by second until so many events were told. @returns seconds */
  async function untilTold(count: number): Promise<number> {
    for (let seconds = 0; ; seconds++) {
      if ((await events()).length >= count || seconds > 3_600) return seconds
      await pass(1)
      // A push takes a moment of the machine's time.
      await new Promise(setImmediate)
    }
  }
  const said = (text: string) => lines.filter(({ msg }) => String(msg).startsWith(text))
  for (const wallet of [OWNER, OTHER]) {
    const answer = await app.inject({ method: 'PUT', url: `/api/v1/watch/svm-native/${wallet}`, headers: { 'x-api-key': key } })
    t.equal(answer.statusCode, 200, answer.body)
  }
  await pass(5)
  await eventually('an endpoint that pushes', () => said('an endpoint pushes').length)
  await pass(5)
  const steal = (account: string) => poke(chain, account, (data) => data.fill(66, OFFSET.withdrawer, OFFSET.withdrawer + 32))
  return {
    ...{ chain, accounts, app, pass, events, untilTold, said, steal, lines, life },
    push: liar?.push ?? (() => {}),
    readings: liar?.readings ?? (() => 0),
    open: liar?.open ?? (() => 0),
  }
}

t.test(
  'who moves the power over a stake is told without a search, once, and so is what is left to the search where nothing is pushed any more',
  async (t) => {
    const { chain, accounts, pass, untilTold, events, said, steal } = await watching(t)
    t.same(await events(), [])
    steal(accounts[0]!)
    const seconds = await untilTold(2)
    t.ok(seconds < 600, `${seconds} turned seconds, and the next search is after 600`)
    t.match(await events(), [
      { type: 'position.control_changed', subject: new RegExp(OWNER), severity: 'critical' },
      { type: 'position.lost', subject: new RegExp(OWNER) },
    ])
    await pass(3_600, 60)
    t.equal((await events()).length, 2)
    await chain.operations.pushes!.run({ on: false })
    await eventually('the end', () => said('changes from elsewhere are pushed no more').length)
    steal(accounts[1]!)
    await chain.operations.pushes!.run({ on: true })
    await eventually(
      'an endpoint that pushes again',
      () => said('an endpoint pushes').length,
      (count) => count === 2,
    )
    await pass(660, 30)
    t.equal((await events()).length, 4, 'after pushes have begun anew the network is searched once')
  },
)

t.test('what an endpoint is silent of is found by the search, which it makes rarer', async (t) => {
  const { accounts, pass, events, steal } = await watching(t, { isLiar: true })
  // The search that is due because pushes have begun comes in its turn.
  await pass(660, 30)
  steal(accounts[1]!)
  await pass(3_000, 30)
  t.same(await events(), [], 'it runs each hour')
  await pass(900, 30)
  t.equal((await events()).length, 2)
})

t.test('an endpoint that pushes lies has as much read as the budget allows, and nothing told', async (t) => {
  const { accounts, chain, pass, events, readings, push, life } = await watching(t, { isLiar: true })
  await pass(60, 5)
  const before = readings()
  const { lamports, owner, data } = chain.account(accounts[0]!)!
  for (let turn = 0; turn < 40; turn++) {
    const lie = Buffer.from(data).fill(turn % 2 === 0 ? 66 : 7, OFFSET.withdrawer, OFFSET.withdrawer + 32)
    push({
      pubkey: accounts[0],
      account: { lamports: Number(lamports), owner, data: [lie.toString('base64'), 'base64'], executable: false, rentEpoch: 0, space: 200 },
    })
    await pass(30, 5)
  }
  const count = readings() - before
  t.ok(count > 0 && count <= life.sweeps_per_day, `${count} readings`)
  t.same(await events(), [])
})

t.test('a service that is closed listens no more', async (t) => {
  const { app, open } = await watching(t, { isLiar: true })
  t.equal(open(), 1)
  await app.close()
  await eventually('the end', open, (count) => count === 0)
})
