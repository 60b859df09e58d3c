import type { Facts } from '@svc/contract'
import t from 'tap'
import { readReferences, writeReferences } from '../src/life/references.ts'
import { readValidity, validUntilOf } from '../src/life/validity.ts'
import {
  absent,
  COIN1,
  COIN2,
  executed,
  gasUsed,
  HEAD,
  head,
  id,
  later,
  ledger,
  life,
  listed,
  looked,
  moved,
  OTHER,
  object,
  ofA,
  ofB,
  ofC,
  RIVAL,
  sighted,
  subject,
  took,
  txHash,
  unknown,
} from './support/life.ts'
import { contextOf, grpc, info, NodeRefusal, nodeOf, now, refusal } from './support/node.ts'
import { B, C } from './support/vectors.ts'

t.test('whoever took an object in the very version replaced it, however little a node has', async (t) => {
  const rival = executed(RIVAL, { effects: { changedObjects: [took(COIN1)] } })
  const { node, seen } = looked({ BatchGetObjects: moved(), GetTransaction: ledger({ [RIVAL]: rival }) })
  t.match(await seen, { status: 'replaced', certainty: 'proven', finality: 'none', replacedBy: RIVAL, keep: { rival: RIVAL } })
  t.same(node.asked.filter((method) => method === 'GetTransaction').length, 3, 'it is looked for once more afterwards')
  const both = ledger({ [RIVAL]: rival, [txHash]: executed(txHash) })
  t.match(await sighted({ BatchGetObjects: moved(), GetTransaction: both }), { status: 'final' })
  // An archive has no present objects, and knows the transaction.
  const archive = { BatchGetObjects: new NodeRefusal(12, 'no'), GetTransaction: ledger({ [RIVAL]: rival }) }
  t.match(await sighted(archive, { keep: { rival: RIVAL } }), { status: 'replaced', replacedBy: RIVAL })
  t.match(await refusal(sighted(archive)), { status: 502 })
})

t.test('a later use alone proves nothing where the node could have forgotten', async (t) => {
  const after = executed(RIVAL, { effects: { changedObjects: [{ ...took(COIN1), inputVersion: 11n, outputVersion: 12n }] } })
  const table = { BatchGetObjects: moved(), GetTransaction: ledger({ [RIVAL]: after }) }
  const dead = { status: 'replaced', certainty: 'proven', replacedBy: null }
  t.match(await sighted(table, { keep: { since: '40000', head: '1' } }), dead)
  t.match(await refusal(sighted(table, { keep: { since: '39999', head: '1' } })), { status: 503, code: 'TRANSACTION_UNSEEN' })
  t.match(await refusal(sighted(table)), { status: 503, code: 'TRANSACTION_UNSEEN' }, 'it may have landed before it was first seen')
  const silent = info({ checkpointHeight: HEAD })
  t.match(await refusal(sighted({ ...table, GetServiceInfo: silent }, { keep: { since: '40000' } })), { code: 'TRANSACTION_UNSEEN' })
  const whole = { ...table, GetServiceInfo: head({ lowestAvailableCheckpoint: 0n }) }
  t.match(await sighted(whole), dead, 'who has everything would have it')
  t.match(
    await refusal(
      sighted(
        { ...whole, GetServiceInfo: head({ lowestAvailableCheckpoint: 0n, checkpointHeight: 39_000n }) },
        { keep: { since: '40000' } },
      ),
    ),
    {
      code: 'TRANSACTION_UNSEEN',
    },
  )
  // An object's word alone that somebody wrote it: who did would be there.
  const claimed = { BatchGetObjects: moved(), GetTransaction: ledger({ [RIVAL]: executed(RIVAL) }) }
  for (const each of [claimed, { ...claimed, GetTransaction: unknown }])
    t.match(await refusal(sighted(each, { keep: { since: '40000' } })), { status: 503, code: 'UPSTREAM_BEHIND' })
  const gone = { BatchGetObjects: listed(5, 5) }
  t.match(await sighted(gone, { keep: { since: '40000' } }), dead, 'deleted')
  // One is gone and the other as it was: it took neither, and can take them no more.
  t.match(await sighted({ ...table, BatchGetObjects: listed(later(COIN1), object(COIN2)) }), dead)
})

