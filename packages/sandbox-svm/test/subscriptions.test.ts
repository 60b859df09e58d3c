import { eventually } from '@svc/testing/eventually'
import t, { type Test } from 'tap'
import { bench, keypair, StakeProgram, sol, stakeOf } from './support.ts'

/** A client of the node's WebSocket that keeps what it is sent. */
async function clientOf(t: Test, rpcUrl: string) {
  const url = new URL(rpcUrl)
  const socket = new WebSocket(`ws://${url.hostname}:${Number(url.port) + 1}/`)
  t.teardown(() => socket.close())
  const texts: any[] = []
  const ends: number[] = []
  socket.addEventListener('message', ({ data }) => texts.push(JSON.parse(String(data))))
  socket.addEventListener('close', ({ code }) => ends.push(code))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  let id = 0
  async function call(method: string, params: unknown = []): Promise<any> {
    const own = ++id
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }))
    return eventually(`an answer to ${method}`, () => texts.find((text) => text.id === own))
  }
  const pushed = () => texts.filter(({ method }) => method !== undefined)
  return { socket, call, pushed, ends, texts }
}

const STAKE = StakeProgram.programId.toBase58()
const CONFIRMED = { encoding: 'base64', commitment: 'confirmed' }

t.test('web3.js, unchanged, hears at the next port what blocks write of a program', async (t) => {
  const { chain, connection, wallet, send } = await bench(t)
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 0 })
  const { vote: other } = await chain.createValidator({ name: 'other', commissionBps: 0 })
  const heard: string[] = []
  const own = [{ dataSize: 200 }, { memcmp: { offset: 124, bytes: vote } }]
  const listener = connection.onProgramAccountChange(
    StakeProgram.programId,
    ({ accountId, accountInfo }, { slot }) => heard.push(`${accountId.toBase58()} ${accountInfo.lamports} ${slot}`),
    { commitment: 'confirmed', filters: own },
  )
  // It subscribes in its own time, and says nothing when it has.
  const first = chain.giveStake({ name: 'first', wallet: wallet.publicKey.toBase58(), vote, amount: sol, cooledDown: false })
  await eventually('the first push', () => {
    chain.setAccount(first, {})
    return heard.length
  })
  heard.splice(0)
  const [mine, theirs] = [
    await stakeOf(wallet.publicKey, { vote, lamports: 2n * sol, seed: 'a' }),
    await stakeOf(wallet.publicKey, { vote: other, lamports: 2n * sol, seed: 'b' }),
  ]
  await send(theirs.instructions)
  await send(mine.instructions)
  const { slot } = chain.latest()
  await eventually('the push', () => heard.find((each) => each.startsWith(mine.account.toBase58())))
  t.same(
    heard.filter((each) => !each.startsWith(first)),
    [`${mine.account.toBase58()} ${2n * sol} ${slot}`],
  )
  await connection.removeProgramAccountChangeListener(listener)
  // It would try to connect again for ever, also where the chain ends before it was told that its goodbye was heard.
  const { _rpcWebSocket: line } = connection as unknown as {
    _rpcWebSocket: { close(): void; once(event: 'close', ended: () => void): void }
  }
  const ended = new Promise<void>((resolve) => line.once('close', resolve))
  line.close()
  await ended
})

t.test('a push has the form of a node: all of the data, the slot, and the number of the subscription', async (t) => {
  const { chain, wallet, rpc } = await bench(t)
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 0 })
  const { call, pushed } = await clientOf(t, chain.rpcUrl)
  const { result: subscription } = await call('programSubscribe', [
    STAKE,
    { ...CONFIRMED, dataSlice: { offset: 0, length: 4 }, filters: [{ memcmp: { offset: 124, bytes: vote } }] },
  ])
  t.type(subscription, 'number')
  const address = chain.giveStake({ name: 'one', wallet: wallet.publicKey.toBase58(), vote, amount: sol, cooledDown: false })
  await eventually('a push', () => pushed().length)
  const { result } = await rpc('getAccountInfo', [address, CONFIRMED])
  t.same(pushed(), [
    {
      jsonrpc: '2.0',
      method: 'programNotification',
      params: { result: { context: { slot: chain.latest().slot }, value: { pubkey: address, account: result.value } }, subscription },
    },
  ])
  t.equal(Buffer.from(pushed()[0].params.result.value.account.data[0], 'base64').length, 200)
  t.same((await call('programUnsubscribe', [subscription])).result, true)
  t.match(await call('programUnsubscribe', [subscription]), { error: { code: -32602, message: 'Invalid subscription id.' } })
  chain.setAccount(address, {})
  await call('getVersion')
  t.equal(pushed().length, 1)
})

