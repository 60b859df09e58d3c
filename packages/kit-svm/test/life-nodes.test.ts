import { type EndpointError, type Facts, isEndpointError, type Subject } from '@svc/contract'
import type { Upstream } from '@svc/contract/host'
import t from 'tap'
import {
  at,
  bounds,
  execution,
  HEIGHT,
  honest,
  life,
  lookAt,
  SLOT,
  SYSTEM,
  signed,
  status,
  subject,
  unknown,
  unstake,
} from './support/life.ts'
import { account, clockOf, connect, nodeOf, type Table } from './support/node.ts'

t.test('one wave for the state, one for the record of what is in a block, and one for the stake that no record tells', async (t) => {
  const node = nodeOf(honest)
  t.match(await life.look(connect(node), subject()), {
    status: 'final',
    fee: 5020n,
    block: { height: BigInt(SLOT - 50), time: new Date(1_795_000_000_000) },
  })
  t.same(node.asked, [
    'getEpochInfo',
    'getEpochInfo',
    'isBlockhashValid',
    'getSignatureStatuses',
    'getTransaction',
    'getMultipleAccounts',
    'getSignaturesForAddress',
  ])
  const young = nodeOf({ ...honest, ...unknown, isBlockhashValid: at(SLOT, true) })
  t.match(await life.look(connect(young), subject()), { status: 'pending', certainty: 'likely' })
  t.equal(young.asked.length, 4)
})

t.test('what no node gives is not believed', async (t) => {
  const lies: Readonly<Record<string, Table>> = {
    'no statuses': { getSignatureStatuses: at(SLOT, []) },
    'two statuses': { getSignatureStatuses: at(SLOT, [null, null]) },
    'a status that is a number': { getSignatureStatuses: at(SLOT, [7]) },
    'no context': { getSignatureStatuses: { value: [null] } },
    'a status without a word for it': { getSignatureStatuses: status({ confirmationStatus: undefined }) },
    'a word that there is not': { getSignatureStatuses: status({ confirmationStatus: 'rooted' }) },
    'a status without err': { getSignatureStatuses: status({ err: undefined }) },
    'an err that is none': { getSignatureStatuses: status({ err: 7 }) },
    'a block that the node has not come to': { getSignatureStatuses: status({ slot: SLOT + 1 }) },
    'more blocks than slots': { getEpochInfo: { absoluteSlot: SLOT, blockHeight: SLOT + 1 } },
    'a height below zero': { getEpochInfo: { absoluteSlot: SLOT, blockHeight: -1 } },
    'a validity that is a word': { isBlockhashValid: at(SLOT, 'yes') },
    'another transaction': {
      getTransaction: execution({
        transaction: [Buffer.from(`01${'11'.repeat(64)}${signed.slice(130)}`, 'hex').toString('base64'), 'base64'],
      }),
    },
    'other bytes under its signature': {
      getTransaction: execution({ transaction: [Buffer.from(`${signed.slice(0, -2)}01`, 'hex').toString('base64'), 'base64'] }),
    },
    'a transaction cut short': {
      getTransaction: execution({ transaction: [Buffer.from(signed.slice(0, -2), 'hex').toString('base64'), 'base64'] }),
    },
    'no bytes': { getTransaction: execution({ transaction: { signatures: [unstake.hash] } }) },
    'a record without meta': { getTransaction: execution({ meta: null }) },
    'a record that failed': { getTransaction: execution({}, { err: 'AccountInUse' }) },
    'a record of a success': { getSignatureStatuses: status({ err: 'AccountInUse' }) },
    'lamports from nowhere': { getTransaction: execution({}, { postBalances: [8_994_981, 8, 1, 1, 1] }) },
    'a fee that nobody has': { getTransaction: execution({}, { fee: 9_000_001, postBalances: [0, 0, 0, 0, 0] }) },
    'balances of other accounts': { getTransaction: execution({}, { preBalances: [9_000_000] }) },
    'a fee below zero': { getTransaction: execution({}, { fee: -1 }) },
    'addresses that it does not look up': { getTransaction: execution({}, { loadedAddresses: { writable: [SYSTEM], readonly: [] } }) },
    'a time before the chain': { getTransaction: execution({ blockTime: 1 }) },
    'tokens of an account that there is not': {
      getTransaction: execution({}, { preTokenBalances: [{ accountIndex: 9, mint: SYSTEM, uiTokenAmount: { amount: '1' } }] }),
    },
    'tokens that are no number': {
      getTransaction: execution({}, { postTokenBalances: [{ accountIndex: 1, mint: SYSTEM, uiTokenAmount: { amount: '1.5' } }] }),
    },
  }
  for (const [name, lie] of Object.entries(lies)) await t.rejects(lookAt(lie), { statusCode: 502, code: 'UPSTREAM_ERROR' }, name)
})

