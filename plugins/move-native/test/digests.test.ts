import { createHash } from 'node:crypto'
import { GrpcTypes } from '@mysten/sui/grpc'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { Transaction } from '@mysten/sui/transactions'
import { toBase58 } from '@mysten/sui/utils'
import { type Player, startStage } from '@svc/conformance'
import { type MoveWallet, moveFamily } from '@svc/conformance/move'
import { isEndpointError } from '@svc/contract'
import t from 'tap'
import { operatorName, scenarios } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { alteredStream } from './altered.ts'
import { onChain } from './chain.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const SUI = 1_000_000_000n
const { ITEM_LIMIT, SCAN_LIMIT, LEDGER_TIP } = GrpcTypes.QueryEndReason
/** A transaction that there is not. */
const nowhere = (name: string) => toBase58(createHash('sha256').update(name).digest())

const { scenario, chain } = onChain(scenarios[1]!)
const stage = await startStage({ plugin, scenario, family: { ...moveFamily, otherChainId: 'mainnet' } })
t.teardown(() => stage.close())
const { upstream, protocol } = stage

/** A process that has read nothing, and its clock. */
function fresh(clock = { now: new Date() }) {
  return { clock, ctx: { ...stage.connect(), now: () => clock.now } }
}
type Ctx = ReturnType<typeof fresh>['ctx']

async function told(address: string, objects: readonly string[], { ctx } = fresh()): Promise<string | undefined> {
  return (await protocol.digests!(ctx, [{ address, objects }])).get(address)
}

async function read(address: string, { ctx } = fresh()) {
  const { objects, digest } = await protocol.balance(ctx, address)
  return { ids: objects!.map(({ id }: { id: string }) => id), digest }
}

const keyOf = (player: Player) =>
  Ed25519Keypair.fromSecretKey((player.wallet as MoveWallet).key.export({ format: 'der', type: 'pkcs8' }).subarray(-32))
const byItself = (player: Player, build: (tx: Transaction) => void) => chain().run(keyOf(player), build, 'StakedSui')

/** A stake by another front end. @param keeper who gets it in place of the wallet */
const stakes = (player: Player, amounts: readonly bigint[] = [SUI], keeper?: string) =>
  byItself(player, (tx) => {
    for (const amount of amounts) {
      const [coin] = tx.splitCoins(tx.gas, [amount])
      const args = [tx.object.system({ mutable: true }), coin!, tx.pure.address(chain().move.validator(operatorName).address)]
      const how = keeper === undefined ? 'request_add_stake' : 'request_add_stake_non_entry'
      const [stake] = tx.moveCall({ target: `0x3::sui_system::${how}`, arguments: args })
      if (keeper !== undefined) tx.transferObjects([stake!], keeper)
    }
  })
const withdraws = (player: Player, id: string) =>
  byItself(player, (tx) => {
    tx.moveCall({ target: '0x3::sui_system::request_withdraw_stake', arguments: [tx.object.system({ mutable: true }), tx.object(id)] })
  })

t.test('what another front end does with a position changes its digest, and a whole reading has the same one then', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  let before = await read(address)
  t.same(before, { ids: [], digest: '' })
  const became = async (what: string) => {
    const hinted = await told(address, before.ids)
    t.not(hinted, before.digest, what)
    const now = await read(address)
    t.equal(await told(address, now.ids), now.digest, `${what}, and is known`)
    before = now
  }
  await stakes(player, [2n * SUI, 5n * SUI])
  await became('a transaction with two stakes')
  t.equal(before.ids.length, 2)
  await byItself(player, (tx) => {
    tx.moveCall({ target: '0x3::staking_pool::split_staked_sui', arguments: [tx.object(before.ids[1]!), tx.pure.u64(SUI)] })
  })
  await became('a split')
  await byItself(player, (tx) => tx.transferObjects([tx.object(before.ids[0]!)], `0x${'66'.repeat(32)}`))
  await became('a stake that was given away')
  for (const id of before.ids) {
    await withdraws(player, id)
    await became('a withdrawal')
  }
  t.same(before, { ids: [], digest: '' })
  await player.advance({ epochs: 2 })
  t.equal(await told(address, []), '', 'epochs change nothing, while the stakes of these days are still read')
})

