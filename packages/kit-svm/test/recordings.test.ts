// Every answer of a validator that a reader of the kit could meet, and what comes out of it.
import { membersOf } from '@svc/contract'
import { recordings } from '@svc/testing/recordings'
import t from 'tap'
import { accountOf } from '../src/accounts.ts'
import { findAccounts, readAccounts, readEpoch, readSlotSeconds, readVoteAccounts, svm } from '../src/index.ts'
import { byNonce } from '../src/life/by-nonce.ts'
import { readExecution } from '../src/life/execution.ts'
import { requireHistory } from '../src/life/first-block.ts'
import { readHead } from '../src/life/head.ts'
import { readStatus } from '../src/life/status.ts'
import { liveNode } from '../src/liveness.ts'
import { nonceValue } from '../src/nonce.ts'
import { unitPriceOf } from '../src/unit-price.ts'
import { connect } from './support/node.ts'
import { paramsOf, RECORDED, recordedNode, resultOf } from './support/recorded.ts'

type Reader = (ctx: ReturnType<typeof connect>, params: readonly unknown[]) => unknown

const STAKE = 'Stake11111111111111111111111111111111111111'
const SYSTEM = '11111111111111111111111111111111'
const SYSVARS = 'Sysvar1111111111111111111111111111111111111'
const UNREAD = 'UPSTREAM_ERROR'
const stake = String(paramsOf('account-stake')[0])
const [landed = '', failed = ''] = paramsOf('statuses')[0] as readonly string[]

const account: Reader = ({ client }, params) =>
  client.rpc('getAccountInfo', params, (answer) => {
    const { value } = membersOf(answer)
    if (value === null) return null
    const { lamports, owner, data } = accountOf(value)
    return { lamports, owner, bytes: data.length, nonce: nonceValue({ lamports, owner, data }) }
  })
const accounts: Reader = async ({ client }, [addresses]) => {
  const found = await readAccounts(client, addresses as readonly string[])
  return found.map((each) => each && [each.lamports, each.owner, each.data.length])
}
const search: Reader = async ({ client }) => {
  const found = await findAccounts(client, { program: STAKE, filters: [], fits: () => true })
  return found.map(({ address, lamports, data }) => [address, lamports, data.length])
}
const vote: Reader = ({ client }, [{ votePubkey }]: any) =>
  readVoteAccounts(client, ([own]) => own && [own.activatedStake, own.commissionPercent, own.delinquent, own.credits.length], votePubkey)
const statuses: Reader = async ({ client }) => readStatus(client, landed, { history: true })
const record: Reader = async ({ client }, [hash]) => {
  const found = await readExecution(client, String(hash), 'confirmed', null)
  return found && [found.slot, found.time?.getTime(), found.verdict.err, found.receipt.fee, found.receipt.accounts.length]
}
const latest: Reader = async (ctx) => {
  const { blockhash, lastValidBlockHeight } = await svm.preflight(ctx, stake, {})
  return [blockhash, lastValidBlockHeight]
}

/** By reader: what comes out of each recording, or the code of the refusal. Where a reader asks more than one question, the others are answered well. */
const TABLE: readonly (readonly [reader: Reader, Readonly<Record<string, unknown>>])[] = [
  [
    account,
    {
      'account-wallet': { lamports: 1_000_000_000n, owner: SYSTEM, bytes: 0, nonce: null },
      'account-none': null,
      'account-stake': { lamports: 3_000_000_000n, owner: STAKE, bytes: 200, nonce: null },
      'account-slice': { lamports: 3_000_000_000n, owner: STAKE, bytes: 32, nonce: null },
      'account-slice-beyond': { lamports: 3_000_000_000n, owner: STAKE, bytes: 0, nonce: null },
      'account-clock': { lamports: 1_169_280n, owner: SYSVARS, bytes: 40, nonce: null },
      'account-token-program': { lamports: 1_141_440n, owner: 'BPFLoaderUpgradeab1e11111111111111111111111', bytes: 4, nonce: null },
      // In base58, which is not asked for, and is not taken for base64.
      'account-no-encoding': UNREAD,
      'account-bad-commitment': UNREAD,
      'account-bad-address': UNREAD,
      'account-bad-encoding': UNREAD,
      'account-base58-long': UNREAD,
      'account-no-params': UNREAD,
      'account-number': UNREAD,
      'account-short-address': UNREAD,
    },
  ],
  [
    accounts,
    {
      accounts: [[3_000_000_000n, STAKE, 200], null, [1_169_280n, SYSVARS, 40]],
      'accounts-none': [],
      'accounts-101': UNREAD,
    },
  ],
  [
    search,
    {
      'program-accounts-context': [[stake, 3_000_000_000n, 0]],
      // Without its context a list is not taken: an empty one could be a fault.
      'program-accounts': UNREAD,
      'program-accounts-none': UNREAD,
      'program-accounts-five-filters': UNREAD,
      'program-accounts-long-filter': UNREAD,
      'program-accounts-bad-filter': UNREAD,
    },
  ],
  [vote, { 'vote-accounts': [1_000_008_702_451_867n, 0, false, 2], 'vote-accounts-unknown': undefined }],
  [({ client }) => readEpoch(client), { 'epoch-info': { number: 1, slots: 96, over: 50 } }],
  [({ client }) => readHead(client, 'processed'), { 'epoch-info': { slot: 146n, height: 146n } }],
  // 101 slots in a minute: the machine was busy.
  [({ client }) => readSlotSeconds(client), { performance: 60 / 101 }],
  [(ctx) => unitPriceOf(ctx, [stake]), { 'priority-fees': 1_000 }],
  [({ client }) => client.rent(200), { rent: 2_282_880n }],
  [latest, { 'latest-blockhash': ['8NSs18JpdF1hqQ77dSnV7oBniW1UB7nH87g9Ni3ou9hN', 296n] }],
  [({ client }) => requireHistory(client, undefined), { 'first-available-block': undefined }],
  [
    statuses,
    // Three, where one was asked for.
    { statuses: UNREAD, 'statuses-history': UNREAD, 'statuses-bad': UNREAD, 'statuses-short': UNREAD, 'statuses-257': UNREAD },
  ],
  [
    record,
    {
      'transaction-base64': [103n, 1_795_646_592_000, null, 5000n, 3],
      'transaction-no-version': [103n, 1_795_646_592_000, null, 5000n, 3],
      'transaction-failed': [104n, 1_795_646_592_000, { InstructionError: [0, { Custom: 1 }] }, 5000n, 3],
      'transaction-none': null,
      'transaction-json': UNREAD,
      'transaction-processed': UNREAD,
    },
  ],
]
/** Answers to what is asked besides, in the place of recordings that there are not. */
const BESIDES = {
  getAccountInfo: 'account-clock',
  getGenesisHash: 'genesis-hash',
  getMinimumBalanceForRentExemption: ([bytes]: readonly unknown[]) => (128 + Number(bytes)) * 6960,
  getMultipleAccounts: () => ({ context: { slot: 147 }, value: [null] }),
}

