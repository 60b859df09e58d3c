import t from 'tap'
import { balance } from '../src/balance.ts'
import { objectOf } from '../src/chain/position.ts'
import { decodeAuthorized, decodeHolding, decodeStakeAccount, NEVER, OFFSET, speller } from '../src/chain/stake-account.ts'
import { decodeClock, decodeEpochRewards, decodeStakeHistory } from '../src/chain/sysvars.ts'
import vectors from './vectors/accounts.json' with { type: 'json' }

const data = Buffer.from(vectors.stake.data, 'hex')
const { staker, withdrawer, voter } = vectors.stake
const ID = '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu'

t.test('a delegated stake account has the fields of the vector', async (t) => {
  t.same(decodeStakeAccount(data), {
    staker,
    withdrawer,
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: '11111111111111111111111111111111' },
    delegation: {
      voter,
      stake: BigInt(vectors.stake.stake),
      activationEpoch: BigInt(vectors.stake.activationEpoch),
      deactivationEpoch: BigInt(vectors.stake.deactivationEpoch),
    },
  })
})

t.test('a slice of it shows the same owner and delegation', async (t) => {
  const holding = decodeHolding(data.subarray(OFFSET.withdrawer, OFFSET.deactivationEpochEnd))
  t.equal(holding?.withdrawer, data.subarray(44, 76).toString('hex'))
  t.same(holding?.delegation, { stake: 1_500_000_000n, activationEpoch: 1000n, deactivationEpoch: NEVER })
  t.equal(decodeHolding(data), null, 'and another slice shows nothing')
  const whole = decodeAuthorized(data.subarray(OFFSET.staker, OFFSET.deactivationEpochEnd), speller())
  t.match(whole, {
    staker,
    withdrawer,
    lockup: { unixTimestamp: 0n, epoch: 0n },
    delegation: { stake: 1_500_000_000n, deactivationEpoch: NEVER },
  })
  t.equal(decodeAuthorized(data, speller()), null)
})

t.test('an initialized account has no delegation, whatever its other bytes say', async (t) => {
  const initialized = Buffer.from(data)
  initialized.writeUInt32LE(1)
  t.match(decodeStakeAccount(initialized), { staker, withdrawer, delegation: null })
})

t.test('what belongs to nobody is no stake account', async (t) => {
  for (const state of [0, 3, 4, 2 ** 32 - 1]) {
    const other = Buffer.from(data)
    other.writeUInt32LE(state)
    t.equal(decodeStakeAccount(other), null, `state ${state}`)
  }
  for (const length of [0, 124, 199, 201]) t.equal(decodeStakeAccount(Buffer.alloc(length, data)), null, `${length} bytes`)
})

t.test('the stake history has the entries of the vector, and a cut one none', async (t) => {
  const history = Buffer.from(vectors.history.data, 'hex')
  const entries = vectors.history.entries.map(({ epoch, effective, activating, deactivating }) => [
    BigInt(epoch),
    { effective: BigInt(effective), activating: BigInt(activating), deactivating: BigInt(deactivating) },
  ])
  t.same([...decodeStakeHistory(history)!], entries)
  t.same([...decodeStakeHistory(Buffer.concat([history, Buffer.alloc(3200)]))!], entries, 'zeros may follow')
  t.same([...decodeStakeHistory(Buffer.alloc(16_392))!], [], 'an empty one')
  for (const length of [0, 7, 8, 39, 71]) t.equal(decodeStakeHistory(history.subarray(0, length)), null, `${length} bytes`)
})

t.test('the clock and the flag of rewards are read at their places', async (t) => {
  const clock = Buffer.alloc(40)
  clock.writeBigUInt64LE(440_640_031n, 0)
  clock.writeBigUInt64LE(1020n, 16)
  clock.writeBigInt64LE(1_790_000_000n, 32)
  t.same(decodeClock(clock), { slot: 440_640_031n, epoch: 1020n, unixTimestamp: 1_790_000_000n })
  t.equal(decodeClock(clock.subarray(1)), null)
  const rewards = Buffer.alloc(81)
  t.equal(decodeEpochRewards(rewards), false)
  rewards[80] = 1
  t.equal(decodeEpochRewards(rewards), true)
  // What is cut, empty or of another form says nothing, and not that none are paid.
  for (const bad of [rewards.subarray(0, 80), Buffer.alloc(0), Buffer.alloc(82, 1), Buffer.from([...Buffer.alloc(80), 2])])
    t.equal(decodeEpochRewards(bad), null)
})

