import { type Player, startStage } from '@svc/conformance'
import { svmFamily } from '@svc/conformance/svm'
import { craft } from '@svc/core/plugins'
import { layouts } from '@svc/intent-svm-native'
import { Keypair, PublicKey, SystemProgram } from '@svc/solana'
import t from 'tap'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

// What an endpoint can lie about. Its answers are made from true ones, so that nothing but the lie is wrong with them.

const SOL = 1_000_000_000n
const RENT = 2_282_880n
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const LIAR = 'http://liar.invalid'

const stage = await startStage({ plugin, scenario, family: svmFamily })
t.teardown(() => stage.close())
const kit = plugin.protocol.kit
const decoded = (unsigned: unknown) => kit.decode(unsigned as never, { signers: [], calls: [], layouts }, {} as never, {})
const madeBy = (unsigned: unknown) =>
  String(decoded(unsigned).calls.find(({ method }: { method: string }) => method.startsWith('System.Create'))!.args.newAccount)

const player = await stage.player()
const stake_account_address = madeBy((await player.act('stake', { amount: 10 })).unsigned)
const leaving = madeBy((await player.act('stake', { amount: 5 })).unsigned)
await player.act('unstake', { stake_account_address: leaving })
const nonce = madeBy((await player.act('create-nonce-account')).unsigned)
const REQUESTS: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> = {
  'staking-balance': null,
  'create-nonce-account': {},
  stake: { amount: 1 },
  unstake: { stake_account_address },
  withdraw: { stake_account_address: leaving },
  'close-nonce-account': { account_address: nonce },
}

interface Answer {
  result?: any
  error?: unknown
  id?: unknown
}
type Lie = (answer: Answer, method: string, params: readonly unknown[]) => unknown

/** What an endpoint answers that has the true answer and changes it; `undefined` from the lie leaves it as it is. */
async function lying(body: string, lie: Lie): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const text = await (await fetch(stage.world.rpcUrl, { method: 'POST', headers, body })).text()
  const { method, params } = JSON.parse(body) as { method: string; params: readonly unknown[] }
  const answer = JSON.parse(text) as Answer
  return new Response(JSON.stringify(lie(answer, method, params) ?? answer), { headers })
}

async function ask(client: Player['client'], name: string): Promise<Awaited<ReturnType<Player['client']['get']>>> {
  const body = REQUESTS[name]
  return body ? client.post(`/action/${name}`, player.body(body)) : client.get(`/staking-balance/${player.wallet.address}`)
}

/** Every request, to a service whose first endpoint lies, with and without an honest one behind it. */
async function told(lie: Lie, names: readonly string[] = Object.keys(REQUESTS)) {
  const answers: { alone: Awaited<ReturnType<typeof ask>>[]; helped: Awaited<ReturnType<typeof ask>>[] } = { alone: [], helped: [] }
  stage.upstream.interfere(({ url, body }) => (url.startsWith(LIAR) ? lying(body, lie) : null))
  for (const [which, endpoints] of [
    ['alone', [LIAR]],
    ['helped', [LIAR, stage.world.rpcUrl]],
  ] as const) {
    const service = await stage.serve({ endpoints: [...endpoints] })
    try {
      const client = await service.client()
      for (const name of names) answers[which].push(await ask(client, name))
    } finally {
      await service.close()
    }
  }
  stage.upstream.interfere(null)
  return answers
}

const refusedBy = (code: number, message: string) => (answer: Answer) => ({ ...answer, result: undefined, error: { code, message } })
const only = (wanted: string, change: (answer: Answer, params: readonly unknown[]) => unknown): Lie => {
  return (answer, method, params) => (method === wanted ? change(answer, params) : undefined)
}
const put = (whole: object, part: object) => void Object.assign(whole, part)
const edited = (account: { data: [string, string] }, change: (data: Buffer) => void) => {
  const data = Buffer.from(account.data[0], 'base64')
  change(data)
  account.data[0] = data.toString('base64')
}
const CLOCK = 'SysvarC1ock11111111111111111111111111111111'
/** The chain's clock, asked for by itself or among other accounts. */
const onClock =
  (change: (clock: { data: [string, string] }) => void): Lie =>
  ({ result }, method, [asked]) => {
    if (method === 'getAccountInfo' && asked === CLOCK) change(result.value)
    if (method !== 'getMultipleAccounts' || !Array.isArray(asked) || !asked.includes(CLOCK)) return
    change(result.value[asked.indexOf(CLOCK)])
  }
