import { GrpcTypes } from '@mysten/sui/grpc'
import t from 'tap'
import { type Bench, bench, refusal, stakeTx, sui } from './support.ts'

const STAKED = '0x3::validator::StakingRequestEvent'
const inFull = (type: string) => type.replace('0x3', `0x${'3'.padStart(64, '0')}`)
const { ITEM_LIMIT, SCAN_LIMIT, CHECKPOINT_BOUND, CURSOR_BOUND, LEDGER_TIP } = GrpcTypes.QueryEndReason
const { DESCENDING } = GrpcTypes.Ordering

type Request = Parameters<Bench['client']['ledgerService']['listEvents']>[0]
type Literal = GrpcTypes.EventLiteral['predicate']

const WHERE = { paths: ['checkpoint', 'transaction_digest', 'transaction_index', 'event_index', 'event_type'] }
const only = (...terms: (readonly (Literal | { not: Literal })[])[]): GrpcTypes.EventFilter => ({
  terms: terms.map((literals) => ({
    literals: literals.map((each) => ('not' in each ? { negated: true, predicate: each.not } : { negated: false, predicate: each })),
  })),
})
const ofType = (eventType: string): Literal => ({ oneofKind: 'eventType', eventType: { eventType } })
const bySender = (address: string): Literal => ({ oneofKind: 'sender', sender: { address } })
const byModule = (module: string): Literal => ({ oneofKind: 'emitModule', emitModule: { module } })

async function every<T>(responses: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of responses) found.push(each)
  return found
}

async function frames({ client }: Pick<Bench, 'client'>, request: Request) {
  const call = client.ledgerService.listEvents({ readMask: WHERE, ...request })
  const found = await every(call.responses)
  t.equal((await call.status).code, 'OK')
  t.ok(found.every(({ watermark }) => watermark?.cursor !== undefined))
  t.same(
    found.map(({ end }) => end !== undefined),
    found.map((_, index) => index === found.length - 1),
    'the end is in the last frame, and in no other',
  )
  const last = found.at(-1)!
  return {
    found,
    digests: found.flatMap(({ event }) => event?.transactionDigest ?? []),
    types: found.flatMap(({ event }) => event?.eventType ?? []),
    reason: last.end!.reason,
    cursor: last.watermark!.cursor!,
    checkpoint: last.watermark!.checkpoint,
  }
}

/** Everything, page by page. */
async function paged(b: Pick<Bench, 'client'>, request: Request, descending = false) {
  const digests: string[] = []
  const reasons: unknown[] = []
  let cursor: Uint8Array | undefined
  for (let pages = 0; pages < 100; pages++) {
    const at = cursor === undefined ? {} : descending ? { before: cursor } : { after: cursor }
    const page = await frames(b, { ...request, options: { ...request.options, ...at } })
    digests.push(...page.digests)
    reasons.push(page.reason)
    if (page.reason !== ITEM_LIMIT && page.reason !== SCAN_LIMIT) return { digests, reasons }
    cursor = page.cursor
  }
  throw new Error('the list does not end')
}

t.test('events of staking are listed where they stand, with what their Move structs hold', async (t) => {
  const b = await bench(t)
  const { digest, events } = await b.run(stakeTx(2n * sui, b.validator))
  const [first, end] = await every(b.client.ledgerService.listEvents({ readMask: { paths: ['*'] } }).responses)
  t.match(first?.event, {
    packageId: `0x${'3'.padStart(64, '0')}`,
    module: 'sui_system',
    sender: b.address,
    eventType: inFull(STAKED),
    transactionDigest: digest,
    transactionIndex: 0n,
    eventIndex: 0,
    contents: { name: inFull(STAKED), value: events[0].bcs },
  })
  const { response } = await b.client.ledgerService.getTransaction({ digest, readMask: { paths: ['checkpoint'] } })
  t.equal(first?.event?.checkpoint, response.transaction?.checkpoint)
  t.equal(first?.event?.contents?.value?.length, 112)
  t.equal(end?.end?.reason, LEDGER_TIP)
  const [bare] = await every(b.client.ledgerService.listEvents({}).responses)
  t.same(Object.keys(bare!.event!), ['eventType'], 'without a mask the type alone')
})