t.test('a node behind what took the object, or that shows its trace without itself, is asked again', async (t) => {
  const ahead = executed(RIVAL, { checkpoint: HEAD + 1n, effects: { changedObjects: [took(COIN1)] } })
  const table = { BatchGetObjects: moved(), GetTransaction: ledger({ [RIVAL]: ahead }) }
  t.match(await refusal(sighted(table, { keep: { since: '40000' } })), { status: 503, code: 'UPSTREAM_BEHIND' })
  t.match(await refusal(sighted({ BatchGetObjects: moved(txHash) }, { keep: { since: '40000' } })), {
    status: 503,
    code: 'UPSTREAM_BEHIND',
  })
  t.match(await refusal(sighted({ BatchGetObjects: moved(txHash) }, { keep: { since: '39000' } })), { code: 'TRANSACTION_UNSEEN' })
  const old = head({ timestamp: { seconds: BigInt(now.getTime() / 1000) - 901n, nanos: 0 } })
  t.match(await refusal(sighted({ GetServiceInfo: old })), { status: 503, code: 'UPSTREAM_BEHIND' })
})

t.test('the node that answered says how far it is', async (t) => {
  const after = executed(RIVAL, { effects: { changedObjects: [{ ...took(COIN1), inputVersion: 11n, outputVersion: 12n }] } })
  const from =
    (place: object) =>
    ({ digest }: { digest: string }) => {
      if (digest === RIVAL) return after
      const response = grpc(null, 5, `Transaction ${digest} not found`)
      for (const [name, value] of Object.entries(place)) response.headers.set(name, value)
      return response
    }
  const place = { 'x-sui-checkpoint-height': '50000', 'x-sui-epoch': '999', 'x-sui-lowest-available-checkpoint': '40000' }
  const see = (change: object) =>
    sighted({ BatchGetObjects: moved(), GetTransaction: from({ ...place, ...change }) }, { keep: { since: '45000' } })
  t.match(await see({}), { status: 'replaced' })
  t.match(await refusal(see({ 'x-sui-checkpoint-height': '49990' })), { code: 'UPSTREAM_BEHIND' }, 'another node behind the same address')
  t.match(await refusal(see({ 'x-sui-lowest-available-checkpoint': '45001' })), { code: 'TRANSACTION_UNSEEN' })
  t.match(await see({ 'x-sui-lowest-available-checkpoint': 'all' }), { status: 'replaced' }, 'what is no number is not taken for one')
})

t.test('an epoch ends it, by a node that is past it and has all of it', async (t) => {
  const state = { epoch: { epoch: 1001n, systemState: undefined, firstCheckpoint: 42_000n } }
  const GetEpoch = ({ epoch }: { epoch?: bigint }) =>
    epoch === undefined ? new NodeRefusal(13, 'no') : { epoch: { ...state.epoch, epoch } }
  const over = { GetServiceInfo: head({ epoch: 1001n }), GetEpoch }
  const ofBalance = { txHash: C.digest, bounds: ofC }
  t.match(await sighted(over, ofBalance), {
    status: 'expired',
    certainty: 'proven',
    finality: 'none',
    validUntil: { kind: 'epoch', value: '1000' },
  })
  t.match(await sighted({ ...over, GetServiceInfo: head({ epoch: 1000n }) }, ofBalance), { status: 'pending', keep: { since: '42000' } })
  const pruned = head({ epoch: 1001n, lowestAvailableCheckpoint: 42_001n })
  t.match(await refusal(sighted({ ...over, GetServiceInfo: pruned }, ofBalance)), { status: 503, code: 'TRANSACTION_UNSEEN' })
  t.match(await sighted({ ...over, GetTransaction: executed(C.digest) }, ofBalance), { status: 'final' })
  // With coins: seen untouched once, it was not executed until then.
  const ofCoins = { txHash: B.digest, bounds: ofB }
  t.match(await sighted(over, ofCoins), { status: 'expired' })
  t.match(await sighted({ ...over, BatchGetObjects: new NodeRefusal(12, 'no') }, { ...ofCoins, keep: { since: '45000' } }), {
    status: 'expired',
  })
  t.match(await refusal(sighted({ ...over, BatchGetObjects: listed(14, 14) }, ofCoins)), { code: 'TRANSACTION_UNSEEN' })
})

t.test("an epoch's end is estimated by the length of epochs", async (t) => {
  const epochStart = now.getTime() - 3_600_000
  const systemState = {
    epoch: 999n,
    epochStartTimestampMs: BigInt(epochStart),
    referenceGasPrice: 500n,
    parameters: { epochDurationMs: 86_400_000n, stakeSubsidyStartEpoch: 20n },
    validators: { activeValidators: [] },
  }
  const GetEpoch = { epoch: { epoch: 999n, firstCheckpoint: 42_000n, referenceGasPrice: 500n, systemState } }
  const { validUntil } = await sighted({ GetEpoch }, { txHash: C.digest, bounds: ofC })
  t.same(validUntil, { kind: 'epoch', value: '1000', estimatedAt: new Date(epochStart + 2 * 86_400_000) })
})