t.test('why one failed is told in the words of the table, and never in those of a node', async (t) => {
  const errorFor = async (err: unknown) => {
    const table = { getSignatureStatuses: status({ err }), getTransaction: execution({}, { err }) }
    return (await lookAt(table)).error
  }
  t.match(await errorFor('TooManyAccountLocks'), { code: 'TooManyAccountLocks', reason: 'It says TooManyAccountLocks.' })
  for (const said of ['panicked at /home/sol/main.rs:7', 'craft again', 'constructor', 'E'.repeat(65)])
    for (const err of [said, { [said]: 1 }])
      t.match(await errorFor(err), { code: 'CHAIN_REFUSED', reason: 'Its node gives a reason that the chain has no name for.' })
})

t.test('a node that is behind unsays nothing that was seen', async (t) => {
  const seen = { since: '990000', last: '900100', included: String(SLOT - 10) }
  for (const known of [at(SLOT, [null]), status({ slot: SLOT, confirmationStatus: 'processed' })])
    await t.rejects(lookAt({ getSignatureStatuses: known }, subject(seen)), { statusCode: 503, code: 'UPSTREAM_BEHIND' })
  t.match(
    await lookAt({ ...unknown, getSignatureStatuses: at(SLOT + 100, [null]) }, subject(seen)),
    { status: 'pending' },
    'a block that is gone',
  )
  await t.rejects(lookAt({ getTransaction: null }), { code: 'UPSTREAM_BEHIND' }, 'its record is not there yet')
})

t.test('what is said to be final above the final block is not yet', async (t) => {
  t.match(await lookAt({ getSignatureStatuses: status({ slot: SLOT - 5 }) }), { status: 'included', finality: 'included' })
})

const old = { since: '990000', last: String(HEIGHT - 33) }

t.test('it has expired when everything that could say otherwise has been asked', async (t) => {
  t.match(await lookAt(unknown, subject(old)), { status: 'expired', certainty: 'proven' })
  t.match(await lookAt(unknown, subject({ ...old, last: String(HEIGHT - 32) })), { status: 'pending' }, 'a height too early')
  t.match(await lookAt({ ...unknown, isBlockhashValid: at(SLOT, true) }, subject(old)), { status: 'pending' }, 'its hash is fresh here')
  t.match(await lookAt(unknown, subject(old, { bounds: null, accepted: false })), { status: 'unknown' }, 'a hash alone proves nothing')
  t.match(await lookAt(unknown, subject(null, { firstSeen: null, accepted: false, bounds: null })), { status: 'unknown' })
})

t.test('between the two waves it may be found after all', async (t) => {
  let asked = 0
  const found = await lookAt(
    { ...unknown, getSignatureStatuses: () => (asked++ === 0 ? at(SLOT, [null]) : status()), getTransaction: execution() },
    subject(old),
  )
  t.match(found, { status: 'final' })
})

t.test('the second wave is to know at least as much as the first', async (t) => {
  let heads = 0
  const behind = ([{ commitment }]: [{ commitment: string }]) =>
    heads++ < 2 ? honest.getEpochInfo([{ commitment }]) : { absoluteSlot: SLOT - 32, blockHeight: HEIGHT - 100 }
  await t.rejects(lookAt({ ...unknown, getEpochInfo: behind }, subject(old)), { code: 'UPSTREAM_BEHIND' }, 'its final height')
  let asked = 0
  const lagging = () => at(asked++ === 0 ? SLOT : SLOT - 33, [null])
  await t.rejects(lookAt({ ...unknown, getSignatureStatuses: lagging }, subject(old)), { code: 'UPSTREAM_BEHIND' }, 'its slot')
  let fresh = 0
  const isBlockhashValid = () => at(SLOT, fresh++ > 0)
  t.match(await lookAt({ ...unknown, isBlockhashValid }, subject(old)), { status: 'pending' }, 'its hash')
})

t.test('a node that has not everything since the first sight proves nothing', async (t) => {
  const pruned = { ...unknown, getFirstAvailableBlock: 990_001 }
  await t.rejects(lookAt(pruned, subject(old)), { statusCode: 503, code: 'TRANSACTION_UNSEEN', message: /slot 990001 on/ })
  t.match(await lookAt(pruned, subject(old, { accepted: false })), { status: 'unknown' })
  t.match(await lookAt({ ...unknown, getFirstAvailableBlock: 990_000 }, subject(old)), { status: 'expired' })
  const { since: _since, ...ageless } = old
  await t.rejects(lookAt({ ...unknown, getFirstAvailableBlock: 1 }, subject(ageless)), {
    code: 'TRANSACTION_UNSEEN',
    message: /age is not known/,
  })
  const archive = nodeOf({ ...honest, ...unknown })
  const nodes = [nodeOf({ ...honest, ...pruned }), archive]
  t.match(
    await life.look(connect(failover(nodes.map(({ fetch }) => fetch))), subject(old)),
    { status: 'expired' },
    'an archive is asked next',
  )
})