t.test('an account becomes an object by its phase', async (t) => {
  const now = { clock: { epoch: 10n, unixTimestamp: 1_790_000_000n }, history: new Map(), paying: false }
  const lockup = { unixTimestamp: 0n, epoch: 0n, custodian: voter }
  const object = (activationEpoch: bigint, deactivationEpoch: bigint, lock: Partial<typeof lockup> = {}) =>
    objectOf(
      ID,
      1_007n,
      {
        staker,
        withdrawer,
        lockup: { ...lockup, ...lock },
        delegation: { voter, stake: 1_000n, activationEpoch, deactivationEpoch },
      },
      now,
    )
  const shared = { id: ID, type: 'delegation', holds: 1_007n, rewards: null, validator: voter, withdrawableAt: null }
  t.same(object(10n, NEVER), { ...shared, status: 'activating', amount: 1_000n, activationEpoch: 11, withdrawableEpoch: null })
  t.same(object(9n, NEVER), { ...shared, status: 'active', amount: 1_000n, activationEpoch: 10, withdrawableEpoch: null })
  t.same(object(9n, 10n), { ...shared, status: 'deactivating', amount: 1_000n, activationEpoch: 10, withdrawableEpoch: 11 })
  t.same(object(8n, 9n), { ...shared, status: 'withdrawable', amount: 1_007n, activationEpoch: 9, withdrawableEpoch: 10 })
  t.same(object(10n, 10n), { ...shared, status: 'withdrawable', amount: 1_007n, activationEpoch: 11, withdrawableEpoch: 10 })
  t.same(object(NEVER, NEVER), { ...shared, status: 'active', amount: 1_000n, activationEpoch: null, withdrawableEpoch: null })
  const paying = { ...now, paying: true }
  t.match(
    objectOf(ID, 5n, { staker, withdrawer, lockup, delegation: null }, paying),
    { status: 'deactivating', amount: 5n },
    'while the chain pays rewards out nothing can be withdrawn',
  )
  t.match(object(11n, NEVER), { status: 'activating' }, 'delegated in an epoch that the clock does not know yet')
  t.match(
    object(8n, 9n, { epoch: 20n }),
    { status: 'deactivating', amount: 1_007n, withdrawableEpoch: 20 },
    'a lockup by epoch holds it longer',
  )
  t.match(
    object(8n, 9n, { epoch: 20n, unixTimestamp: 2n ** 62n, custodian: withdrawer }),
    { status: 'withdrawable', withdrawableEpoch: 10, withdrawableAt: null },
    'but not from its custodian',
  )
  t.match(object(9n, 10n, { epoch: 20n }), { status: 'deactivating', amount: 1_000n, withdrawableEpoch: 20 })
  t.match(object(9n, NEVER, { epoch: 20n }), { status: 'active', withdrawableEpoch: null }, 'nor while it is staked')
  t.match(object(8n, 9n, { epoch: 10n }), { status: 'withdrawable', withdrawableEpoch: 10 }, 'equal is free already')
  t.match(object(8n, 9n, { unixTimestamp: 1_790_000_001n }), {
    status: 'deactivating',
    withdrawableAt: new Date('2026-09-21T14:13:21.000Z'),
  })
  t.match(object(8n, 9n, { unixTimestamp: 2n ** 62n }), { withdrawableAt: new Date('9999-12-31T23:59:59.000Z') })
  t.match(object(8n, NEVER, { epoch: 2n ** 64n - 1n }), { withdrawableEpoch: null })
  t.match(object(8n, 9n, { epoch: 2n ** 64n - 1n }), { withdrawableEpoch: Number.MAX_SAFE_INTEGER })
  const initialized = { staker, withdrawer, lockup: { ...lockup, epoch: 2n ** 64n - 1n, custodian: voter }, delegation: null }
  t.match(objectOf(ID, 5n, initialized, now), { status: 'deactivating', withdrawableEpoch: Number.MAX_SAFE_INTEGER })
  t.match(objectOf(ID, 5n, { staker, withdrawer, lockup, delegation: null }, now), { status: 'withdrawable', amount: 5n, validator: null })
  t.match(objectOf(ID, 5n, null, now), { status: 'unknown', amount: null, validator: null })
})

t.test('a wallet with thousands of accounts leaves turns to others', async (t) => {
  const clock = Buffer.alloc(40)
  const account = (bytes: Buffer, owner: string) => ({ lamports: 1_502_282_880, owner, data: [bytes.toString('base64'), 'base64'] })
  const sysvar = (bytes: Buffer) => account(bytes, 'Sysvar1111111111111111111111111111111111111')
  const pubkey = (index: number) => '1'.repeat(28) + String(index + 1111).replaceAll('0', 'z')
  const value = Array.from({ length: 5000 }, (_, index) => ({
    pubkey: pubkey(index),
    account: account(data, 'Stake11111111111111111111111111111111111111'),
  }))
  const rpc = async (method: string, _params: unknown, read: (answer: unknown) => unknown) =>
    read({ value: method === 'getProgramAccounts' ? value : [sysvar(clock), sysvar(Buffer.alloc(8)), null, null] })
  let [turns, running] = [0, true]
  const count = () => {
    turns++
    if (running) setImmediate(count)
  }
  setImmediate(count)
  const { activating, objects } = await balance({ client: { rpc } } as never, withdrawer)
  running = false
  t.same([activating, objects!.length], [5000n * 1_500_000_000n, 5000])
  t.ok(turns >= 10, `${turns} turns`)
})

t.test('what the cluster holds up is withdrawable in the next epoch at the earliest', async (t) => {
  const crowded = { effective: 100n, activating: 0n, deactivating: 10n ** 9n }
  const history = new Map([8n, 9n].map((epoch) => [epoch, crowded]))
  const now = { clock: { epoch: 10n, unixTimestamp: 0n }, history, paying: false }
  const delegation = { voter, stake: 10n ** 6n, activationEpoch: 1n, deactivationEpoch: 8n }
  const object = objectOf(
    ID,
    10n ** 6n,
    { staker, withdrawer, lockup: { unixTimestamp: 0n, epoch: 0n, custodian: voter }, delegation },
    now,
  )
  t.match(object, { status: 'deactivating', amount: 10n ** 6n, withdrawableEpoch: 11 })
  const free = { staker, withdrawer, lockup: { unixTimestamp: 0n, epoch: 0n, custodian: voter }, delegation }
  t.match(objectOf(ID, 10n ** 5n, free, now), { status: 'deactivating', amount: 10n ** 5n }, 'no more than the account holds')
})
