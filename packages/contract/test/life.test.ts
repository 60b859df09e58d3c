import { PaperAddress, paperKit } from '@svc/testing/paper'
import { give, NO_TERMS } from '@svc/testing/paper-protocol'
import t from 'tap'
import {
  type Balance,
  type Bounds,
  differences,
  type Life,
  type LifeHost,
  type Looks,
  protocol,
  type Sighting,
  type Status,
  type Subject,
  singleEndpoint,
} from '../src/index.ts'
import { declaration, host, one } from './support/host.ts'

type PaperLife = NonNullable<ReturnType<typeof paperKit>['life']>

const AT = Date.parse('2026-11-22T10:00:00Z')
const BOUNDS: Bounds = { wallet: 'p001', validUntil: { kind: 'nonce', value: '5', estimatedAt: null }, facts: { serial: '5' } }
const SEEN: Sighting = {
  status: 'pending',
  finality: 'none',
  certainty: 'proven',
  block: null,
  fee: null,
  receipt: null,
  error: null,
  replacedBy: null,
  validUntil: BOUNDS.validUntil,
  lookedAt: 9n,
  keep: { height: '9' },
}
const sighting = (status: Status, more: Partial<Sighting> = {}): Sighting => ({ ...SEEN, status, ...more })
const inBlock = { block: { height: 8n, hash: 'b8', time: new Date(AT) }, fee: 3n, receipt: 'gave 10' }

/** What each endpoint says, the first being the one that failover asks; a text is a failure. */
async function looking(
  said: () => readonly (Sighting | string)[],
  extra: { moved?: typeof moved; explain?: (data: string) => string | null; balance?: Balance } = {},
) {
  const asked: Subject[] = []
  let offered: Looks | undefined
  const answers = said()
  const kit = paperKit({
    // Each client says what its endpoint says: the first is that of failover.
    connect: (_network, io) => ({ ...paperKit().connect({} as never, io), io }) as never,
    life: {
      hash: (text) => text.toLowerCase(),
      bounds: () => BOUNDS,
      validUntil: () => BOUNDS.validUntil,
      async look({ client }, subject) {
        asked.push(subject)
        const { io } = client as unknown as { io: { fetch: typeof fetch } }
        const at = Number(await (await io.fetch('http://desk/')).text())
        const answer = said()[at]
        if (answer === undefined || typeof answer === 'string') throw new Error(answer ?? 'no such endpoint')
        return answer
      },
    } satisfies PaperLife as Life<never, never>,
  })
  const { definePlugin } = protocol(kit, { clerk: PaperAddress })
  const endpoint = (number: number) => singleEndpoint(async () => new Response(String(number)))
  const life: LifeHost = {
    offer: (_network, looks) => {
      offered = looks
    },
    async status(_request, network, txHash) {
      t.equal(network, one)
      const { keep: _keep, ...look } = await transaction({ txHash, bounds: null, keep: null, firstSeen: null, accepted: false })
      return { ...look, txHash, firstSeen: null, checkedAt: new Date(AT) }
    },
    async track(request, network, { txHash, bounds }) {
      t.same([txHash, bounds], ['h1', null])
      return life.status(request, network, txHash)
    },
    accepted: () => undefined,
  }
  let now = AT
  const { balance = await declaration.balance() } = extra
  const plugin = definePlugin({
    ...declaration,
    actions: { give: give as never },
    info: async () => NO_TERMS,
    balance: async () => balance,
    ...(extra.moved ? { moved: extra.moved } : {}),
    ...(extra.explain ? { explain: extra.explain } : {}),
  })
  const { app } = await host(plugin, [one], undefined, {
    upstream: () => endpoint(0),
    endpoints: () => answers.map((_, index) => endpoint(index)),
    life,
    now: () => new Date(now),
  })
  t.teardown(() => app.close())
  const transaction = (subject: Subject) => {
    const look = offered?.transaction
    if (!look) throw new Error('no look was offered')
    return look(subject)
  }
  const subject = (keep: Subject['keep']): Subject => ({ txHash: 'h1', bounds: BOUNDS, keep, firstSeen: new Date(AT), accepted: true })
  return {
    app,
    asked,
    looks: () => offered,
    look: (keep: Subject['keep'] = null) => transaction(subject(keep)),
    later: (ms: number) => (now += ms),
  }
}