t.test('a node that is behind at the first sight counts with as many blocks as it may be behind', async (t) => {
  const first = await lookAt(unknown)
  t.match(first, { status: 'pending', keep: { last: String(HEIGHT + 1500 + 150) } })
  t.notOk('since' in first.keep)
  const fresh = await lookAt({ ...unknown, isBlockhashValid: at(SLOT + 3, true) })
  t.same(fresh.keep, { since: String(SLOT + 3 - 1500), last: String(HEIGHT + 3 + 150) })
  const unlimited = await life.look(connect(nodeOf({ ...honest, ...unknown }), { max_block_age: 0 }), subject())
  t.same(unlimited.keep, {}, 'where nothing says how far behind, nothing bounds it')
})

t.test('of a nonce only a value that was seen on the chain can have been used', async (t) => {
  const facts = { nonce_account: 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9', nonce: bounds.facts.blockhash! }
  const durable: Subject = subject(null, { bounds: { ...bounds, facts } })
  type Held = ReturnType<typeof Buffer.alloc> | null
  const held = Buffer.alloc(80)
  held.writeUInt32LE(1, 0)
  held.writeUInt32LE(1, 4)
  held.fill(7, 40, 72)
  const ours = Buffer.from(held)
  ours.set(
    Buffer.from(signed, 'hex')
      .subarray(1 + 64 + 3 + 1 + 5 * 32)
      .subarray(0, 32),
    40,
  )
  const accounts = (confirmed: Held, final: Held) => ({
    ...unknown,
    getAccountInfo: ([address, { commitment }]: [string, { commitment: string }]) => {
      if (address.startsWith('Sysvar')) return clockOf()
      const [data, slot] = commitment === 'finalized' ? [final, SLOT - 32] : [confirmed, SLOT]
      return at(slot, data && account(1_447_680, SYSTEM, data))
    },
    getSignaturesForAddress: [
      { signature: 'later', slot: SLOT - 33 },
      { signature: 'before', slot: SLOT - 500 },
    ],
  })
  const look = (table: Table, keep: Facts | null) => lookAt(table, { ...durable, keep })
  t.match(await look(accounts(ours, ours), null), { status: 'pending', keep: { since: String(SLOT) } })
  t.match(await look(accounts(ours, held), null), { status: 'pending', keep: { since: String(SLOT) } }, 'not final yet')
  t.match(await look(accounts(held, held), null), { status: 'pending' }, 'never seen')
  const seen = { since: String(SLOT - 100) }
  t.match(await look(accounts(held, held), seen), { status: 'replaced', replacedBy: 'later' })
  t.match(await look(accounts(held, ours), seen), { status: 'pending' }, 'used, and that is not final')
  t.match(await look(accounts(null, null), seen), { status: 'replaced' }, 'the account was closed')
  const two = [
    { signature: 'b', slot: SLOT - 33 },
    { signature: 'a', slot: SLOT - 34 },
  ]
  t.match(
    await look({ ...accounts(held, held), getSignaturesForAddress: two }, seen),
    { status: 'replaced', replacedBy: null },
    'one of two',
  )
  const own = [{ signature: unstake.hash, slot: SLOT - 33 }]
  t.match(await look({ ...accounts(held, held), getSignaturesForAddress: own }, seen), { status: 'pending' }, 'it was this one')
  t.match(await look({ ...accounts(held, held), getSignaturesForAddress: null }, seen), { status: 'replaced', replacedBy: null })
  t.match(await look(accounts(held, held), { settled: String(SLOT - 33) }), { status: 'replaced' }, 'it must have been there by now')
  t.match(await look(accounts(held, held), { settled: String(SLOT - 32) }), { status: 'pending' })
})

/** Endpoints one after the other: after one that gives no verdict the next. */
function failover(fetches: readonly (typeof fetch)[]): Upstream {
  return {
    fetch: fetches[0]!,
    async exchange(work) {
      let last: EndpointError | undefined
      for (const [index, send] of fetches.entries()) {
        try {
          return await work(send, index + 1)
        } catch (error) {
          if (!isEndpointError(error)) throw error
          last = error
        }
      }
      throw last!.refusal
    },
  }
}