t.test('what leaves a position as it was has no effect on its digest', async (t) => {
  const player = await stage.player()
  const other = await stage.player()
  const { address } = player.wallet
  const [id] = await stakes(player)
  const before = await read(address)
  const again = await stakes(player)
  await withdraws(player, again[0]!)
  t.equal(await told(address, before.ids), before.digest, 'a stake that was withdrawn again')
  await stakes(player, [SUI], other.wallet.address)
  t.equal(await told(address, before.ids), before.digest, 'a stake for somebody else')
  t.equal(await told(other.wallet.address, []), '', 'who is found when the wallet is read whole: no event names the one who got it')
  t.match((await read(other.wallet.address)).ids, [String])
  await withdraws(player, id!)
  t.equal(await told(address, before.ids), '')
})

t.test('digests of many cost a call for fifty objects, and the stakes of these days are read once for all of a round', async (t) => {
  const lot = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      address: `0x${createHash('sha256').update(`wallet ${index}`).digest('hex')}`,
      objects: [`0x${createHash('sha256').update(`stake ${index}`).digest('hex')}`],
    }))
  const { ctx, clock } = fresh()
  const cost = async (count: number) => (await upstream.measure(() => protocol.digests!(ctx, lot(count)))).usage.calls
  const first = await cost(500)
  t.equal(await cost(500), 11, 'a call that tells the chain and how far the node is, and ten of fifty objects')
  t.equal(await cost(1), 2)
  t.ok(first <= 11 + 4, `${first}: besides a page of events, the epoch's first checkpoint, and what the endpoint says of itself`)
  clock.now = new Date(clock.now.getTime() + 16 * MINUTE)
  t.equal(await cost(500), first, 'the next round reads them anew')
  t.equal(
    [...(await protocol.digests!(ctx, lot(3)))].join(),
    lot(3)
      .map(({ address }) => [address, ''])
      .join(),
    'what is gone is none',
  )
})

t.test('a stake whose object is known, as the transaction has left it, is looked up no more', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  const [id] = await stakes(player)
  const { ctx } = fresh()
  const callsFor = async (objects: readonly string[]) => {
    const before = upstream.calls.length
    await protocol.digests!(ctx, [{ address, objects }])
    return upstream.calls.slice(before).map(({ url }) => url.split('/').at(-1))
  }
  await callsFor([])
  t.same((await callsFor([id!])).toSorted(), ['BatchGetObjects', 'GetServiceInfo'])
  t.same((await callsFor([])).toSorted(), ['BatchGetObjects', 'BatchGetTransactions', 'GetServiceInfo'])
})

t.test('stakes are looked for since the beginning of the epoch before the last one, and no further', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await stakes(player)
  const { digest } = await read(address)
  await player.advance({ epochs: 2 })
  t.equal(await told(address, []), digest)
  await player.advance({ epochs: 1 })
  t.equal(await told(address, []), '', 'a wallet that was not looked at for so long is found when it is read whole')
  await stakes(player)
  await chain().move.operations.prune!.run({})
  const { digest: now, ids } = await read(address)
  t.equal(await told(address, ids), now, 'a node that has pruned that time is asked for what it still has')
  await stakes(player)
  t.not(await told(address, ids), now)
})

t.test('a list that a node breaks off is read to its end, piece by piece, and one without an end is given up', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await player.advance({ epochs: 3 })
  for (let count = 0; count < 8; count++) await stakes(player)
  const { ids, digest } = await read(address)
  await chain().move.operations.scan!.run({ checkpoints: 1 })
  const { result, usage } = await upstream.measure(() => told(address, []))
  await chain().move.operations.scan!.run({ checkpoints: 50_000 })
  t.equal(result, digest)
  t.ok(usage.calls > 12, `${usage.calls} calls, more than one endpoint is asked in one go`)
  t.equal(ids.length, 8)
  let pages = 0
  upstream.interfere(
    alteredStream('ListEvents', GrpcTypes.ListEventsResponse, ([first]) => {
      const checkpoint = (first?.watermark?.checkpoint ?? 0n) + BigInt(pages++) + 300_000n
      const cursor = Buffer.from(`${pages}`)
      return [GrpcTypes.ListEventsResponse.create({ watermark: { cursor, checkpoint }, end: { reason: SCAN_LIMIT } })]
    }),
  )
  await t.rejects(told(address, []), { code: 'UPSTREAM_ERROR' })
  upstream.interfere(null)
  t.ok(pages <= 500, `${pages} pages`)
})

