import type { Subject } from '@svc/contract'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import { PROGRESS } from '../src/life/facts.ts'
import { type History, hashOf, historyNode, type LandedTransaction, tableOf, timeAt } from './support/history.ts'
import { ledger } from './support/ledger.ts'
import {
  base,
  celestia,
  forged,
  free,
  hashAlone,
  look,
  lookAt,
  lookOn,
  lookTwo,
  ours,
  ourTwo,
  raw,
  rival,
  subjectOf,
  theirs,
  theirTwo,
} from './support/looking.ts'
import { connect, hubOne, hubTwo, RpcError, silent, type Table } from './support/node.ts'
import { one } from './support/vectors.ts'

t.test('without a search it is proven by its own bytes in a block, or by all the blocks in which it could be', async (t) => {
  for (const index of [true, false]) {
    const blind: Table = index ? { tx_search: { txs: [], total_count: '0' } } : {}
    const at = (history: Partial<History>, change: Partial<Subject>) => lookOn({ index, ...history }, change, blind)
    const proven = { status: 'replaced', certainty: 'proven' }
    t.match(await at({ landed: [theirs] }, free(985n)), { ...proven, replacedBy: hashOf(rival), looks: 1 })
    t.match(await at({ landed: [theirs], lowest: 987n }, free(985n)), { ...proven, replacedBy: hashOf(rival) }, 'the first block is gone')
    const unproven = [forged, { ...theirs, raw: ledger({ vote: true }) }]
    t.match(await at({ landed: unproven }, free(985n)), { ...proven, replacedBy: hashOf(unproven[1]!.raw) }, 'by all blocks')
    t.match(await at({ landed: [forged] }, free(985n)), { ...proven, replacedBy: null }, 'what the account has not signed has no name')
    t.match(await at({ landed: unproven, lowest: 986n }, free(985n)), proven)
    const gone = { statusCode: 503, code: 'TRANSACTION_UNSEEN' }
    for (const change of [free(985n), { ...free(985n), firstSeen: timeAt(999n) }])
      await t.rejects(at({ landed: unproven, lowest: 987n }, change), gone)
    const sooner = { ...free(880n), firstSeen: timeAt(879n) }
    await t.rejects(at({ landed: unproven, lowest: 900n }, sooner), gone, 'what is gone stays so, over several looks')
    t.match(await at({ landed: [{ ...theirs, height: 910n }] }, free(100n)), { ...proven, replacedBy: hashOf(rival), looks: 14 })
  }
  t.match(await lookAt({ index: false, landed: [ours] }, free(985n)), { status: 'final', block: { height: 990n }, fee: 1500n })
  t.match(await lookAt({ index: false }), { status: 'pending', keep: { free_at: '1000' } })
  await t.rejects(lookAt({ index: false }, hashAlone), { statusCode: 503, code: 'TRANSACTION_NOT_KEPT', message: /`indexer = "kv"`/ })
})

t.test('a refused rival is none, and the one that passed is named', async (t) => {
  const second = { ...theirs, raw: ledger({ vote: true }), height: 991n }
  const refused = { ...theirs, code: 13, codespace: 'sdk', log: 'no', events: [] }
  const named = { status: 'replaced', replacedBy: hashOf(second.raw) }
  t.match(await lookAt({ index: false, landed: [refused, second] }, free(985n)), named)
  t.match(await lookAt({ index: false, landed: [forged, second] }, free(985n)), named)
  const another = { ...theirs, raw: ledger({ vote: true, memo: 'another' }), height: 992n }
  const several = await lookAt({ index: false, landed: [second, another] }, free(985n))
  t.match(several, { status: 'replaced', replacedBy: null }, 'which of them it was is not known')
})

t.test('a transaction that was never seen free is looked for from when it was taken, as far as blocks are held', async (t) => {
  for (const age of [10n, 150n, 600n, 900n]) {
    const landed = [{ ...ours, height: 1000n - age }]
    const taken = { firstSeen: timeAt(1000n - age - 3n) }
    t.match(await lookOn({ index: false, landed }, taken), { status: 'final', block: { height: 1000n - age } }, `${age} blocks ago`)
    const by = { ...theirs, height: 1000n - age }
    const other = await lookOn({ index: false, landed: [by] }, taken)
    t.match(other, { status: 'replaced', replacedBy: hashOf(rival) }, `replaced ${age} blocks ago`)
    const ahead = { firstSeen: timeAt(1000n - age + 50n) }
    t.match(await lookOn({ index: false, landed }, ahead), { status: 'final' }, 'a clock that runs ahead')
  }
  const early = { index: false, landed: [{ ...ours, height: 400n }] }
  const taken = { firstSeen: timeAt(399n) }
  t.match(await lookOn({ ...early, lowest: 390n }, taken), { status: 'final' }, 'a node that has just what it takes')
  const gone = { statusCode: 503, code: 'TRANSACTION_UNSEEN', message: /no longer hold the blocks/ }
  await t.rejects(lookOn({ ...early, lowest: 401n }, taken), gone, 'the sentence says what is missing')
})