t.test('each recorded answer is read, or refused, as the table says', async (t) => {
  const all = recordings('solana')
  for (const [reader, rows] of TABLE)
    for (const [name, wanted] of Object.entries(rows)) {
      const { method } = membersOf(all.get(name)?.request.body)
      const ctx = connect(recordedNode({ ...BESIDES, [String(method)]: name }), RECORDED, 'localnet')
      const told = await Promise.resolve()
        .then(() => reader(ctx, paramsOf(name)))
        .catch(({ code, message }: { code: string; message: string }) => {
          t.notMatch(message, /\/|agave|solana_|serde|InvalidCharacter|commitment|Encoded/, `${name}: nothing of the node's own words`)
          return code
        })
      t.same(told, wanted, name)
    }
})

t.test('what became of a transaction is told as it was', async (t) => {
  const [landedStatus, failedStatus, none] = (resultOf('statuses-history') as { value: readonly unknown[] }).value
  const look = async (txHash: string, status: unknown, more: Readonly<Record<string, string>>) => {
    const node = recordedNode({
      ...BESIDES,
      getEpochInfo: () => ({ ...membersOf(resultOf('epoch-info')), absoluteSlot: 148 }),
      getSignatureStatuses: () => ({ context: { slot: 148 }, value: [status] }),
      getFirstAvailableBlock: 'first-available-block',
      ...more,
    })
    const subject = { txHash, bounds: null, keep: null, firstSeen: null, accepted: false }
    const seen = await svm.life!.look(connect(node, RECORDED, 'localnet'), subject)
    return { status: seen.status, finality: seen.finality, fee: seen.fee, error: seen.error?.code ?? null }
  }
  const final = { status: 'final', finality: 'final', fee: 5000n, error: null }
  t.same(await look(landed, landedStatus, { getTransaction: 'transaction-base64' }), final)
  t.same(await look(landed, landedStatus, { getTransaction: 'transaction-no-version' }), final)
  t.same(await look(failed, failedStatus, { getTransaction: 'transaction-failed' }), {
    ...final,
    status: 'failed',
    error: 'INSUFFICIENT_BALANCE',
  })
  t.same(await look(landed, none, {}), { status: 'unknown', finality: 'none', fee: null, error: null })
  // Of one that has its status and no record yet nothing is said, and another's record is none.
  await t.rejects(look(landed, landedStatus, { getTransaction: 'transaction-none' }), { code: 'UPSTREAM_BEHIND' })
  await t.rejects(look(failed, failedStatus, { getTransaction: 'transaction-base64' }), { code: 'UPSTREAM_ERROR' })
})