/** Two endpoints, of which the first is another one than the second for a call. */
function twoEndpoints(lie: (path: string) => boolean): { ctx: Ctx; asked: string[] } {
  const { ctx } = fresh()
  const asked: string[] = []
  const sends = [1, 2].map((number) => async (url: string | URL | Request, init?: RequestInit) => {
    const { pathname } = new URL(url instanceof Request ? url.url : url)
    const name = pathname.split('/').at(-1) ?? ''
    asked.push(`${number} ${name}`)
    const target = new URL(pathname, chain().move.rpcUrl)
    return number === 1 && lie(name) ? upstream.fetch(target, init) : fetch(target, init)
  })
  const client = protocol.kit.connect(ctx.network, {
    ...{ fetch: sends[0]!, log: ctx.log, now: ctx.now },
    async exchange<T>(work: (send: typeof fetch, endpoint: number) => Promise<T>): Promise<T> {
      let last: unknown
      for (const [index, send] of sends.entries())
        try {
          return await work(send as typeof fetch, index + 1)
        } catch (error) {
          if (!isEndpointError(error)) throw error
          last = error.refusal
        }
      throw last
    },
  })
  return { ctx: { ...ctx, client } as Ctx, asked }
}

t.test('where no endpoint lists events no digest is told, and nobody asks again for an hour, then for a week', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await stakes(player)
  const { ids, digest } = await read(address)
  const process = fresh()
  t.equal((await read(address, process)).digest, digest, 'before anybody knows')
  const { status } = chain().move.operations
  await status!.run({ code: 'UNIMPLEMENTED', method: 'ListEvents' })
  t.equal(await told(address, ids, process), undefined)
  t.equal((await read(address, process)).digest, undefined)
  const calls = async () => (await upstream.measure(() => told(address, ids, process))).usage.calls
  const pass = async (ms: number) => {
    process.clock.now = new Date(process.clock.now.getTime() + ms)
    await chain().move.advance({ seconds: ms / 1000 })
  }
  t.equal(await calls(), 0)
  await pass(60 * MINUTE)
  t.ok((await calls()) > 0)
  await pass(60 * MINUTE)
  t.equal(await calls(), 0)
  await status!.run({ code: 'OK' })
  t.equal(await told(address, ids, process), undefined)
  await pass(7 * DAY)
  const later = await read(address, process)
  t.equal(await told(address, later.ids, process), later.digest, 'then it is tried again')
})

t.test('an endpoint that lists events takes the place of one that does not, which goes on to serve all else', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  const before = await read(address)
  await stakes(player)
  upstream.interfere((call) =>
    call.url.endsWith('/ListEvents')
      ? Promise.resolve(
          new Response(Buffer.from('800000001067727063 2d7374617475733a2031320d0a'.replace(' ', ''), 'hex'), {
            headers: { 'content-type': 'application/grpc-web+proto' },
          }),
        )
      : null,
  )
  const { ctx, asked } = twoEndpoints(() => true)
  t.not(await told(address, before.ids, { ctx, clock: { now: new Date() } }), before.digest)
  upstream.interfere(null)
  t.same(
    asked.filter((each) => each.endsWith('ListEvents')),
    ['1 ListEvents', '2 ListEvents'],
  )
  t.same(asked.at(-1), '1 BatchGetObjects')
})

type Frames = GrpcTypes.ListEventsResponse[]
const ofEvents = (change: (event: GrpcTypes.Event) => void) => (frames: Frames) => {
  for (const { event } of frames) if (event) change(event)
  return frames
}
const last = (change: (frame: GrpcTypes.ListEventsResponse) => void) => (frames: Frames) => {
  change(frames.at(-1)!)
  return frames
}

t.test('a list that cannot be is not believed, and the next endpoint is asked', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await stakes(player)
  await chain().move.operations.prune!.run({})
  await player.advance({ epochs: 3 })
  await stakes(await stage.player())
  const lies: Record<string, (frames: Frames) => readonly GrpcTypes.ListEventsResponse[]> = {
    'events of another type': ofEvents((event) => void Object.assign(event, { eventType: '0x3::validator::UnstakingRequestEvent' })),
    'a type that is none': ofEvents((event) => void Object.assign(event, { eventType: 'StakingRequestEvent' })),
    'contents of another layout': ofEvents(({ contents }) => void Object.assign(contents!, { value: contents!.value!.subarray(1) })),
    'no contents': ofEvents((event) => void delete event.contents),
    'a transaction that is none': ofEvents((event) => void Object.assign(event, { transactionDigest: 'abc' })),
    'events before the first checkpoint': ofEvents((event) => void Object.assign(event, { checkpoint: 0n })),
    'no checkpoint of an event': ofEvents((event) => void delete event.checkpoint),
    'no end': (frames) => frames.slice(0, -1),
    nothing: () => [],
    'an end twice': (frames) => [...frames, frames.at(-1)!],
    'an end of no known kind': last(({ end }) => void Object.assign(end!, { reason: 77 })),
    'no place in a frame': last((frame) => void delete frame.watermark),
    'no cursor where it goes on': last(
      (frame) => void Object.assign(frame, { end: { reason: ITEM_LIMIT }, watermark: { cursor: new Uint8Array() } }),
    ),
    'the same page for ever': () => [
      GrpcTypes.ListEventsResponse.create({
        watermark: { cursor: Buffer.from('x'), checkpoint: 1n << 40n },
        end: { reason: SCAN_LIMIT },
      }),
    ],
    'a place that goes back': (frames) => [
      ...frames.slice(0, -1).map((frame) => ({ ...frame, watermark: { checkpoint: 1n << 40n } })),
      frames.at(-1)!,
    ],
    'a place beyond what there can be': last(({ watermark }) => void Object.assign(watermark!, { checkpoint: 1n << 50n })),
    'more than a page': (frames) => [...Array.from({ length: 1001 }, () => frames[0]!), ...frames.slice(1)],
  }
  for (const [what, lie] of Object.entries(lies)) {
    let count = 0
    upstream.interfere(
      alteredStream('ListEvents', GrpcTypes.ListEventsResponse, (frames) => {
        count++
        return lie(frames)
      }),
    )
    await t.rejects(told(address, []), { code: 'UPSTREAM_ERROR' }, what)
    const { ctx } = twoEndpoints((name) => name === 'ListEvents')
    t.equal(await told(address, [], { ctx, clock: { now: new Date() } }), '', `${what}, with another endpoint`)
    t.ok(count >= 2, what)
    upstream.interfere(null)
  }
})