const moved = (_network: unknown, receipt: unknown, wallet: string | null) => ({
  moves: [{ kind: 'staked' as const, asset: 'native', amount: 10n }],
  objectIds: [`${String(receipt)} by ${wallet}`],
})

t.test('that no node holds it is told after a minute, when every endpoint that answers says so, and never as an end', async (t) => {
  const gone = sighting('pending', { certainty: 'likely', held: false })
  let said: (Sighting | string)[] = [gone, gone]
  const { look, later } = await looking(() => said)
  t.match(await look(), { status: 'pending', error: null }, 'nodes pass it on')
  later(59_999)
  t.match(await look(), { status: 'pending', error: null })
  later(1)
  const told = await look()
  t.match(told, {
    status: 'pending',
    certainty: 'likely',
    finality: 'none',
    error: { code: 'NOT_HELD', reason: /can still land: sending the same bytes again is safe/ },
  })
  t.notOk('held' in told, 'a word between kit and host')
  said = [gone, sighting('pending')]
  t.match(await look(), { status: 'pending', certainty: 'proven', error: null }, 'one endpoint holds it')
  said = [gone, sighting('final', { finality: 'final', ...inBlock })]
  t.match(await look(), { status: 'final' }, 'one endpoint has it in a block')
  for (const end of ['replaced', 'expired', 'failed'] as const) {
    said = [gone, sighting(end, end === 'failed' ? { finality: 'final', ...inBlock } : {})]
    t.match(await look(), { status: 'pending', error: null }, `${end} by one word`)
  }
  said = [gone, sighting('pending', { certainty: 'likely' })]
  t.match(await look(), { status: 'pending', error: null }, 'one endpoint cannot say')
  said = [gone, 'is away']
  t.match(await look(), { status: 'pending', error: null }, 'one endpoint of two is not enough')
  const alone = await looking(() => [gone])
  alone.later(60_000)
  t.match(await alone.look(), { error: { code: 'NOT_HELD' } }, 'the only endpoint there is')
  const refused = { code: 'REFUSED', reason: 'no' }
  said = [{ ...gone, error: refused }, gone]
  t.match(await look(), { error: refused }, 'a better reason stays')
})

t.test("why it failed is told in the protocol's words where it has some for what the chain gave", async (t) => {
  const failed = (data?: string) =>
    sighting('failed', {
      finality: 'included',
      ...inBlock,
      error: { code: 'REVERTED', reason: 'The contract refused it: error 0xaa.', ...(data ? { data } : {}) },
    })
  let said = [failed('0xaa')]
  const { look } = await looking(() => said, { explain: (data) => (data === '0xaa' ? 'it is full' : null) })
  t.same((await look()).error, { code: 'REVERTED', reason: 'The contract refused it: it is full.' })
  for (const data of ['0xbb', undefined]) {
    said = [failed(data)]
    t.same((await look()).error, { code: 'REVERTED', reason: 'The contract refused it: error 0xaa.' }, 'the data goes no further')
  }
})

t.test('where there is no endpoint to ask, nobody confirms', async (t) => {
  let said: Sighting[] = []
  const { look, later } = await looking(() => said)
  for (const end of [sighting('replaced'), sighting('failed', { finality: 'final', ...inBlock })]) {
    said = [end]
    const { keep } = await look()
    later(6_000)
    t.match(await look(keep), { certainty: 'likely', status: end.status === 'failed' ? 'failed' : 'pending' }, end.status)
  }
  said = [sighting('pending', { certainty: 'likely', held: false })]
  later(60_000)
  t.match(await look(), { status: 'pending', error: null })
})

