import { Amount, type KnownPosition, protocol, refusedWhenSent } from '@svc/contract'
import { allProblems, askRequirements, mayHaveArrived } from '@svc/contract/host'
import { desk, ioOf, memoryLog, PaperAddress, paperKit } from '@svc/testing/paper'
import { definePlugin, NO_TERMS } from '@svc/testing/paper-protocol'
import t from 'tap'
import { Type } from 'typebox'
import { askedOf } from '../../src/plugins/craft/craft-request.ts'
import { createSaid } from '../../src/plugins/craft/log-words.ts'
import { isDoubted } from '../../src/plugins/life/facts-to-keep.ts'
import { looksOf } from '../../src/plugins/life/look-functions.ts'
import { inspectRequirements } from '../../src/plugins/network/inspect.ts'
import { inspectedToWire } from '../../src/plugins/routes/inspected.ts'
import { infoToWire } from '../../src/plugins/routes/wire.ts'
import { declaration, one, refusals } from './support/host.ts'

const { badRequest, badGateway, unavailable } = refusals

t.test('what becomes of a failure whose transaction may have arrived, and of a refusal of one that was sent', async (t) => {
  const lookUp = /The transaction may be on its way\. Look tx_hash up/
  t.match(mayHaveArrived(new TypeError('x'), 'h'), { statusCode: 500, code: 'INTERNAL_ERROR', txHash: 'h', message: lookUp })
  const refusal = badRequest('AMOUNT_INVALID', 'No.')
  t.equal(mayHaveArrived(refusal, 'h'), refusal, 'a verdict stays')
  const later = unavailable('UPSTREAM_BUSY', 'Busy', 7)
  const told = mayHaveArrived(later, 'h')
  t.match(told, { statusCode: 503, code: 'UPSTREAM_BUSY', txHash: 'h', retryAfter: 7 })
  t.match(told.message, /^Busy\. The transaction may be on its way/)
  t.equal(mayHaveArrived(told, 'other'), told, 'one that names its hash keeps it')
  const away = mayHaveArrived(badGateway('AWAY', 'Away.'), 'h')
  t.equal(away.retryAfter, undefined)
  t.match(away.message, /^Away\. The/)

  t.equal(refusedWhenSent(later, 'h'), later, 'what is no verdict stays')
  for (const [said, message] of [
    ['The nonce is used', 'The nonce is used.'],
    ['The nonce is used. Craft again.', 'The nonce is used.'],
    ['The fee is too low; craft again with another one', 'The fee is too low.'],
    ['Another one landed. See what that one did, and craft again if it did not do the same.', 'Another one landed.'],
    ['It was used: see what the account has sent, and craft again.', 'It was used.'],
  ] as const) {
    const restated = refusedWhenSent(badRequest('TRANSACTION_REFUSED', said), 'h')
    t.match(restated, { statusCode: 400, code: 'TRANSACTION_REFUSED', txHash: 'h' })
    t.equal(restated.message, `${message} It may have landed, and the same bytes may land yet: look tx_hash up before you craft another.`)
    t.equal(
      refusedWhenSent(badRequest('TRANSACTION_REFUSED', said), 'h', { landsNoMore: true }).message,
      `${message} It can land no more, and may have landed before: look tx_hash up before you craft another.`,
    )
  }
})

t.test('who signs is an address of the body, also where its schema does not say so', async (t) => {
  const properties = { address: Type.String(), amount: Amount(), note: Type.String() }
  const body = { address: 'p001', amount: '1', note: 'p002' }
  t.same(askedOf(paperKit(), properties, { body }), { wallet: 'p001', amounts: { amount: '1' }, addresses: ['p001'] })
})

t.test('of alternatives the sentence on the whole is told, and not why each part is none', async (t) => {
  const schema = Type.Object({
    to: Type.Union([Type.Object({ id: Type.Integer() }), Type.Object({ name: Type.String() })]),
    n: Type.Integer(),
  })
  const problems = allProblems(schema, { to: { id: 'x', name: 7 }, n: 'y' }, '')
  t.equal(problems.filter((each) => each.startsWith('to')).length, 1, problems.join('\n'))
  t.equal(problems.filter((each) => each.startsWith('to.')).length, 0, problems.join('\n'))
  t.equal(problems.filter((each) => each.startsWith('n:')).length, 1)
})

t.test('what is staked is worth something where both it and its price are known', async (t) => {
  const price = { digits: 25n, scale: 1, at: new Date(0) }
  const worth = (tvl: bigint | null, at: typeof price | null) => JSON.parse(JSON.stringify(infoToWire({ ...NO_TERMS, tvl }, 1, at))).tvl_usd
  t.equal(worth(40n, price), 10)
  t.equal(worth(null, price), null)
  t.equal(worth(40n, null), null)
})