const clockBack = (seconds: number): Lie =>
  onClock((clock) => edited(clock, (data) => data.writeBigInt64LE(data.readBigInt64LE(32) - BigInt(seconds), 32)))

const NOWHERE: Readonly<Record<string, readonly [status: number, code: string, lie: Lie]>> = {
  'is of another cluster': [502, 'UPSTREAM_OTHER_CHAIN', only('getGenesisHash', (answer) => ({ ...answer, result: DEVNET }))],
  'is six minutes behind': [503, 'UPSTREAM_BEHIND', clockBack(360)],
  'is forty days behind': [503, 'UPSTREAM_BEHIND', clockBack(40 * 86_400)],
  'says that it is behind': [503, 'UPSTREAM_BEHIND', refusedBy(-32_005, 'Node is behind by 150 slots')],
  'is busy': [503, 'UPSTREAM_BUSY', refusedBy(-32_000, 'concurrent requests limit exceeded')],
  'has an internal error': [502, 'UPSTREAM_ERROR', refusedBy(-32_603, 'Internal error')],
  'knows no method': [502, 'UPSTREAM_ERROR', refusedBy(-32_601, 'Method not found')],
  'answers null': [502, 'UPSTREAM_ERROR', (answer) => ({ ...answer, result: null })],
  'answers nothing': [502, 'UPSTREAM_ERROR', ({ id }) => ({ jsonrpc: '2.0', id })],
  'answers another id': [502, 'UPSTREAM_ERROR', (answer) => ({ ...answer, id: 'another' })],
  'has a clock of somebody else': [502, 'UPSTREAM_ERROR', onClock((clock) => put(clock, { owner: player.wallet.address }))],
}

for (const [what, [status, code, lie]] of Object.entries(NOWHERE))
  t.test(`an endpoint that ${what} serves nobody, and the next one is asked`, async (t) => {
    const { alone, helped } = await told(lie)
    t.same(
      alone.map((answer) => [answer.status, answer.code]),
      alone.map(() => [status, code]),
      alone[0]!.text,
    )
    t.same(
      helped.map((answer) => answer.status),
      helped.map(() => 200),
      String(helped.find((answer) => answer.status !== 200)?.text),
    )
  })

type Rows = { account: { lamports: number; owner: string; data: [string, string] }; pubkey: string }[]
const found = (change: (rows: Rows) => void): Lie => only('getProgramAccounts', ({ result }) => change(result.value))
const balances = ['staking-balance']
const BOUNDED: Readonly<Record<string, readonly [requests: readonly string[], lie: Lie]>> = {
  'rent of 50 SOL': [
    ['stake', 'create-nonce-account'],
    only('getMinimumBalanceForRentExemption', (answer, [space]) => ({ ...answer, result: space === 0 ? answer.result : 5e10 })),
  ],
  'a lamport of rent too much': [
    ['stake', 'create-nonce-account'],
    only('getMinimumBalanceForRentExemption', (answer, [space]) => ({ ...answer, result: answer.result + (space === 0 ? 0 : 1) })),
  ],
  'seventy times the units': [
    ['stake', 'unstake'],
    only('simulateTransaction', ({ result }) => put(result.value, { unitsConsumed: 1_400_000 })),
  ],
  'a stake account of another program': [balances, found(([first]) => put(first!.account, { owner: player.wallet.address }))],
  'a stake account of somebody else': [balances, found(([first]) => edited(first!.account, (data) => data.fill(7, 44, 76)))],
  'a stake account of another length': [balances, found(([first]) => put(first!.account.data, { 0: 'AAAA' }))],
  'a stake account twice': [balances, found((rows) => void rows.push(rows[0]!))],
  'a stake account at no address': [balances, found(([first]) => put(first!, { pubkey: 'nowhere' }))],
  'more lamports than 64 bits hold': [balances, found(([first]) => put(first!.account, { lamports: 2e19 }))],
  'a stake history without an end': [
    balances,
    only('getMultipleAccounts', ({ result }) => put(result.value[1].data, { 0: Buffer.alloc(16_424).toString('base64') })),
  ],
  'a stake account of no validator': [
    ['stake'],
    only('getMultipleAccounts', ({ result }) => {
      for (const each of result.value) put(each ?? {}, { owner: player.wallet.address })
    }),
  ],
  'a commission of 101 percent': [
    ['stake'],
    only('getVoteAccounts', ({ result }) => put(result.current[0], { inflationRewardsCommissionBps: 10_100 })),
  ],
}