t.test('it pushes what is voted on, nothing of an account that is gone, and each account that an epoch rewards', async (t) => {
  const { chain, wallet } = await bench(t)
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 0, stake: 0n })
  const owner = wallet.publicKey.toBase58()
  const accounts = ['one', 'two'].map((name) => chain.giveStake({ name, wallet: owner, vote, amount: sol, cooledDown: false }))
  const { call, pushed } = await clientOf(t, chain.rpcUrl)
  const filters = [{ memcmp: { offset: 124, bytes: vote } }]
  const confirmed = (await call('programSubscribe', [STAKE, { ...CONFIRMED, filters }])).result
  const rooted = (await call('programSubscribe', [STAKE, { encoding: 'base64', filters }])).result
  const of = (id: number) => pushed().filter(({ params }) => params.subscription === id)
  await chain.operations.votes!.run({ on: false })
  chain.setAccount(accounts[0]!, {})
  await call('getVersion')
  t.same(pushed(), [])
  await chain.operations.votes!.run({ on: true })
  await chain.mine(1)
  await eventually('what is confirmed', () => of(confirmed).length)
  t.same(of(rooted), [], 'it is confirmed, and not rooted')
  await chain.mine(32)
  await eventually('what is rooted', () => of(rooted).length)
  await chain.advance({ epochs: 1 })
  await eventually(
    'both rewards',
    () => of(confirmed).length,
    (count) => count === 3,
  )
  chain.setAccount(accounts[1]!, { lamports: 0n })
  await call('getVersion')
  t.equal(of(confirmed).length, 3)
})

t.test('a node refuses what it does not know, takes no long text, and breaks off when it is told to', async (t) => {
  const { chain } = await bench(t)
  const { call, ends, socket } = await clientOf(t, chain.rpcUrl)
  t.match(await call('getSlot'), { error: { code: -32601, message: 'Method not found' } })
  t.match(await call('programSubscribe', ['nobody', {}]), { error: { code: -32602 } })
  t.match(await call('programSubscribe', [keypair(9).publicKey, { filters: Array(5).fill({ dataSize: 1 }) }]), { error: { code: -32602 } })
  t.match((await call('getVersion')).result, { 'solana-core': /^\d/ })
  socket.send('x'.repeat(4097))
  await eventually('its end', () => ends.length)
  const again = await clientOf(t, chain.rpcUrl)
  await chain.operations.pushes!.run({ on: false })
  await eventually('its end', () => again.ends.length)
  const url = new URL(chain.rpcUrl)
  const refused = new WebSocket(`ws://${url.hostname}:${Number(url.port) + 1}/`)
  await new Promise((resolve) => refused.addEventListener('error', resolve))
  await chain.operations.pushes!.run({ on: true })
  t.match((await (await clientOf(t, chain.rpcUrl)).call('getVersion')).result, {})
})

t.test('chains side by side have pairs of ports, and one at a port of its own wants the next as well', async (t) => {
  const [one, two] = [await bench(t), await bench(t)]
  t.match((await (await clientOf(t, one.chain.rpcUrl)).call('getVersion')).result, {})
  t.match((await (await clientOf(t, two.chain.rpcUrl)).call('getVersion')).result, {})
  const port = Number(new URL(one.chain.rpcUrl).port)
  await t.rejects(bench(t, { port }), { code: 'PORT_BUSY' })
  await one.chain.close()
  const third = await bench(t, { port })
  t.equal(third.chain.rpcUrl, one.chain.rpcUrl)
})