t.test('what was sent long before it was tracked is looked for in the blocks before, as far as they are held', async (t) => {
  const tracked = { firstSeen: timeAt(999n), accepted: false }
  const early = { index: false, landed: [{ ...ours, height: 400n }] }
  const looks = await lookOn(early, tracked)
  t.match(looks, { status: 'final', certainty: 'proven', block: { height: 400n }, keep: { rival_at: '400' } })
  t.equal(looks.looks, 11, 'from its time on, and 60 blocks each time before that')
  t.match(await lookOn(early, { firstSeen: null, accepted: false }), { status: 'final', block: { height: 400n } }, 'its time is not known')
  const first = await lookAt(early, tracked)
  t.match(first, { status: 'pending', unfinished: true, keep: { scanned: '980', used_at: '1000', back: '921' } })
  const failed = { ...ours, height: 400n, code: 5, codespace: 'sdk', log: 'no', events: theirs.events ?? [] }
  t.match(await lookOn({ index: false, landed: [failed] }, tracked), { status: 'failed', finality: 'final' })
  const other = await lookOn({ index: false, landed: [{ ...theirs, height: 400n }] }, tracked)
  t.match(other, { status: 'replaced', certainty: 'proven', replacedBy: hashOf(rival) }, 'by its own bytes and result')
  t.match(await lookOn({ ...early, lowest: 400n }, tracked), { status: 'final' }, 'the first block that is held has it')
  const gone = { statusCode: 503, code: 'TRANSACTION_UNSEEN', message: /no longer hold the blocks/ }
  await t.rejects(lookOn({ ...early, lowest: 401n }, tracked), gone, 'its block is gone')
  await t.rejects(lookOn({ ...early, landed: [{ ...theirs, height: 400n, raw: ledger({ vote: true }), code: 0 }] }, tracked), {
    code: 'TRANSACTION_NOT_KEPT',
    message: /from 1 to 1000 do not tell.*though these are all blocks/,
  })
})

t.test('the blocks before are looked through up to a bound, once, and those that came after are not', async (t) => {
  const history = (height: bigint, head = 16_000n): Partial<History> => ({ index: false, head, landed: [{ ...ours, height }] })
  const keep = { scanned: '16000', used_at: '16000', back: '1002' }
  const tracked = (change: Record<string, string> = {}) => ({ firstSeen: timeAt(999n), accepted: false, keep: { ...keep, ...change } })
  t.match(await lookAt(history(1_001n), tracked()), { status: 'final', block: { height: 1_001n } })
  const last = await lookAt(history(1_000n), tracked())
  t.match(last, { status: 'pending', unfinished: true, keep: { back: '1001' } })
  const over = {
    statusCode: 503,
    code: 'TRANSACTION_NOT_KEPT',
    message: /from 1001 to 16000 do not tell.*may be in an earlier one, of which no more are looked through.*keeps an index/,
  }
  await t.rejects(lookAt(history(1_000n), tracked({ back: '1001' })), over)
  const node = historyNode({ ...base, ...history(1_000n, 16_500n) })
  await t.rejects(look(node, subjectOf(raw, tracked({ back: '1001' }))), over)
  t.equal(node.requests.length, 2, 'two waves, and no block')
  const next = historyNode({ ...base, ...history(15_000n, 16_500n) })
  t.match(await look(next, subjectOf(raw, tracked({ back: '15002' }))), { status: 'final', block: { height: 15_000n } })
  const asked = JSON.stringify(next.requests)
  t.notMatch(asked, /"16[0-9]{3}"/, 'nothing after the state that has its sequence used')
  // One that kept no beginning, as an earlier version did not, begins at that state.
  const { back: _, ...older } = keep
  t.match(await lookAt(history(15_990n), { ...tracked(), keep: older }), { status: 'final', block: { height: 15_990n } })
  const behind = await lookAt(history(990n, 1_000n), { ...tracked(), keep: { used_at: '2000', scanned: '1000', back: '1000' } })
  t.match(behind, { status: 'final' }, 'a node that has its sequence used sooner')
})

