import t from 'tap'
import { at, EPOCH, execution, honest, life, listed, lookAt, SLOT, STAKE, schedule, stakeAccount, status, subject } from './support/life.ts'
import { account, connect, nodeOf, over, type Table } from './support/node.ts'
import { vector } from './support/vectors.ts'

const accounts = (stake: unknown, times: unknown = schedule()) => ({ getMultipleAccounts: at(SLOT, [stake, times]) })
const stakesOf = async (table: Table) => (await lookAt(table)).receipt!.stakes
const told = async (table: Table) => {
  const [change, ...others] = await stakesOf(table)
  t.match(change, { account: STAKE, kind: 'deactivated' })
  t.equal(others.length, 0)
  return change!.amount ?? change!.reason
}
const later = (more: object = {}) => ({ signature: 'x', slot: SLOT, err: null, ...more })
const failed = (count: number) => Array.from({ length: count }, () => later({ err: 'AccountInUse' }))

t.test('what was deactivated is read from the account, at the firmness of the block, and proven by its epoch', async (t) => {
  t.equal(await told({}), 7n)
  const asked: unknown[] = []
  const node = nodeOf({
    ...honest,
    getMultipleAccounts: (params: unknown) => {
      asked.push(params)
      return honest.getMultipleAccounts
    },
    getSignaturesForAddress: (params: unknown) => {
      asked.push(params)
      return [listed]
    },
  })
  const look = () => life.look(connect(node), subject())
  await look()
  const sysvar = 'SysvarEpochSchedu1e111111111111111111111111'
  t.same(asked, [
    [[STAKE, sysvar], { encoding: 'base64', commitment: 'finalized' }],
    [STAKE, { limit: 21, commitment: 'confirmed' }],
  ])
})

t.test('what the account does not prove is null, with what is missing', async (t) => {
  const unproven: readonly (readonly [Table, RegExp])[] = [
    [accounts(null), /closed or changed since/],
    [accounts(account(8)), /closed or changed since/],
    [accounts(stakeAccount({ state: 1 })), /closed or changed since/],
    [accounts(stakeAccount({ bytes: 201 })), /closed or changed since/],
    [accounts(stakeAccount({ lamports: 9 })), /held 8 lamports after the transaction and holds 9 now/],
    [accounts(stakeAccount({ lamports: 7 })), /holds 7 now/],
    [accounts(stakeAccount({ deactivation: EPOCH - 1n })), /deactivated in epoch 1, and the block is of epoch 2/],
    [accounts(stakeAccount({ deactivation: EPOCH + 1n })), /deactivated in epoch 3/],
    [accounts(stakeAccount({ stake: 9n })), /9 lamports of stake in a balance of 8/],
    [accounts(stakeAccount({ stake: 0n })), /0 lamports of stake/],
    [{ getSignaturesForAddress: [later(), listed] }, /A later transaction names the stake account/],
    [{ getSignaturesForAddress: [later({ slot: SLOT - 50 }), listed] }, /A later transaction/],
    [{ getSignaturesForAddress: [later({ err: { InstructionError: [0, 'x'] } }), later(), listed] }, /A later transaction/],
    [{ getSignaturesForAddress: failed(21) }, /A later transaction/],
    [{ getSignaturesForAddress: [] }, /No node lists this transaction among those of the stake account/],
    [{ getSignaturesForAddress: failed(20) }, /No node lists this transaction/],
    [{ getSignaturesForAddress: [later({ slot: SLOT - 51 })] }, /No node lists this transaction/],
  ]
  for (const [table, reason] of unproven) t.match(await told(table), reason)
  t.equal(await told({ getSignaturesForAddress: [...failed(20), listed] }), 7n, 'what failed has changed nothing')
  t.equal(await told({ getSignaturesForAddress: [listed, later({ slot: SLOT - 51 })] }), 7n, 'nor has what came before')
})

t.test('a list that lacks the transaction is no proof: the next endpoint is asked for its own', async (t) => {
  const nodes = [[], [listed]].map((getSignaturesForAddress) => nodeOf({ ...honest, getSignaturesForAddress }))
  const { receipt } = await life.look(connect(over(...nodes)), subject())
  t.match(receipt!.stakes, [{ amount: 7n, reason: null }])
  const changed = [[], [later(), listed]].map((getSignaturesForAddress) => nodeOf({ ...honest, getSignaturesForAddress }))
  const { receipt: other } = await life.look(connect(over(...changed)), subject())
  t.match(other!.stakes, [{ amount: null, reason: /A later transaction/ }])
})

