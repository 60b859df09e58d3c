import { type Balance, type Bounds, type Life, type Moved, protocol, type Sighting, type Status, type Subject } from '@svc/contract'
import { singleEndpoint } from '@svc/contract/host'
import { PaperAddress, paperKit } from '@svc/testing/paper'
import { give, NO_TERMS } from '@svc/testing/paper-protocol'
import t from 'tap'
import { Type } from 'typebox'
import { differences } from '../../src/plugins/life/differences.ts'
import { isDoubted } from '../../src/plugins/life/facts-to-keep.ts'
import type { Looks, Standing } from '../../src/plugins/life/follow.ts'
import { standingToWire } from '../../src/plugins/life/wire.ts'
import type { LifeHost } from '../../src/plugins/services.ts'
import { declaration, host, one, refusals } from './support/host.ts'

const { unavailable } = refusals
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

/** What each endpoint says, the first being the one that failover asks; a text is a failure, an error what the family refuses with. */
async function looking(
  said: () => readonly (Sighting | string | Error)[],
  extra: {
    moved?: (...given: Parameters<typeof moved>) => Moved
    explain?: (data: string) => string | null
    balance?: Balance
    end?: () => Standing | null
    progress?: readonly string[]
    byWallet?: true
  } = {},
) {
  const asked: Subject[] = []
  let offered: Looks | undefined
  const answers = said()
  const kit = paperKit({
    // Of some families a body of broadcast has members that may be left out.
    wire: { ...paperKit().wire, broadcast: Type.Object({ ...paperKit().wire.broadcast.properties, remark: Type.Optional(Type.String()) }) },
    // Each client says what its endpoint says: the first is that of failover.
    connect: (_network, io) => ({ ...paperKit().connect({} as never, io), io }) as never,
    life: {
      ...(extra.progress ? { progress: extra.progress } : {}),
      ...(extra.byWallet ? { byWallet: extra.byWallet } : {}),
      hash: (text) => text.toLowerCase(),
      bounds: () => BOUNDS,
      validUntil: () => BOUNDS.validUntil,
      async look({ client }, subject) {
        asked.push(subject)
        const { io } = client as unknown as { io: { fetch: typeof fetch } }
        const at = Number(await (await io.fetch('http://desk/')).text())
        const answer = said()[at]
        if (answer instanceof Error) throw answer
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
    async status(_request, network, txHash, wallet) {
      t.equal(network, one)
      const { keep: _keep, ...look } = await transaction({
        txHash,
        ...(wallet ? { wallet } : {}),
        bounds: null,
        keep: null,
        firstSeen: null,
        accepted: false,
      })
      return { ...look, txHash, firstSeen: null, checkedAt: new Date(AT) }
    },
    async track(request, network, { txHash, bounds, wallet }) {
      t.same([txHash, bounds], txHash === 'h1' ? ['h1', null] : ['h-a|seal', BOUNDS])
      return life.status(request, network, txHash, wallet)
    },
    ended: async () => extra.end?.() ?? null,
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
    look: (keep: Subject['keep'] = null, promised: Subject['promised'] = null) => transaction({ ...subject(keep), promised }),
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
  const outcome = await look()
  t.match(outcome, {
    status: 'pending',
    certainty: 'likely',
    finality: 'none',
    error: { code: 'NOT_HELD', reason: /can still land: sending the same bytes again is safe/ },
  })
  t.notOk('held' in outcome, 'a word between kit and host')
  said = [gone, sighting('pending')]
  t.match(await look(), { status: 'pending', certainty: 'proven', error: null }, 'one endpoint holds it')
  said = [gone, sighting('final', { finality: 'final', ...inBlock })]
  t.match(await look(), { status: 'included', certainty: 'likely', error: null }, 'one endpoint has it in a block')
  for (const end of ['replaced', 'expired'] as const) {
    said = [gone, sighting(end)]
    t.match(await look(), { status: 'pending', error: null }, `${end} by one word`)
  }
  said = [gone, sighting('failed', { finality: 'final', ...inBlock })]
  t.match(
    await look(),
    { status: 'failed', finality: 'included', certainty: 'likely', error: null },
    'failed by one word, which is not the end',
  )
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

t.test('what one endpoint does not show is asked of every other one, in whichever order they stand', async (t) => {
  const landed = sighting('included', { finality: 'included', ...inBlock })
  const waits = sighting('pending', { lookedAt: 10n })
  const absent = {
    'knows nothing of it': sighting('unknown', { certainty: 'likely', lookedAt: 1n }),
    'does not hold it': sighting('pending', { certainty: 'likely', held: false }),
    'cannot say': sighting('pending', { certainty: 'likely' }),
    'says that it is over': sighting('expired'),
    'does not hold that time': unavailable('TRANSACTION_UNSEEN', 'no', 60),
    'keeps no index': unavailable('TRANSACTION_NOT_KEPT', 'no', 60),
    'stands between two blocks': unavailable('UPSTREAM_BEHIND', 'no', 60),
  }
  for (const [name, negative] of Object.entries(absent))
    for (const shown of [landed, waits]) {
      let said: (Sighting | Error)[] = [negative, shown]
      const { look, asked: questions } = await looking(() => said, { moved })
      const isEnd = !(negative instanceof Error) && negative.status === 'expired'
      const { keep: _keep, ...outcome } = await look()
      if (shown === waits && isEnd) t.match(outcome, { status: 'pending', certainty: 'likely' }, 'whoever has it waiting may be behind')
      else t.match(outcome, { status: shown.status, certainty: 'proven', lookedAt: shown.lookedAt }, `the first one ${name}`)
      if (shown === landed) t.match(outcome, { moved: { objectIds: ['gave 10 by p001'] } }, `the first one ${name}`)
      t.equal(questions.length, 3, 'each once by itself')
      questions.length = 0
      said = [shown, negative]
      t.match(await look(), { status: shown.status, certainty: 'proven' }, `the second one ${name}`)
      t.equal(questions.length, 1, 'whoever shows it is asked alone')
    }
})

t.test('a negative of all is told as the first one says it, and a refusal where nobody says more', async (t) => {
  const unseen = unavailable('TRANSACTION_UNSEEN', 'no', 60)
  const unknown = sighting('unknown', { certainty: 'likely', lookedAt: 5n })
  let said: (Sighting | Error | string)[] = [unknown, sighting('unknown', { certainty: 'likely', lookedAt: 7n })]
  const { look, asked: questions } = await looking(() => said)
  t.match(await look(), { status: 'unknown', lookedAt: 5n })
  said = [unseen, unavailable('TRANSACTION_NOT_KEPT', 'no', 60)]
  await t.rejects(look(), unseen)
  said = [unseen, unknown]
  t.match(await look(), { status: 'unknown' }, 'who can tell tells')
  said = [unknown, sighting('pending', { certainty: 'likely', lookedAt: 8n })]
  t.match(await look(), { status: 'pending', certainty: 'likely', lookedAt: 8n }, 'that it can land says more than nothing')
  questions.length = 0
  const unreachable = unavailable('UPSTREAM_BUSY', 'no', 5)
  said = [unreachable, unknown]
  await t.rejects(look(), unreachable, 'failover has asked them all')
  t.equal(questions.length, 1)
  said = [unknown]
  const alone = await looking(() => said)
  t.match(await alone.look(), { status: 'unknown' })
  said = [unseen]
  await t.rejects(alone.look(), unseen)
  t.equal(alone.asked.length, 2, 'the only endpoint there is, once each time')
})

t.test('beside an endpoint that says itself that it no longer holds that time, one voice is no end, and why is told', async (t) => {
  const done = sighting('final', { finality: 'final', ...inBlock })
  const nothing = sighting('unknown', { certainty: 'likely' })
  let said: (Sighting | Error | string)[] = [done, done]
  const { look } = await looking(() => said, { moved })
  for (const [blind, code, why] of [
    [{ ...nothing, holdsFrom: 9n }, 'ONE_VOICE', 'its first block is later'],
    [{ ...nothing, holdsFrom: 8n }, null, 'it holds that very block'],
    [{ ...nothing, holdsFrom: null }, null, 'it does not know'],
    [nothing, null, 'it does not say'],
    [{ ...done, block: { height: 8n, hash: 'another', time: null }, holdsFrom: 9n }, null, 'it shows another block all the same'],
    [unavailable('TRANSACTION_UNSEEN', 'no', 60), 'ONE_VOICE', 'it says so by a refusal'],
    [unavailable('TRANSACTION_NOT_KEPT', 'no', 60), 'ONE_VOICE', 'it has no index'],
    [unavailable('UPSTREAM_BEHIND', 'no', 60), null, 'it is behind'],
    ['is away', null, 'it is away'],
  ] as const)
    for (const order of [
      [blind, done],
      [done, blind],
    ]) {
      said = order
      if (blind === 'is away' && order[0] === blind) continue
      const outcome = await look()
      t.match(outcome, { status: 'included', certainty: 'likely', error: code && { code }, moved: { objectIds: ['gave 10 by p001'] } }, why)
      t.notOk('holdsFrom' in outcome, 'a word between kit and host')
    }
  const three = await looking(() => [done, { ...nothing, holdsFrom: 9n }, nothing], { moved })
  t.match(await three.look(), { status: 'included', certainty: 'likely' }, 'of two that can tell, one does not')
  const two = await looking(() => [done, { ...nothing, holdsFrom: 9n }, done], { moved })
  t.match(await two.look(), { status: 'final', certainty: 'proven', error: null }, 'of three, two that tell suffice')
  const alone = await looking(() => [done], { moved })
  t.match(await alone.look(), { status: 'final', certainty: 'proven', error: null }, 'one alone is all there is')
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

t.test('a look that has more to go through is soon worth another, and says so to nobody else', async (t) => {
  let said = [sighting('pending', { unfinished: true })]
  const { look, asked } = await looking(() => said)
  const first = await look()
  t.ok(isDoubted(first.keep))
  t.notOk('unfinished' in first, 'a word between kit and host')
  said = [sighting('pending')]
  const second = await look(first.keep)
  t.same(asked.at(-1)?.keep, { height: '9' }, 'the family gets what it kept')
  t.notOk(isDoubted(second.keep))
})

t.test('endpoints that have not heard of what one has waiting are named, and nobody where two have it', async (t) => {
  const waits = sighting('pending')
  const gone = sighting('pending', { certainty: 'likely', held: false })
  const silent = sighting('pending', { certainty: 'likely' })
  const blind = sighting('pending', { certainty: 'likely', held: null })
  const landed = sighting('final', { finality: 'final', ...inBlock })
  for (const [said, lacking, why] of [
    [[waits, gone], [1], 'the second one'],
    [[gone, waits], [0], 'the first one'],
    [[waits, gone, gone], [1, 2], 'both others'],
    [[waits, gone, waits], [], 'two have it: it is passed on'],
    [[waits, gone, landed], [], 'it is in a block'],
    [[waits, silent], [], 'one that says nothing of it'],
    [[blind, blind], [0, 1], 'nodes that do not show what waits: any of them may not have heard of it'],
    [[blind, landed], [0], 'one of them has it in a block'],
    [[gone, gone], [0, 1], 'nobody has it'],
    [[waits, 'is away', gone], [2], 'one that is away is sent nothing'],
    [[waits], [], 'the only endpoint there is'],
    [[gone], [], 'and where that one does not have it'],
    [[blind], [], 'or does not show it'],
  ] as const) {
    const { looks } = await looking(() => said)
    t.same(await looks()?.lacking({ txHash: 'h1', bounds: BOUNDS, keep: null, firstSeen: new Date(AT), accepted: true }), lacking, why)
  }
})

t.test('what another endpoint shows leaves failover’s own look where it was', async (t) => {
  const at = (place: string, status: Status) => sighting(status, { certainty: 'likely', keep: { height: '9', place } })
  let said: (Sighting | Error)[] = [at('7', 'unknown'), at('2', 'pending')]
  const { look, asked: questions } = await looking(() => said, { progress: ['place'] })
  const first = await look({ height: '9', place: '6' })
  t.match(first, { status: 'pending' })
  said = [unavailable('TRANSACTION_UNSEEN', 'no', 60), at('3', 'pending')]
  questions.length = 0
  const second = await look(first.keep)
  t.same(
    questions.map(({ keep }) => keep),
    ['6', '7', '2'].map((place) => ({ height: '9', place })),
  )
  questions.length = 0
  await look(second.keep)
  t.same(
    questions.map(({ keep }) => keep),
    ['6', '7', '3'].map((place) => ({ height: '9', place })),
    'one that says nothing stays where it was',
  )
})

t.test('how far one node has come is shown to no other, and to itself again', async (t) => {
  const at = (place: string, status: Status, more: Partial<Sighting> = {}) => sighting(status, { ...more, keep: { height: '9', place } })
  let said: Sighting[] = [at('7', 'replaced'), at('2', 'pending', { unfinished: true }), at('3', 'pending')]
  const { look, later, asked } = await looking(() => said, { progress: ['place'] })
  const first = await look({ height: '9' })
  const keeps = () => asked.map(({ keep }) => keep)
  t.same(keeps().slice(1), [{ height: '9' }, { height: '9' }, { height: '9' }], 'who confirms begins for himself')
  asked.length = 0
  later(5_000)
  const second = await look(first.keep)
  const places = ['7', '7', '2', '3'].map((place) => ({ height: '9', place }))
  t.same(keeps(), places, 'each goes on from where it was')
  t.match(second, { status: 'pending', certainty: 'likely' })
  asked.length = 0
  // Meanwhile the others are out of reach of failover, and their places are kept.
  said = [at('8', 'pending'), ...said.slice(1)]
  const third = await look(second.keep)
  t.same(keeps(), [{ height: '9', place: '7' }], 'who shows it is asked alone')
  asked.length = 0
  said = [at('9', 'replaced'), at('8', 'replaced'), at('8', 'replaced')]
  const fourth = await look(third.keep)
  t.same(
    keeps(),
    ['8', '7', '2', '3'].map((place) => ({ height: '9', place })),
  )
  later(5_000)
  t.match(await look(fourth.keep), { status: 'replaced' })
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
    said = [sighting(status), sighting(status, { replacedBy: 'h2', replacedBySame: true })]
    t.match(
      await look(second.keep),
      { status, certainty: 'proven', replacedBy: 'h2', replacedBySame: true },
      'one alone can name the rival',
    )
    said = [sighting(status, { replacedBy: 'h3' }), sighting(status, { replacedBy: 'h2', replacedBySame: true })]
    t.not((await look(second.keep)).replacedBySame, true, 'what is said of another rival is not said of this one')

    said = [sighting(status), sighting('final', { finality: 'final', ...inBlock })]
    t.match(await look(second.keep), { status: 'included', certainty: 'likely', block: { height: 8n } }, 'one endpoint has it in a block')
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

t.test('a success is final when two endpoints say so of one block and of what it did, and not by one word', async (t) => {
  const done = sighting('final', { finality: 'final', ...inBlock })
  const waits = sighting('included', { finality: 'included', ...inBlock })
  let said: (Sighting | string)[] = [done, done, done]
  const three = await looking(() => said, { moved })
  said = [done, done]
  const { look } = await looking(() => said, { moved })
  const final = { status: 'final', finality: 'final', certainty: 'proven', moved: { objectIds: ['gave 10 by p001'] } }
  t.match(await look(), final)
  const unconfirmed = { status: 'included', finality: 'included', certainty: 'likely', block: { height: 8n } }
  const other = { block: { height: 8n, hash: 'another', time: null } }
  for (const [witness, why] of [
    [sighting('unknown'), 'the other one does not know it'],
    [sighting('pending'), 'the other one has it waiting'],
    [sighting('replaced'), 'the other one says that it never lands'],
    ['is away', 'the other one is away'],
    [waits, 'the other one is not so far'],
    [{ ...done, certainty: 'likely' }, 'the other one is not sure'],
    [{ ...done, ...other }, 'in a sibling of the block'],
    [{ ...done, block: { height: 9n, hash: null, time: null } }, 'at another height'],
    [{ ...done, receipt: 'gave 11' }, 'it did something else'],
    [{ ...done, fee: 4n }, 'it paid something else'],
  ] as const) {
    said = [done, witness]
    t.match(await look(), unconfirmed, why)
    said = [done, witness, done]
    t.match(await three.look(), final, `${why}, and a third one agrees`)
    said = [done, witness, witness]
    if (!(typeof witness !== 'string' && witness.status === 'final' && witness.certainty === 'proven'))
      t.match(await three.look(), unconfirmed, `${why}, twice`)
  }
  const truth = { ...done, receipt: 'gave 11' }
  said = [done, truth, truth]
  t.match(await three.look(), { ...final, moved: { objectIds: ['gave 11 by p001'] } }, 'what failover was told is outvoted')
  said = [{ ...done, receipt: null }, done]
  t.match(await look(), final, 'who keeps no results contradicts nobody')
  const forgot = { ...done, block: { height: 8n, hash: null, time: null } }
  for (const pair of [
    [forgot, done],
    [done, forgot],
    [forgot, { ...done, receipt: null }],
  ]) {
    said = pair
    t.match(await look(), { ...final, block: done.block }, 'nor who has forgotten the block, which is told as the other one has it')
  }
  said = [forgot, forgot]
  t.match(await look(), { ...final, block: forgot.block }, 'what both have forgotten is told by neither')
  said = [forgot, done, { ...done, ...other }]
  t.match(await three.look(), { ...final, block: forgot.block }, 'nor what two name differently')
  const alone = await looking(() => [done], { moved })
  t.match(await alone.look(), final, 'the only endpoint there is')
  t.equal(alone.asked.length, 1, 'which is not asked twice')
})

t.test('a success that lacks what its bytes promise is final by two that show that alike, and by no single one', async (t) => {
  const done = sighting('final', { finality: 'final', ...inBlock })
  const gave = (kind: 'staked' | 'freed' | 'arrives', amount: bigint | null) => [{ kind, asset: 'native', amount }]
  const shown: Record<string, ReturnType<typeof gave>> = { nothing: [], less: gave('staked', 9n), all: gave('staked', 10n) }
  const reads = (_network: unknown, receipt: unknown) => {
    const moves = shown[String(receipt)]
    if (!moves) throw new Error('no receipt of ours')
    return { moves, objectIds: [] }
  }
  const doubted = {
    ...{ status: 'included', finality: 'included', certainty: 'likely', block: { height: 8n } },
    error: { code: 'PROMISE_NOT_SEEN', reason: /^One endpoint says .* craft no other/ },
  }
  const final = { status: 'final', finality: 'final', certainty: 'proven', error: null }
  const of = (receipt: string | null): Sighting => ({ ...done, receipt })

  let said: (Sighting | string)[] = [done]
  const alone = await looking(() => said, { moved: reads })
  said = [done, done]
  const two = await looking(() => said, { moved: reads })
  for (const [promised, receipt, expected, why] of [
    [gave('staked', 10n), 'nothing', doubted, 'nothing of it'],
    [gave('staked', 10n), 'less', doubted, 'a unit less'],
    [gave('staked', 10n), 'garbage', doubted, 'what nobody can read'],
    [[...gave('arrives', 5n), ...gave('arrives', null)], 'nothing', doubted, 'nothing of an amount beside rewards'],
    [gave('freed', null), 'nothing', doubted, 'nothing, where the bytes do not say how much'],
    [gave('staked', 10n), 'all', final, 'all of it'],
    [gave('staked', 0n), 'nothing', final, 'nothing, of nothing'],
    [gave('arrives', null), 'nothing', final, 'no rewards'],
    [[], 'nothing', final, 'nothing promised'],
    [null, 'nothing', final, 'a promise that is not known'],
    [gave('staked', 10n), null, final, 'what a node does not keep'],
  ] as const) {
    said = [of(receipt)]
    t.match(await alone.look(null, promised), expected, `the only endpoint shows ${why}`)
    said = [of(receipt), of(null)]
    t.match(await two.look(null, promised), expected, `one shows ${why}, and the other keeps nothing`)
    said = [of(receipt), 'is away']
    if (expected === doubted) t.match(await two.look(null, promised), doubted, `one shows ${why}, and the other one is away`)
    said = [of(receipt), of(receipt)]
    const alike = receipt === 'garbage' ? doubted : final
    t.match(await two.look(null, promised), alike, `both show ${why}`)
  }
  const promised = gave('staked', 10n)
  said = [of('nothing'), of('all')]
  t.match(await two.look(null, promised), doubted, 'two that contradict each other')
  said = [of('all'), of('nothing')]
  t.match(await two.look(null, promised), { ...doubted, error: null }, 'which says so of the one that shows it')
  said = [done, done, done]
  const three = await looking(() => said, { moved: reads })
  said = [of('nothing'), of(null), { ...of('nothing'), block: { height: 8n, hash: 'another', time: null } }]
  t.match(await three.look(null, promised), doubted, 'a second one shows that in another block')
  said = [of('nothing'), of(null), { ...of('nothing'), status: 'included', finality: 'included' }]
  t.match(await three.look(null, promised), doubted, 'a second one shows that of a block that may go')
  said = [of('nothing'), of(null), of('nothing')]
  t.match(await three.look(null, promised), final)
  const expired = sighting('expired')
  said = [expired]
  const { look, later } = await looking(() => (said.length === 1 ? [expired, expired] : said), { moved: reads })
  const { keep } = await look()
  later(5_000)
  said = [expired, of('nothing')]
  t.match(await look(keep, promised), doubted, 'a witness that says so of what seemed to be over')
})

t.test('a promise of one base unit that the chain’s arithmetic may cut is kept by nothing', async (t) => {
  const { look } = await looking(() => [{ ...sighting('final', { finality: 'final', ...inBlock }), receipt: 'r' }], {
    moved: () => ({ moves: [], objectIds: [], cuts: ['freed'] }),
  })
  const of = (kind: 'staked' | 'freed', amount: bigint) => look(null, [{ kind, asset: 'native', amount }])
  t.match(await of('freed', 1n), { status: 'final', certainty: 'proven', error: null })
  t.match(await of('freed', 2n), { status: 'included', error: { code: 'PROMISE_NOT_SEEN' } }, 'two are no unit')
  t.match(await of('staked', 1n), { status: 'included', error: { code: 'PROMISE_NOT_SEEN' } }, 'of another kind nothing is cut')
})

t.test('a success that what dropped it is contradicted by is doubted as well where it lacks what was promised', async (t) => {
  const gone = sighting('pending', { certainty: 'likely', held: false })
  let looks = 0
  const nothing = sighting('final', { finality: 'final', ...inBlock })
  const reads = () => ({ moves: [], objectIds: [] })
  const { look, later } = await looking(() => [looks++ < 2 ? gone : nothing], { moved: reads })
  later(60_000)
  const promised = [{ kind: 'staked' as const, asset: 'native', amount: 10n }]
  t.match(await look(null, promised), { status: 'included', certainty: 'likely', error: { code: 'PROMISE_NOT_SEEN' } })
})

t.test('a final failure is taken from no single endpoint', async (t) => {
  const failed = sighting('failed', { finality: 'final', ...inBlock, error: { code: 'REVERTED', reason: 'No.' } })
  const done = sighting('final', { finality: 'final', ...inBlock })
  let said: (Sighting | string)[] = [failed, failed, failed]
  const three = await looking(() => said, { moved })
  said = [failed, failed]
  const { look } = await looking(() => said, { moved })
  t.match(await look(), { status: 'failed', finality: 'final', moved: { moves: [], objectIds: [] } })
  said = [failed, sighting('unknown')]
  t.match(await look(), { status: 'failed', finality: 'included', certainty: 'likely' })
  said = [failed, sighting('failed', { ...failed, finality: 'included' })]
  t.match(await look(), { status: 'failed', finality: 'included', certainty: 'likely' }, 'one endpoint is not so far')
  for (const both of [
    [failed, done],
    [done, failed],
  ]) {
    said = both
    t.match(await look(), { status: 'included', finality: 'included', certainty: 'likely' }, 'one says that it succeeded there')
  }
  said = [failed, done, done]
  t.match(await three.look(), { status: 'final', moved: { objectIds: ['gave 10 by p001'] } })
  said = [done, failed, failed]
  t.match(await three.look(), { status: 'included', certainty: 'likely' })
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
    replaced_by_same: null,
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
  const bytes = await app.inject({ method: 'POST', url: '/transaction/track', payload: { signed_text: 'a|seal' } })
  t.match(bytes.json(), { tx_hash: 'h-a|seal', status: 'final' }, 'by its signed bytes')
  const neither = await app.inject({ method: 'POST', url: '/transaction/track', payload: {} })
  t.match([neither.statusCode, neither.json().error], [400, /neither tx_hash nor signed_text/])
})

t.test('whether what came in its place does the same is on the wire, and of no rival nothing', async (t) => {
  const { keep: _keep, receipt: _receipt, ...seen } = sighting('replaced')
  const standing = { ...seen, moved: null, txHash: 'h1', firstSeen: null, checkedAt: new Date(AT) }
  const wire = (more: Partial<Standing>) => standingToWire({ ...standing, ...more }, { caip2: 'paper:1', decimals: 18, symbol: null })
  for (const same of [true, false, null])
    t.match(wire({ replacedBy: 'h2', replacedBySame: same }), { replaced_by: 'h2', replaced_by_same: same })
  t.match(wire({ replacedBy: null, replacedBySame: true }), { replaced_by: null, replaced_by_same: null })
})

t.test('bytes that were followed to their end are not sent again, and are answered by that end', async (t) => {
  let end: Standing | null = null
  const { app } = await looking(() => [], { end: () => end })
  const { keep: _keep, receipt: _receipt, ...seen } = sighting('final', { finality: 'final', ...inBlock })
  const ended = (status: Status, more: Partial<Standing> = {}): Standing => ({
    ...{ ...seen, block: null, status, moved: null, txHash: 'h-a|seal', firstSeen: new Date(AT), checkedAt: new Date(AT) },
    ...more,
  })
  const again = async () => {
    const answer = await app.inject({ method: 'POST', url: '/action/broadcast', payload: { signed_text: 'a|seal' } })
    return { ...answer.json(), status: answer.statusCode }
  }
  end = ended('final')
  t.same(await again(), { status: 200, tx_hash: 'h-a|seal' })
  for (const [given, code, sentence] of [
    [
      ended('failed', { ...inBlock, error: { code: 'X', reason: 'No' } }),
      'TRANSACTION_FAILED',
      /It is in block 8, where its execution failed: No\. Its fee was paid/,
    ],
    [ended('failed'), 'TRANSACTION_FAILED', /It is in a block, where its execution failed\. /],
    [ended('replaced', { replacedBy: 'h2' }), 'TRANSACTION_REPLACED', /the transaction h2 has used .* Craft again/],
    [ended('replaced'), 'TRANSACTION_REPLACED', /which no node named.* before you craft another/],
    [ended('expired'), 'TRANSACTION_EXPIRED', /its validity has ended \(nonce 5\), so that it can never land\. Craft again/],
    [ended('expired', { validUntil: null }), 'TRANSACTION_EXPIRED', /its validity has ended, so/],
  ] as const) {
    end = given
    const answer = await again()
    t.match(answer, { status: 400, code, tx_hash: 'h-a|seal', error: sentence })
    if (given.status === 'failed' || (given.status === 'replaced' && given.replacedBy === null))
      t.notMatch(answer.error, /craft again/i, 'nobody is told to without a reason that is known')
  }
  end = null
  t.same(await again(), { status: 200, tx_hash: 'h-a|seal' })
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

t.test('a family that finds a transaction by its signer too is told the signer, and another one takes none', async (t) => {
  const said = [sighting('final', { finality: 'final', ...inBlock })]
  const { app, asked } = await looking(() => said, { moved, byWallet: true })
  t.match((await app.inject('/transaction/H1?wallet=P001')).json(), { status: 'final', object_ids: ['gave 10 by p001'] }, 'canonical')
  t.equal(asked.at(-1)?.wallet, 'p001')
  await app.inject('/transaction/H1')
  t.equal(asked.at(-1)?.wallet, undefined, 'a hash alone is asked about as such')
  t.match((await app.inject('/transaction/H1?wallet=nobody')).json(), { code: 'ADDRESS_INVALID' })
  const track = (payload: object) => app.inject({ method: 'POST', url: '/transaction/track', payload })
  await track({ tx_hash: 'H1', wallet: 'P002' })
  t.equal(asked.at(-1)?.wallet, 'p002')
  t.match((await track({ tx_hash: 'H1', wallet: 'nobody' })).json(), { code: 'ADDRESS_INVALID' })

  const other = await looking(() => said, { moved })
  await other.app.inject('/transaction/H1?wallet=p001')
  t.equal(other.asked.at(-1)?.wallet, undefined)
})

t.test('a transaction with two ends has both told, of a kind that only its family knows too', async (t) => {
  const at = new Date(AT + 60_000)
  const validUntil = { kind: 'block_height', value: '99', estimatedAt: at, also: { kind: 'mana_spent', value: null, estimatedAt: null } }
  const { app } = await looking(() => [sighting('pending', { validUntil })])
  t.same((await app.inject('/transaction/H1')).json().valid_until, {
    kind: 'block_height',
    value: '99',
    estimated_at: '2026-11-22T10:01:00.000Z',
    also: { kind: 'mana_spent', value: null, estimated_at: null },
  })
})

t.test('what was moved and not promised so', async (t) => {
  const move = (kind: 'leaves' | 'staked' | 'arrives', amount: bigint | null, asset = 'native') => ({ kind, asset, amount })
  const promised = [move('leaves', 10n), move('staked', 4n), move('staked', 6n), move('arrives', null, 'token')]
  t.same(differences(promised, { moves: [move('leaves', 10n), move('staked', 10n), move('arrives', 7n, 'token')] }), [])
  t.same(differences(promised, { moves: [move('leaves', 10n), move('staked', 9n), move('arrives', 1n)] }), [
    { kind: 'staked', asset: 'native', promised: 10n, moved: 9n },
  ])
  t.same(differences([move('leaves', 1n), move('leaves', null)], { moves: [] }), [], 'an amount that is not known altogether')
  t.same(differences(promised, { moves: [move('leaves', 10n), move('staked', null), move('staked', 3n)] }), [], 'nor afterwards')
})

t.test('a unit more is no difference where the family says that its arithmetic adds it, and anywhere else it is', async (t) => {
  const move = (kind: 'freed' | 'staked', amount: bigint) => ({ kind, asset: 'native', amount })
  const of = (amount: bigint, kind: 'freed' | 'staked' = 'freed') => ({ moves: [move(kind, amount)], adds: { freed: 1n } })
  t.same(differences([move('freed', 10n)], of(11n)), [])
  t.equal(differences([move('freed', 10n)], { moves: [move('freed', 11n)] }).length, 1, 'a family that says nothing of it')
  t.equal(differences([move('freed', 10n)], of(12n)).length, 1)
  t.equal(differences([move('freed', 10n)], of(9n)).length, 1)
  t.equal(differences([move('staked', 10n)], of(11n, 'staked')).length, 1)
  const swept = (amount: bigint) => ({ moves: [move('freed', amount)], adds: { freed: 9n } })
  t.same(
    [10n, 11n, 19n].map((amount) => differences([move('freed', 10n)], swept(amount)).length),
    [0, 0, 0],
  )
  t.same(
    [9n, 20n].map((amount) => differences([move('freed', 10n)], swept(amount)).length),
    [1, 1],
    'never less, and no more than that',
  )
})

t.test('a unit less is no difference where the family says that its arithmetic cuts it, and anywhere else it is', async (t) => {
  const move = (kind: 'freed' | 'staked' | 'leaves', amount: bigint) => ({ kind, asset: 'native', amount })
  const cut = { moves: [move('freed', 333_299_998n)], cuts: ['freed'] as const }
  t.same(differences([move('freed', 333_299_999n)], cut), [])
  t.equal(differences([move('freed', 333_299_999n)], { moves: cut.moves }).length, 1, 'a family that says nothing of it')
  for (const [promised, moved] of [
    [move('freed', 10n), move('freed', 8n)],
    [move('freed', 10n), move('freed', 11n)],
    [move('staked', 10n), move('staked', 9n)],
    [move('leaves', 10n), move('leaves', 9n)],
  ] as const)
    t.same(differences([promised], { moves: [moved], cuts: ['freed'] }), [
      { kind: promised.kind, asset: 'native', promised: promised.amount, moved: moved.amount },
    ])
})