t.test('a look into the past reads sixty blocks, or what is left of them', async (t) => {
  for (const [back, first, last] of [
    ['2000', 1_940n, 1_999n],
    ['1062', 1_002n, 1_061n],
    ['1061', 1_001n, 1_060n],
    ['1010', 1_001n, 1_009n],
  ] as const) {
    const heights: bigint[] = []
    const { block } = tableOf({ ...base, index: false, head: 16_000n, landed: [forged] })
    const node = historyNode(
      { ...base, index: false, head: 16_000n, landed: [forged] },
      {
        block(params: { height: string }) {
          heights.push(BigInt(params.height))
          return typeof block === 'function' ? block(params) : block
        },
      },
    )
    const keep = { scanned: '16000', used_at: '16000', back }
    t.match(await look(node, subjectOf(raw, { keep, accepted: false })), { unfinished: true, keep: { back: String(first) } })
    const all = heights.toSorted((a, b) => (a < b ? -1 : 1))
    t.same([all[0], all.at(-1), all.length], [first, last, Number(last - first) + 1], back)
  }
})

t.test('a place that a look has told is looked at where the state has come to it', async (t) => {
  const at = (rival_at: string) => lookAt({ index: false, landed: [ours] }, { keep: { free_at: '985', rival_at } })
  for (const place of ['990', '989', '1000', '1001', '5000']) t.match(await at(place), { status: 'final', block: { height: 990n } }, place)
})

t.test('who confirms what was found long ago looks into its block first', async (t) => {
  const early = { index: false, landed: [{ ...ours, height: 400n }] }
  const { keep } = await lookOn(early, { firstSeen: timeAt(999n), accepted: false })
  const shared = Object.fromEntries(Object.entries(keep).filter(([name]) => !PROGRESS.includes(name)))
  t.match(await lookAt(early, { firstSeen: timeAt(999n), keep: shared }), { status: 'final', block: { height: 400n } }, 'in one look')
})

t.test('a hash alone is not looked for in blocks, and the sentence says what would help', async (t) => {
  const sentence = /none finds one by its hash alone. Track it with its signed bytes, and blocks are looked through for it/
  await t.rejects(lookAt({ index: false }, hashAlone), { statusCode: 503, code: 'TRANSACTION_NOT_KEPT', message: sentence })
  const unordered = subjectOf(raw)
  const { sequence: _, ...facts } = unordered.bounds?.facts ?? {}
  const bounds = unordered.bounds && { ...unordered.bounds, facts }
  await t.rejects(lookAt({ index: false }, { bounds }), { code: 'TRANSACTION_NOT_KEPT', message: /keeps no index of transactions/ })
})

t.test('blocks that one endpoint has let go of are looked for at the next', async (t) => {
  const archive = historyNode({ ...base, index: false, landed: [ours] })
  const pruned = historyNode({ ...base, index: false, landed: [ours], lowest: 995n })
  t.match(await look([pruned, archive], subjectOf(raw, free(985n))), { status: 'final', block: { height: 990n } })
})

t.test('a block that has it is not enough where nobody keeps what came of it', async (t) => {
  const at = (landed: LandedTransaction) => lookAt({ index: false, results: false, landed: [landed] }, free(985n))
  await t.rejects(at(ours), {
    statusCode: 503,
    code: 'TRANSACTION_NOT_KEPT',
    message: /Block 990 has the transaction.*discard_abci_responses/,
  })
  const other = await at(theirs)
  t.match(other, { status: 'replaced', replacedBy: hashOf(rival) }, 'that another is in its place all blocks prove')
  t.match(other.keep, { rival: hashOf(rival), rival_at: undefined }, 'and its own bytes do not')
})