for (const format of ['binary', 'text'] as const)
  t.test(`a list goes on from where it ended, in both orders, whatever ended it (${format})`, async (t) => {
    const b = await bench(t, { format })
    const ids = [await b.stake(sui), await b.stake(sui)]
    await b.withdraw(ids[0]!)
    await b.chain.advance({ epochs: 1 })
    await b.stake(sui)
    await b.stake(sui)
    const whole = await frames(b, {})
    t.equal(whole.digests.length, 5)
    t.equal(whole.reason, LEDGER_TIP)
    t.equal(whole.checkpoint, (await b.client.ledgerService.getServiceInfo({}).response).checkpointHeight)
    t.same((await frames(b, { options: { ordering: DESCENDING } })).digests, whole.digests.toReversed())
    for (const limit of [1, 2, 5]) {
      const up = await paged(b, { options: { limit } })
      t.same(up.digests, whole.digests)
      t.same(new Set(up.reasons), new Set([ITEM_LIMIT, LEDGER_TIP]))
      const down = await paged(b, { options: { limit, ordering: DESCENDING } }, true)
      t.same(down.digests, whole.digests.toReversed())
      t.equal(down.reasons.at(-1), CHECKPOINT_BOUND, 'which is genesis')
    }
    await b.chain.operations.scan!.run({ checkpoints: 3 })
    const scanned = await paged(b, {})
    t.same(scanned.digests, whole.digests)
    t.equal(scanned.reasons[0], SCAN_LIMIT)
    t.equal(scanned.reasons.at(-1), LEDGER_TIP)
    t.same((await paged(b, { options: { ordering: DESCENDING } }, true)).digests, whole.digests.toReversed())
    await b.chain.operations.scan!.run({ checkpoints: 0 })

    const at = (index: number) => whole.found[index]!.event!.checkpoint!
    const part = await frames(b, { startCheckpoint: at(1), endCheckpoint: at(3) })
    t.same([part.digests, part.reason, part.checkpoint], [whole.digests.slice(1, 3), CHECKPOINT_BOUND, at(3) - 1n])
    const [after, before] = [whole.found[0]!.watermark!.cursor!, whole.found[3]!.watermark!.cursor!]
    const between = await frames(b, { options: { after, before } })
    t.same([between.digests, between.reason], [whole.digests.slice(1, 3), CURSOR_BOUND])
    t.same((await frames(b, { options: { after: before, before: after } })).digests, [], 'nothing is between crossed bounds')
    const ahead = await frames(b, { startCheckpoint: at(4) + 1000n })
    t.same([ahead.digests, ahead.reason, ahead.checkpoint], [[], LEDGER_TIP, undefined])
  })

t.test('a filter is any of terms, each of all of its literals', async (t) => {
  const b = await bench(t)
  await b.withdraw(await b.stake(sui))
  const other = `0x${'77'.repeat(32)}`
  const types = async (filter: GrpcTypes.EventFilter) => (await frames(b, { filter })).types.map((type) => type.split('::')[2])
  const both = ['StakingRequestEvent', 'UnstakingRequestEvent']
  for (const type of ['0x3', '0x3::validator', inFull('0x3::validator')]) t.same(await types(only([ofType(type)])), both, type)
  t.same(await types(only([ofType(STAKED)])), both.slice(0, 1))
  t.same(await types(only([{ not: ofType(STAKED) }])), both.slice(1))
  for (const type of ['0x2', '0x3::staking_pool', '0x3::validator::Staking', `${STAKED}<u8>`])
    t.same(await types(only([ofType(type)])), [], type)
  t.same(await types(only([bySender(b.address)])), both)
  t.same(await types(only([bySender(other)], [ofType(STAKED)])), both.slice(0, 1))
  t.same(await types(only([bySender(other), ofType(STAKED)])), [])
  t.same(await types(only([byModule('0x3::sui_system'), { not: bySender(other) }])), both)
  t.same(await types(only([byModule('0x3::validator')])), [])
  for (const [filter, why] of [
    [only(), /at least one filter term/],
    [only([{ oneofKind: undefined }]), /predicate variant is required/],
    [only(Array.from({ length: 11 }, () => ofType('0x3'))), /11 literals; at most 10/],
    [only([ofType('validator')]), /invalid/],
    [only([ofType('0x3::validator::Name::More')]), /invalid path/],
    [only([byModule('0x3::validator::Name')]), /invalid path/],
    [only([bySender('me')]), /invalid/],
  ] as const)
    t.match(await refusal(frames(b, { filter })), { code: 'INVALID_ARGUMENT', message: why })
})

t.test('what was pruned, what is no cursor and what a knob forces is refused as by a node', async (t) => {
  const b = await bench(t)
  await b.stake(sui)
  const { cursor } = await frames(b, { options: { limit: 1 } })
  const height = (await b.client.ledgerService.getServiceInfo({}).response).checkpointHeight!
  await b.chain.operations.prune!.run({})
  const message = /requested data below earliest available/
  t.match(await refusal(frames(b, { startCheckpoint: 1n })), { code: 'OUT_OF_RANGE', message })
  t.match(await refusal(frames(b, { options: { after: cursor } })), { code: 'OUT_OF_RANGE', message })
  const { digest } = await b.run(stakeTx(sui, b.validator))
  const kept = await paged(b, {})
  t.same([kept.digests, kept.reasons], [[digest], [SCAN_LIMIT, SCAN_LIMIT, LEDGER_TIP]], 'who names no start gets what is there')
  const far = (await frames(b, { startCheckpoint: height + 60_000n })).found
  t.same(
    far.map(({ event }) => event?.transactionDigest),
    [undefined, digest, undefined],
    'a frame without an event says how far a long scan has come',
  )
  const refused = (request: Request) => refusal(frames(b, request))
  t.match(await refused({ startCheckpoint: 5n, endCheckpoint: 4n }), { code: 'INVALID_ARGUMENT', message: /greater than or equal/ })
  t.match(await refused({ options: { after: Buffer.from('{}') } }), { code: 'INVALID_ARGUMENT', message: /options.after/ })
  t.match(await refused({ readMask: { paths: ['event'] } }), { code: 'INVALID_ARGUMENT', message: /read_mask/ })
  await b.chain.operations.status!.run({ code: 'UNIMPLEMENTED', method: 'ListEvents', times: 1 })
  t.match(await refused({}), { code: 'UNIMPLEMENTED' })
  t.equal((await frames(b, { startCheckpoint: height + 60_000n })).reason, LEDGER_TIP)
})

t.test('a transaction that failed has no events', async (t) => {
  const b = await bench(t)
  await b.chain.operations.congest!.run({ times: 1 })
  t.match(await b.run(stakeTx(sui, b.validator)), { status: { success: false } })
  t.same((await frames(b, {})).digests, [])
})