t.test('requirements are asked a few at a time, told in their order, and their client is closed', async (t) => {
  const probe = (said: string | null | Error) =>
    ({ name: String(said), probe: async () => (said instanceof Error ? Promise.reject(said) : said) }) as never
  const asked = await askRequirements(
    [probe(null), probe('pruned'), probe(new Error('away')), probe(null), probe('x'.repeat(300))],
    {} as never,
  )
  t.same(
    asked.map(({ state, said }) => [state, said.slice(0, 10)]),
    [
      ['met', ''],
      ['missing', 'pruned'],
      ['unknown', 'away'],
      ['met', ''],
      ['missing', 'xxxxxxxxxx'],
    ],
  )
  t.ok((asked[4]?.said.length ?? 0) < 200)
  const clients: { closed: boolean }[] = []
  const kit = paperKit({
    connect(network, io) {
      const client = paperKit().connect(network, io)
      clients.push(client)
      return client
    },
  })
  await inspectRequirements(protocol(kit, { clerk: PaperAddress }).definePlugin(declaration).protocol, one, ioOf(desk()))
  t.same(
    clients.map(({ closed }) => closed),
    [true],
  )
})

t.test('how a network is looked at is what its kit and protocol say of it', async (t) => {
  const of = (changes: object, kit: object = {}) => {
    const { definePlugin } = protocol(paperKit(kit), { clerk: PaperAddress })
    const plugin = definePlugin({ ...declaration, ...changes } as never)
    const ctx = { network: { chainId: '1', decimals: 18, symbol: 'PAP' }, now: () => new Date(0), log: memoryLog() }
    return looksOf(plugin.protocol as never, ctx as never, () => [])
  }
  const plain = of({})
  t.match(plain, { caip2: 'paper:1', decimals: 18, inclusionMs: 2_000, transaction: null, digests: null })
  t.equal(plain.address('P001'), 'p001')
  t.throws(() => plain.address('x'), { code: 'ADDRESS_INVALID' })
  const digests = async (_ctx: unknown, positions: readonly KnownPosition[]) => new Map(positions.map(({ address }) => [address, 'd']))
  t.same([...((await of({ digests }).digests?.([{ address: 'p001', objects: [] }])) ?? [])], [['p001', 'd']])
  t.equal(of({}, { life: { inclusionMs: () => 7 } }).inclusionMs, 7)
  const due = new Date(9)
  t.same((await of({ due: async () => due }).position('p001')).due, due)
  t.equal((await plain.position('p001')).due, null)
})

t.test('what is kept of a doubt is read by the versions before and after', async (t) => {
  t.equal(isDoubted({ doubted_since: '2026-11-25T12:00:00.000Z' }), true)
  t.equal(isDoubted({ height: '1' }), false)
})

t.test('a transaction is put into words where the family can, in silence where it cannot', async (t) => {
  const log = memoryLog()
  const plain = createSaid(definePlugin(declaration).protocol as never)
  const network = { chainId: '1', decimals: 18 } as never
  const nothing = { said: {}, hidden: null }
  t.same(await plain.sent(network, { signed_text: 'a|b' }, log as never), nothing)
  const kit = paperKit({ sent: () => ({ bytes: 'x', signer: () => 'P001' }) })
  const mute = createSaid({ kit, intent: { family: { name: 'paper' } } } as never)
  t.same(await mute.sent(network, { signed_text: 'a|b' }, log as never), nothing, 'a family that explains nothing')
  t.same(mute.signer(network, { signed_text: 'a|b' }, log as never), { wallet: 'p001' })
  t.same(log.lines, [], 'which is no fault')
  const broken = createSaid({
    kit: paperKit({
      sent: () => {
        throw new Error('no')
      },
    }),
    intent: { family: { explain: () => undefined } },
  } as never)
  const sent = await broken.sent(network, {}, log as never)
  t.same(sent, { said: {}, hidden: { call: 'Nobody here can read what the transaction does: no.' } }, 'which nobody can read is not known')
  t.match(log.lines, [{ level: 'warn' }])
})

t.test('an explained transaction is written with every amount as text, at any depth', async (t) => {
  const decoded = { calls: [{ target: 'v', method: 'm', args: { one: 1n, list: [2n, ['x', 3n]], text: 'y' }, value: 5n }], maxFee: 15n }
  const explained = {
    ...{ sentence: 's', known: true, form: 'signed', decoded, moves: [], signers: [{ address: 'a', signature: 'right', more: 1 }] },
    hash: 'h',
    txHash: 't',
    validity: 'v',
    notes: ['n'],
  }
  t.same(inspectedToWire(explained as never, { decimals: 1 } as never, null), {
    ...{ sentence: 's', known: true, form: 'signed', moves: [], signers: [{ address: 'a', signature: 'right' }], max_fee: '1.5' },
    calls: [{ target: 'v', method: 'm', args: { one: '1', list: ['2', ['x', '3']], text: 'y' }, value: '5' }],
    ...{ hash: 'h', tx_hash: 't', validity: 'v', notes: ['n'], order: null },
  })
})