t.test('a list that has not caught up with its node is not believed', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await chain().move.operations.prune!.run({})
  upstream.interfere(
    alteredStream('ListEvents', GrpcTypes.ListEventsResponse, (frames) =>
      frames.map((frame) => ({ ...frame, end: { reason: LEDGER_TIP }, watermark: { cursor: frame.watermark!.cursor! } })).slice(-1),
    ),
  )
  await t.rejects(told(address, []), { code: 'UPSTREAM_BEHIND' })
  upstream.interfere(null)
  t.equal(await told(address, []), '')
})

t.test('who lies in a list within its form gains a delay, or a few readings', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  await player.advance({ epochs: 3 })
  await stakes(player)
  const { ids, digest } = await read(address)
  await stakes(player)
  const through = async (change: (frames: Frames) => readonly GrpcTypes.ListEventsResponse[]) => {
    upstream.interfere(alteredStream('ListEvents', GrpcTypes.ListEventsResponse, change))
    try {
      return await told(address, ids)
    } finally {
      upstream.interfere(null)
    }
  }
  t.equal(await through((frames) => frames.slice(-1)), digest, 'what is left out is found when the wallet is read whole')
  const right = await told(address, ids)
  t.equal(await through((frames) => frames.flatMap((frame) => (frame.end ? [frame] : [frame, frame]))), right, 'what is told twice is told')
  const unknown = await through(ofEvents((event) => void Object.assign(event, { transactionDigest: nowhere('one') })))
  t.equal(unknown, `${digest} ?${nowhere('one')}`, 'a transaction that nobody has is another digest, so that the wallet is read whole')
  const many = ofEvents((event) => void Object.assign(event, { transactionDigest: nowhere(String(counter++)) }))
  let counter = 0
  const flooded = (frames: Frames) =>
    many([...Array.from({ length: 900 }, () => GrpcTypes.ListEventsResponse.clone(frames[0]!)), frames.at(-1)!])
  const { result, usage } = await upstream.measure(() => through(flooded))
  t.equal(result?.split(' ').filter((each) => each.startsWith('?')).length, 900)
  t.ok(usage.calls < 20, `${usage.calls} calls: of hundreds of transactions that one wallet is said to have made only some are looked up`)
  t.equal(await told(address, [...ids, `0x${'55'.repeat(32)}`]), right, 'an object that is nobody’s is none')
})

t.test('a wallet of which something cannot be read is left out, and no other', async (t) => {
  const player = await stage.player()
  const other = await stage.player()
  const [id] = await stakes(player)
  const [another] = await stakes(other)
  const positions = [
    { address: player.wallet.address, objects: [id!] },
    { address: other.wallet.address, objects: [another!] },
  ]
  upstream.interfere(
    alteredStream('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, (messages) => {
      for (const { objects } of messages)
        for (const object of objects)
          if (object.result.oneofKind === 'object' && object.result.object.objectId === id)
            object.result = { oneofKind: 'error', error: { code: 13, message: 'disk', details: [] } }
      return messages
    }),
  )
  const found = await protocol.digests!(fresh().ctx, positions)
  upstream.interfere(null)
  t.same([...found.keys()], [other.wallet.address])
})