t.test('times that no chain has end the search, and prove nothing', async (t) => {
  const chaos: Table = {
    blockchain: ({ minHeight }: { minHeight: string }) => ({
      block_metas: [
        { block_id: { hash: 'AB'.repeat(32) }, header: { chain_id: one.chainId, height: minHeight, time: '2030-01-01T00:00:00Z' } },
      ],
    }),
  }
  const landed = [{ ...ours, height: 400n }]
  const seen = await lookOn({ index: false, landed }, { firstSeen: timeAt(399n) }, chaos)
  t.match(seen, { status: 'final', block: { height: 400n } }, 'and the blocks before are looked through all the same')
  const node = historyNode({ ...base, index: false, landed, head: 1000n })
  await look(node, subjectOf(raw, { firstSeen: timeAt(399n) }))
  t.ok(node.requests.length <= 14, `${node.requests.length} requests: two waves, some steps, and one piece of 60 blocks`)
})

t.test('a sequence that was told to be free ages ago is not believed', async (t) => {
  await t.rejects(lookAt({ index: false, landed: [forged], head: 200_000n }, free(9n)), {
    statusCode: 503,
    code: 'TRANSACTION_NOT_KEPT',
    message: /more blocks than are looked through/,
  })
})

t.test('what was found to have replaced it is found again by who confirms, in its block', async (t) => {
  const early = { index: false, landed: [{ ...theirs, height: 890n }] }
  const found = await lookOn(early, free(800n))
  t.match(found, { status: 'replaced', replacedBy: hashOf(rival), looks: 2, keep: { free_at: '800', rival_at: '890' } })
  // A witness is shown no place of another's.
  const { scanned: _scanned, rival: _rival, ...shared } = found.keep as Record<string, string>
  t.same(connect(hubOne, silent).kit.life!.progress, PROGRESS)
  t.match(await lookAt(early, { keep: shared }), { status: 'replaced', certainty: 'proven', replacedBy: hashOf(rival) }, 'in one look')
  const contradicts = { index: false, landed: [{ ...ours, height: 889n }] }
  const first = await lookAt(contradicts, { keep: shared })
  t.match(first, { status: 'pending', unfinished: true }, 'it is not there, and is looked for from the beginning')
  t.match(await lookAt(contradicts, { keep: first.keep }), { status: 'final', block: { height: 889n } })
})

/** The same with another memo, which its signature does not cover. */
function spoilt(raw: Uint8Array): Uint8Array {
  const { bodyBytes, ...rest } = TxRaw.decode(raw)
  return TxRaw.encode({ ...rest, bodyBytes: TxBody.encode({ ...TxBody.decode(bodyBytes), memo: 'made up' }).finish() }).finish()
}

t.test('celestia-core proves it by what it has of the blocks since', async (t) => {
  const proven = { status: 'replaced', certainty: 'proven' }
  for (const results of [true, false])
    t.match(
      await lookTwo({ index: false, results, landed: [theirTwo] }, free(940n)),
      { ...proven, replacedBy: hashOf(theirTwo.raw) },
      'it is named by what the account has signed in the blocks since',
    )
  t.match(
    await lookTwo({ index: false, landed: [theirTwo] }, free(939n)),
    { ...proven, replacedBy: null },
    'more blocks than one look goes through',
  )
  t.match(await lookTwo({ index: false, landed: [{ ...theirTwo, raw: spoilt(theirTwo.raw) }] }, free(985n)), {
    ...proven,
    replacedBy: null,
  })
  const blockless = historyNode({ ...celestia, index: false, landed: [theirTwo] }, { block: new RpcError('boom') })
  t.match(
    await look(blockless, subjectOf(ourTwo.raw, free(985n), hubTwo), hubTwo),
    { ...proven, replacedBy: null },
    'a name is not worth the state',
  )
  t.match(await lookTwo({ landed: [theirTwo] }, free(985n)), { status: 'replaced', replacedBy: hashOf(theirTwo.raw) })
  t.match(await lookTwo({ index: false, landed: [theirTwo] }), { status: 'replaced' }, 'a node that has every block')
  await t.rejects(lookTwo({ index: false, landed: [theirTwo], lowest: 987n }, free(985n)), { code: 'TRANSACTION_UNSEEN' })
  t.match(await lookTwo({ index: false, landed: [theirTwo], lowest: 987n }, { ...free(985n), accepted: false }), { status: 'unknown' })
  t.match(await lookTwo({ index: false, landed: [ourTwo] }, free(985n)), { status: 'final' })
  await t.rejects(
    lookTwo({ index: false, landed: [ourTwo], lowest: 995n }, free(985n)),
    { code: 'TRANSACTION_UNSEEN' },
    'it has landed, and that was forgotten',
  )
})