t.test('an epoch is counted as the chain counts it, through those that double at its start', async (t) => {
  const slot = BigInt(SLOT - 50)
  const doubling = { slots: 2n ** 40n, firstSlot: slot + 1n, firstEpoch: 99n }
  t.equal(
    await told(accounts(stakeAccount({ deactivation: 7n }), schedule({ slots: 100_000n, firstSlot: slot - 200_000n, firstEpoch: 5n }))),
    7n,
  )
  t.equal(
    await told(accounts(stakeAccount({ deactivation: 6n }), schedule({ slots: 100_000n, firstSlot: slot - 199_999n, firstEpoch: 5n }))),
    7n,
  )
  await t.rejects(
    lookAt(accounts(stakeAccount(), schedule(doubling))),
    { statusCode: 502, code: 'UPSTREAM_ERROR' },
    'no epoch has so many slots',
  )
  for (const [last, epoch] of [
    [31, 0n],
    [32, 1n],
    [95, 1n],
    [96, 2n],
    [223, 2n],
    [224, 3n],
  ] as const) {
    const times = schedule({ slots: 8_192n, firstSlot: 8_160n, firstEpoch: 8n })
    const table = {
      getSignatureStatuses: status({ slot: last }),
      getTransaction: execution({ slot: last }),
      ...accounts(stakeAccount({ deactivation: epoch }), times),
    }
    t.equal(await told(table), 7n, `slot ${last}`)
  }
})

t.test('what no node gives is not believed', async (t) => {
  const lies: Readonly<Record<string, Table>> = {
    'no accounts': { getMultipleAccounts: at(SLOT, []) },
    'the schedule alone': { getMultipleAccounts: at(SLOT, [schedule()]) },
    'no context': { getMultipleAccounts: { value: [stakeAccount(), schedule()] } },
    'no schedule': accounts(stakeAccount(), null),
    "a schedule of somebody's": accounts(stakeAccount(), schedule({ owner: STAKE })),
    'a short schedule': accounts(stakeAccount(), schedule({ bytes: 32 })),
    'an epoch of no slots': accounts(stakeAccount(), schedule({ slots: 0n })),
    'an epoch of too few slots': accounts(stakeAccount(), schedule({ slots: 31n })),
    'an epoch of too many': accounts(stakeAccount(), schedule({ slots: 10_000_001n })),
    'signatures that are no list': { getSignaturesForAddress: null },
    'a signature without a slot': { getSignaturesForAddress: [{ err: null }] },
  }
  for (const [name, table] of Object.entries(lies)) await t.rejects(lookAt(table), { statusCode: 502, code: 'UPSTREAM_ERROR' }, name)
  const early = { getMultipleAccounts: at(SLOT - 51, [stakeAccount(), schedule()]) }
  await t.rejects(lookAt(early), { statusCode: 503, code: 'UPSTREAM_BEHIND' }, 'accounts of a slot before the block')
})

t.test('what failed has changed no stake, and nothing is asked for it', async (t) => {
  const err = { InstructionError: [1, { Custom: 9 }] }
  const node = nodeOf({ ...honest, getSignatureStatuses: status({ err }), getTransaction: execution({}, { err }) })
  t.same((await life.look(connect(node), subject())).receipt!.stakes, [])
  t.notOk(node.asked.includes('getMultipleAccounts'))
})

t.test('what is delegated leaves the rent of an account and nothing else', async (t) => {
  const { hash, unsigned, walletSignature } = vector('stake, keypair')
  const bytes = Buffer.from(unsigned.slice(0, 2) + walletSignature + unsigned.slice(2 + 128), 'hex')
  const keys = bytes[1 + 64 * (bytes[0] ?? 0) + 3] ?? 0
  const rest = Array<number>(keys - 2).fill(1)
  const balance = 3_000_000_000
  const meta = { fee: 0, preBalances: [9_000_000_000, 0, ...rest], postBalances: [6_000_000_000, balance, ...rest] }
  const amountAt = async (stake: number, activation = EPOCH) => {
    const table = {
      getTransaction: execution({ transaction: [bytes.toString('base64'), 'base64'] }, meta),
      getSignaturesForAddress: [{ ...listed, signature: hash }],
      ...accounts(stakeAccount({ lamports: balance, stake: BigInt(stake), activation, deactivation: 2n ** 64n - 1n })),
    }
    const { receipt } = await lookAt(table, subject(null, { txHash: hash, bounds: null }))
    t.match(receipt!.stakes, [{ account: STAKE, kind: 'delegated' }])
    return receipt!.stakes[0]!.amount
  }
  const most = 328 * 6960
  t.equal(await amountAt(balance - most), BigInt(balance - most), 'at the highest rent that there was')
  t.equal(await amountAt(balance - 328 * 696), BigInt(balance - 328 * 696), 'and at one to come')
  t.equal(await amountAt(balance - most - 1), null)
  t.equal(await amountAt(balance + 1), null)
  t.equal(await amountAt(balance - most, EPOCH - 1n), null)
})