t.test('a block hash that a validator knows keeps a transaction alive, and one that it does not know proves nothing', async (t) => {
  const bounds = { wallet: stake, validUntil: null, facts: { blockhash: '8NSs18JpdF1hqQ77dSnV7oBniW1UB7nH87g9Ni3ou9hN' } } as never
  for (const [name, keep] of [
    ['blockhash-valid', { since: '0', last: '297' }],
    ['blockhash-unknown', {}],
  ] as const) {
    const node = recordedNode({
      ...BESIDES,
      isBlockhashValid: name,
      getEpochInfo: 'epoch-info',
      getSignatureStatuses: () => ({ context: { slot: 148 }, value: [null] }),
    })
    const subject = { txHash: landed, bounds, keep: null, firstSeen: null, accepted: true }
    const seen = await svm.life!.look(connect(node, { ...RECORDED }, 'localnet'), subject)
    t.match(seen, { status: 'pending', certainty: 'likely' }, name)
    t.same(seen.keep, name === 'blockhash-valid' ? { since: '0', last: '296' } : keep, name)
  }
})

t.test('a validator is known by its genesis hash, and its head is as old as its clock', async (t) => {
  const network = (more: object) => connect(recordedNode({}), { ...RECORDED, max_block_age: 60, ...more }, 'localnet').network
  // The second of the recorded clock.
  const clock = 1_795_646_600
  const [cluster, head] = liveNode(network({}), { now: () => new Date((clock + 60) * 1000) })
  t.doesNotThrow(() => cluster!.read(resultOf('genesis-hash')))
  t.doesNotThrow(() => head!.read(resultOf('account-clock')))
  const [other] = liveNode(network({ genesis_hash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }), { now: () => new Date() })
  t.throws(() => other!.read(resultOf('genesis-hash')), /instead of localnet/)
  const [, late] = liveNode(network({}), { now: () => new Date((clock + 61) * 1000) })
  t.throws(() => late!.read(resultOf('account-clock')), /has fallen behind/)
  for (const name of ['account-none', 'account-stake', 'account-slice']) t.throws(() => late!.read(resultOf(name)), { code: UNREAD }, name)
})

t.test('vote accounts other than the one that was asked for say nothing of it', async (t) => {
  const { current } = resultOf('vote-accounts') as { readonly current: readonly { readonly votePubkey: string }[] }
  const read = (only: string, result: unknown) => {
    const ctx = connect(recordedNode({ ...BESIDES, getVoteAccounts: () => result }), RECORDED, 'localnet')
    return readVoteAccounts(ctx.client, (all) => all.length, only)
  }
  const own = current[0]!.votePubkey
  t.equal(await read(own, { current, delinquent: [] }), 1)
  t.equal(await read(own, { current: [], delinquent: [] }), 0, 'there is none')
  for (const result of [
    { current, delinquent: current },
    { current: [...current, { ...current[0], votePubkey: stake }], delinquent: [] },
  ])
    await t.rejects(read(own, result), { code: UNREAD })
  for (const result of [
    { current, delinquent: [] },
    { current: [], delinquent: current },
  ])
    await t.rejects(read(stake, result), { code: UNREAD })
})

t.test('who used a nonce is found among those that a validator lists', async (t) => {
  const confirm = (signatures: string, hash: string) => {
    const ctx = connect(
      recordedNode({ getGenesisHash: 'genesis-hash', getAccountInfo: 'account-none', getSignaturesForAddress: signatures }),
      RECORDED,
      'localnet',
    )
    return byNonce.confirm(ctx, { nonce_account: stake, nonce: 'gone' }, { finalized: 100n, keep: { since: 103n } } as never, hash)
  }
  t.same(await confirm('signatures', landed), { over: true, by: failed }, 'the one that is later than the nonce was seen')
  t.same(await confirm('signatures-until', landed), { over: true, by: failed })
  t.same(await confirm('signatures', failed), { over: false, by: failed }, 'which may be the transaction itself')
  for (const name of ['signatures-none', 'signatures-before-unknown', 'signatures-limit-0', 'signatures-limit-1001'])
    t.same(await confirm(name, landed), { over: true, by: null }, name)
})

/** Recordings that no reader of the kit meets, with the reason. */
const UNMET: Readonly<Record<string, RegExp>> = {
  'is never asked by the kit':
    /^(health|health-get|root-get|version|slot|slot-min-context|block-height|epoch-schedule|balance|balance-none|fee|fee-no-blockhash|token-.*|inflation-governor|inflation-reward-.*)$/,
  'is read by the plugins, and tried there': /^(inflation-rate|supply|stake-minimum|pool-.*)$/,
  'is of a question in a form that the kit has not: it sends single calls, with a version, a number and a list':
    /^(batch.*|no-.*|id-text|params-object|not-json|body-.*)$/,
}

t.test('no recorded answer is left out', async (t) => {
  const met = new Set([...TABLE.flatMap(([, rows]) => Object.keys(rows)), 'genesis-hash', 'blockhash-valid', 'blockhash-unknown'])
  const left = [...recordings('solana').keys()].filter((name) => !met.has(name) && !/^(send|simulate|method|signatures)\b/.test(name))
  const reasons = Object.values(UNMET)
  t.same(
    left.filter((name) => !reasons.some((reason) => reason.test(name))),
    [],
  )
  t.same(
    [...met].filter((name) => reasons.some((reason) => reason.test(name))),
    [],
    'and none is both',
  )
})