for (const [what, [requests, lie]] of Object.entries(BOUNDED))
  t.test(`${what} is not believed, and the next endpoint is asked`, async (t) => {
    const { alone, helped } = await told(lie, requests)
    for (const answer of alone) t.equal(answer.status, 502, answer.text)
    for (const answer of helped) t.equal(answer.status, 200, answer.text)
  })

t.test('a broadcast that an endpoint swallows goes to the next one', async (t) => {
  const { json } = await player.craft('stake', { amount: 1 })
  const signed = (await player.client.post('/action/prepare', await svmFamily.sign(json as never, player.wallet as never))).json
  const other = '2UUez4XMn8VmNUb9C43M4enMcuWUfJPvzA9gsNBx8MSRUmNQxB5kSCanUoqFHGqKtC6pJ2ndoANpNi8r8ADfY2GE'
  for (const [endpoints, status] of [
    [[LIAR], 502],
    [[LIAR, stage.world.rpcUrl], 200],
  ] as const) {
    const service = await stage.serve({ endpoints: [...endpoints] })
    stage.upstream.interfere(({ url, body }) => {
      if (!url.startsWith(LIAR)) return null
      const { id, method } = JSON.parse(body) as { id: unknown; method: string }
      if (method !== 'sendTransaction') return lying(body, () => undefined)
      return Promise.resolve(Response.json({ jsonrpc: '2.0', id, result: other }))
    })
    const answer = await (await service.client()).post('/action/broadcast', signed)
    stage.upstream.interfere(null)
    await service.close()
    t.equal(answer.status, status, answer.text)
    t.not((answer.json as { tx_hash: string }).tx_hash, other)
    if (status === 200) await t.resolves(svmFamily.landed(stage.world.rpcUrl, (answer.json as { tx_hash: string }).tx_hash))
  }
})

t.test('a fee far above what signatures cost is refused, whatever the cap', async (t) => {
  const service = await stage.serve({ settings: { max_fee: '1', unit_price: 1_000_000_000 } })
  t.teardown(() => service.close())
  const answer = await (await service.client()).post('/action/unstake', player.body({ stake_account_address }))
  t.match(answer.json, { statusCode: 503, code: 'FEE_ABOVE_CAP', error: /more than 25 times the 0\.000005 SOL that signatures cost/ })
})

t.test('the check holds a promise to the highest rent by itself', async (t) => {
  const ctx = stage.connect()
  const input = { wallet_address: player.wallet.address, amount: SOL }
  const key = Keypair.generate()
  const by = { by: 'key', key, address: key.publicKey.toBase58() }
  for (const [name, facts] of [
    ['stake', { made: by, rent: RENT }],
    ['create-nonce-account', { seed: 'nonce:1', account: await nonceKey(player, 1), rent: 1_447_680n }],
  ] as const) {
    const action = plugin.protocol.actions[name]!
    const withRent = (rent: bigint) => craft(kit, { ...action, read: async () => ({ ...facts, rent }) } as never, ctx, input)
    await t.resolves(withRent(facts.rent))
    const mismatches = [{ path: 'calls[0].args.lamports' }, { path: 'calls[0].value' }]
    await t.rejects(withRent(facts.rent + 1n), { name: 'DecodeMismatch', mismatches }, `${name}, a lamport more`)
  }
})

function nonceKey(player: Player, index: number): Promise<PublicKey> {
  return PublicKey.createWithSeed(new PublicKey(player.wallet.address), `nonce:${index}`, SystemProgram.programId)
}