for (const status of ['replaced', 'expired'] as const)
  t.test(`${status} is told when it has stood for seconds, and every endpoint that answers says it`, async (t) => {
    let said: (Sighting | string)[] = [sighting(status, { replacedBy: 'h2' }), sighting(status, { replacedBy: 'h2' })]
    const { look, later } = await looking(() => said)
    const first = await look()
    t.match(first, { status: 'pending', certainty: 'likely', replacedBy: null })
    later(4_999)
    const second = await look(first.keep)
    t.match(second, { status: 'pending', certainty: 'likely' })
    later(1)
    t.match(await look(second.keep), { status, certainty: 'proven', replacedBy: 'h2' })

    said = [sighting(status), sighting('final', { finality: 'final', ...inBlock })]
    t.match(await look(second.keep), { status: 'final', block: { height: 8n } }, 'one endpoint has it in a block')
    said = [sighting(status), sighting('pending')]
    t.match(await look(second.keep), { status: 'pending', certainty: 'likely' }, 'one endpoint says otherwise')
    said = [sighting(status), 'is away']
    t.match(await look(second.keep), { status: 'pending', certainty: 'likely' }, 'one endpoint says nothing')
    said = [sighting(status), sighting(status, { certainty: 'likely' })]
    t.match(await look(second.keep), { status: 'pending', certainty: 'likely' }, 'one endpoint is not sure')
    said = [sighting(status), sighting('failed', { finality: 'final', ...inBlock })]
    t.match(await look(second.keep), { status: 'failed', finality: 'included', certainty: 'likely' }, 'that it failed is one word too')
    said = [sighting(status, { certainty: 'likely' }), sighting(status)]
    t.match(await look(second.keep), { status: 'pending', certainty: 'likely' }, 'who says it first is not sure')
    said = [sighting('pending'), sighting(status)]
    const cleared = await look(second.keep)
    t.match(cleared, { status: 'pending', certainty: 'proven' })
    t.notOk('doubted_since' in cleared.keep, 'the doubt begins anew')
  })

t.test('an endpoint that is down holds up no end that two others agree on, and lets none pass that one says alone', async (t) => {
  const gone = sighting('expired')
  let said: (Sighting | string)[] = [gone, gone, 'is away']
  const { look, later } = await looking(() => said)
  const { keep } = await look()
  later(5_000)
  t.match(await look(keep), { status: 'expired', certainty: 'proven' })
  said = [gone, 'is away', 'is away']
  t.match(await look(keep), { status: 'pending', certainty: 'likely' })
  said = [gone, gone, sighting('pending')]
  t.match(await look(keep), { status: 'pending', certainty: 'likely' })
})

t.test('a final failure is taken from no single endpoint; a success is', async (t) => {
  const failed = sighting('failed', { finality: 'final', ...inBlock, error: { code: 'REVERTED', reason: 'No.' } })
  const done = sighting('final', { finality: 'final', ...inBlock })
  let said: (Sighting | string)[] = [failed, failed]
  const { look, asked } = await looking(() => said, { moved })
  t.match(await look(), { status: 'failed', finality: 'final', moved: { moves: [], objectIds: [] } })
  said = [failed, sighting('unknown')]
  t.match(await look(), { status: 'failed', finality: 'included', certainty: 'likely' })
  said = [failed, sighting('failed', { ...failed, finality: 'included' })]
  t.match(await look(), { status: 'failed', finality: 'included', certainty: 'likely' }, 'one endpoint is not so far')
  said = [failed, done]
  t.match(await look(), { status: 'final' })
  asked.length = 0
  said = [done, failed]
  t.match(await look(), { status: 'final', moved: { objectIds: ['gave 10 by p001'] } })
  t.equal(asked.length, 1)
})

t.test('a receipt that the plugin cannot read hides no state', async (t) => {
  const said = [sighting('final', { finality: 'final', ...inBlock })]
  const throws = () => {
    throw new Error('what is that')
  }
  const { look } = await looking(() => said, { moved: throws })
  t.match(await look(), { status: 'final', moved: null })
})