t.test('answers about objects that cannot be go to the next endpoint', async (t) => {
  for (const objects of [
    listed(object(COIN1)),
    listed(object(COIN2), object(COIN1)),
    listed(object(COIN1, { digest: OTHER }), object(COIN2)),
    listed(object(COIN1, { version: undefined }), object(COIN2)),
    listed(object(COIN1, { version: 12n, previousTransaction: 'x' }), object(COIN2)),
  ]) {
    const [lying, honest] = [nodeOf({ GetServiceInfo: head(), GetTransaction: unknown, BatchGetObjects: objects }), looked({}).node]
    t.match(await life.look(contextOf([lying.fetch, honest.fetch]), subject()), { status: 'pending' })
    t.equal(honest.asked.length > 0, true)
  }
  const garbled: Facts = { objects: 'no', budget: '1' }
  await t.rejects(sighted({}, { bounds: { ...ofA, facts: garbled } }), TypeError)
})

t.test('what is found when it is looked for once more is told, with its gas held to its budget', async (t) => {
  const rival = executed(RIVAL, { effects: { changedObjects: [took(COIN1)] } })
  const second = (found: object) => {
    let asked = 0
    return sighted({
      BatchGetObjects: moved(),
      GetTransaction: ({ digest }: { digest: string }) => (digest === RIVAL ? rival : asked++ === 0 ? absent(digest) : found),
    })
  }
  t.match(await second(executed(txHash)), { status: 'final', certainty: 'proven', fee: 2_500_000n, lookedAt: HEAD })
  const dear = executed(txHash, { effects: { gasUsed: { ...gasUsed, computationCost: 20_000_000n } } })
  t.match(await refusal(second(dear)), { status: 502, code: 'UPSTREAM_ERROR' })
})

t.test('an epoch that is over at one node is not over at another behind the same address', async (t) => {
  const GetEpoch = ({ epoch }: { epoch?: bigint }) =>
    epoch === undefined ? new NodeRefusal(13, 'no') : { epoch: { epoch, firstCheckpoint: 42_000n } }
  const from = (epoch: string) => ({
    GetServiceInfo: head({ epoch: 1001n }),
    GetEpoch,
    GetTransaction({ digest }: { digest: string }) {
      const response = grpc(null, 5, `Transaction ${digest} not found`)
      const place = { 'x-sui-checkpoint-height': '50000', 'x-sui-epoch': epoch, 'x-sui-lowest-available-checkpoint': '40000' }
      for (const [name, value] of Object.entries(place)) response.headers.set(name, value)
      return response
    },
  })
  const ofBalance = { txHash: C.digest, bounds: ofC }
  t.match(await sighted(from('1000'), ofBalance), { status: 'pending', certainty: 'likely' })
  t.match(await sighted(from('1001'), ofBalance), { status: 'expired', certainty: 'proven' })
})

t.test('a caller is named sixteen objects at most, and what is kept of them is read back or refused', async (t) => {
  const references = Array.from({ length: 17 }, (_, n) => ({ id: id(String(n + 10)), version: BigInt(n), digest: OTHER }))
  const { value } = validUntilOf({ references, from: null, until: null, budget: 1n }, null)
  t.equal(value?.split(',').length, 16)
  t.match(validUntilOf({ references: [], from: null, until: null, budget: 1n }, null), { kind: 'object_versions', value: null })
  t.match(validUntilOf({ references, from: null, until: 7n, budget: 1n }, now), { kind: 'epoch', value: '7', estimatedAt: now })
  t.same(readReferences(writeReferences(references)), references)
  t.same(readReferences(''), [])
  const [one] = references as [(typeof references)[0]]
  const text = writeReferences([one])
  for (const lie of [
    `${text},`,
    ` ${text}`,
    text.replace('@', '#'),
    text.replace('0x', ''),
    text.replace('@0', '@'),
    `${text}0`,
    text.slice(0, -20),
    `${one.id}@${'1'.repeat(21)}#${OTHER}`,
  ])
    t.throws(() => readReferences(lie), TypeError, lie)
  t.same(readValidity({}), { references: [], from: null, until: null, budget: 0n })
  t.same(readValidity({ objects: text, from: '1', until: '2', budget: '3' }), { references: [one], from: 1n, until: 2n, budget: 3n })
})
