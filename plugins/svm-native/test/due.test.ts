import type { Balance, StakedObject } from '@svc/contract'
import t from 'tap'
import { due } from '../src/due.ts'

const NOW = Date.parse('2026-11-22T10:00:00Z')
const object = (status: StakedObject['status'], more: Partial<StakedObject> = {}): StakedObject => ({
  id: 'one',
  type: 'delegation',
  status,
  amount: 1n,
  validator: null,
  rewards: null,
  activationEpoch: null,
  withdrawableEpoch: null,
  withdrawableAt: null,
  ...more,
})

/** A node in epoch 1000, a fourth of which is over, with slots of 0.35 s. */
function dueFor(objects: readonly StakedObject[], paying = false): Promise<Date | null> {
  const rewards = Buffer.alloc(81)
  rewards[80] = paying ? 1 : 0
  const answers: Readonly<Record<string, unknown>> = {
    getEpochInfo: { epoch: 1000, slotIndex: 108_000, slotsInEpoch: 432_000 },
    getRecentPerformanceSamples: [{ samplePeriodSecs: 350, numSlots: 1000 }],
    getMultipleAccounts: {
      value: [{ lamports: 1, owner: 'Sysvar1111111111111111111111111111111111111', data: [rewards.toString('base64'), 'base64'] }],
    },
  }
  const rpc = async (method: string, _params: unknown, read: (answer: unknown) => unknown) => read(answers[method])
  const balance = { objects } as unknown as Balance
  return due({ client: { rpc }, now: () => new Date(NOW) } as never, 'wallet', balance)
}

const secondsOf = async (objects: readonly StakedObject[], paying = false) => {
  const at = await dueFor(objects, paying)
  return at && Math.round((at.getTime() - NOW) / 1000)
}
/** Until the epoch is over, and the 600 slots in which its rewards are paid. */
const END = Math.round((324_000 + 600) * 0.35)
const EPOCH = 432_000 * 0.35

t.test('nothing is due where nothing is on its way', async (t) => {
  for (const objects of [[], [object('active')], [object('withdrawable')], [object('unknown')]]) t.equal(await secondsOf(objects), null)
})

t.test('what activates or cools down is due when the epoch is over and its rewards have been paid', async (t) => {
  t.equal(await secondsOf([object('active'), object('activating')]), END)
  t.equal(await secondsOf([object('deactivating', { withdrawableEpoch: 1001 })]), END)
  t.equal(await secondsOf([object('deactivating', { withdrawableEpoch: 1000 })]), END, 'never in the past')
  t.equal(await secondsOf([object('deactivating', { withdrawableEpoch: 1003 })]), END + 2 * EPOCH, 'a lockup by epoch')
})

t.test('what a lockup holds back is due at its time, or after its epoch if that is later', async (t) => {
  const at = (seconds: number) => ({ withdrawableAt: new Date(NOW + seconds * 1000) })
  t.equal(await secondsOf([object('deactivating', at(60))]), 60)
  t.equal(await secondsOf([object('deactivating', { ...at(60), withdrawableEpoch: 1001 })]), END)
  t.equal(await secondsOf([object('deactivating', { ...at(END + 60), withdrawableEpoch: 1001 })]), END + 60)
  t.equal(await secondsOf([object('activating'), object('deactivating', at(60))]), 60, 'the first of several')
})

t.test('a lockup that never ends, which anybody can give a wallet, is looked at in a year', async (t) => {
  const never = object('deactivating', { withdrawableEpoch: Number.MAX_SAFE_INTEGER })
  const year = 365 * 86_400
  t.equal(await secondsOf([never]), year)
  t.equal(await secondsOf([object('deactivating', { withdrawableAt: new Date('9999-12-31T23:59:59Z') })]), year)
  t.equal(await secondsOf([never, object('activating')]), END)
  const many = Array.from({ length: 200_000 }, () => never)
  t.equal(await secondsOf(many), year, 'as many as anybody gives')
})

t.test('while rewards are being paid it is looked at again in a minute', async (t) => {
  t.equal(await secondsOf([object('deactivating', { withdrawableEpoch: 1000 })], true), 60)
})