t.test('by HTTP', async (t) => {
  const said = [sighting('final', { finality: 'final', ...inBlock })]
  const { app } = await looking(() => said, { moved })
  const status = await app.inject('/transaction/H1')
  t.equal(status.statusCode, 200)
  t.same(status.json(), {
    tx_hash: 'h1',
    status: 'final',
    finality: 'final',
    certainty: 'proven',
    network: 'paper:1',
    block: { height: 8, hash: 'b8', time: '2026-11-22T10:00:00.000Z' },
    fee: { amount: '0.000000000000000003', unit: null },
    moves: [{ kind: 'staked', asset: 'native', units: '10' }],
    object_ids: ['gave 10 by null'],
    error: null,
    replaced_by: null,
    valid_until: { kind: 'nonce', value: '5', estimated_at: null },
    looked_at: 9,
    first_seen: null,
    checked_at: '2026-11-22T10:00:00.000Z',
  })
  said[0] = sighting('final', { finality: 'final', ...inBlock, receipt: null })
  t.match((await app.inject('/transaction/H1')).json(), { status: 'final', moves: null, object_ids: null }, 'what no node keeps')
  said[0] = sighting('failed', { finality: 'final', ...inBlock, receipt: null })
  t.match((await app.inject('/transaction/H1')).json(), { status: 'failed', moves: [], object_ids: [] }, 'a failure moves nothing')
  said[0] = sighting('final', { finality: 'final', ...inBlock })
  const tracked = await app.inject({ method: 'POST', url: '/transaction/track', payload: { tx_hash: 'H1' } })
  t.match(tracked.json(), { tx_hash: 'h1', status: 'final' })
  const neither = await app.inject({ method: 'POST', url: '/transaction/track', payload: {} })
  t.match([neither.statusCode, neither.json().error], [400, /neither tx_hash nor signed_text/])
})

t.test('a position changes next when the first of its objects can be withdrawn', async (t) => {
  const object = {
    type: 'withdrawal_request',
    amount: 1n,
    rewards: null,
    validator: null,
    activationEpoch: null,
    withdrawableEpoch: null,
  } as const
  const balance: Balance = {
    ...(await declaration.balance()),
    objects: [
      { ...object, id: '1', status: 'withdrawable', withdrawableAt: new Date(1) },
      { ...object, id: '2', status: 'deactivating', withdrawableAt: new Date(3) },
      { ...object, id: '3', status: 'deactivating', withdrawableAt: new Date(2) },
      { ...object, id: '4', status: 'active', withdrawableAt: null },
    ],
  }
  const { looks } = await looking(() => [], { balance })
  t.same(await looks()?.position('p001'), { balance, due: new Date(2) })
})

t.test('what was moved and not promised so', async (t) => {
  const move = (kind: 'leaves' | 'staked' | 'arrives', amount: bigint | null, asset = 'native') => ({ kind, asset, amount })
  const promised = [move('leaves', 10n), move('staked', 4n), move('staked', 6n), move('arrives', null, 'token')]
  t.same(differences(promised, [move('leaves', 10n), move('staked', 10n), move('arrives', 7n, 'token')]), [])
  t.same(differences(promised, [move('leaves', 10n), move('staked', 9n), move('arrives', 1n)]), [
    { kind: 'staked', asset: 'native', promised: 10n, moved: 9n },
  ])
  t.same(differences([move('leaves', 1n), move('leaves', null)], []), [], 'an amount that is not known altogether')
})

t.test('an exit may free one unit less, since shares are cut, and nothing else may be off', async (t) => {
  const move = (kind: 'freed' | 'staked' | 'leaves', amount: bigint) => ({ kind, asset: 'native', amount })
  t.same(differences([move('freed', 333_299_999n)], [move('freed', 333_299_998n)]), [])
  for (const [promised, moved] of [
    [move('freed', 10n), move('freed', 8n)],
    [move('freed', 10n), move('freed', 11n)],
    [move('staked', 10n), move('staked', 9n)],
    [move('leaves', 10n), move('leaves', 9n)],
  ] as const)
    t.same(differences([promised], [moved]), [{ kind: promised.kind, asset: 'native', promised: promised.amount, moved: moved.amount }])
})
