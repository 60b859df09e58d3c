import t from 'tap'
import { OFFSET } from '../src/chain/stake-account.ts'
import { stirrings } from '../src/stirrings.ts'
import vectors from './vectors/accounts.json' with { type: 'json' }

const STAKE = 'Stake11111111111111111111111111111111111111'
const [ONE, TWO] = ['9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu', 'HhGs98mVkJt8pWjC3sMeuZDcR2GyRmog7VdevVLLv4ah']
const { withdrawer, voter, data: hex } = vectors.stake
const INTERVAL = stirrings.everySeconds * 1000

/** A node with the stake account of the vector twice, which a test changes. */
function node() {
  const accounts = new Map([ONE, TWO].map((id) => [id, { lamports: 9, data: Buffer.from(hex, 'hex') }]))
  const rpc = async (_method: string, params: any, read: (answer: unknown) => unknown) => {
    const { offset, length } = params[1].dataSlice
    return read({
      value: [...accounts].map(([pubkey, { lamports, data }]) => ({
        pubkey,
        account: { lamports, owner: STAKE, data: [data.subarray(offset, offset + length).toString('base64'), 'base64'] },
      })),
    })
  }
  const clock = { now: new Date('2026-11-22T10:00:00Z') }
  const ctx = { client: { rpc }, network: { validator: voter }, memo: {}, now: () => clock.now } as never
  /** Wallets that have stirred by the next search. */
  const next = async () => {
    clock.now = new Date(clock.now.getTime() + INTERVAL)
    return ((await stirrings.search(ctx, null, async () => []))?.wallets ?? []).map(({ wallet }) => wallet)
  }
  return { accounts, next }
}

t.test('the first search remembers, and the next ones name whose accounts have changed since the last', async (t) => {
  const { accounts, next } = node()
  t.same(await next(), [])
  t.same(await next(), [], 'what is as it was has not stirred')
  for (const offset of [OFFSET.staker, OFFSET.deactivationEpochEnd - 8]) {
    accounts.get(ONE)!.data[offset]! ^= 1
    t.same(await next(), [withdrawer], `a byte at ${offset}`)
    t.same(await next(), [], 'once')
  }
})

t.test('an account that has another withdrawer stirs both wallets, and one that is gone its own', async (t) => {
  const { accounts, next } = node()
  await next()
  accounts.get(ONE)!.data[OFFSET.staker + 32]! ^= 1
  const stirred = await next()
  t.equal(stirred.length, 2)
  t.equal(stirred[0], withdrawer)
  accounts.delete(TWO)
  t.same(await next(), [withdrawer])
})

t.test('an account that holds less has stirred, and one that holds more has rewards', async (t) => {
  const { accounts, next } = node()
  await next()
  accounts.get(ONE)!.data = Buffer.from(accounts.get(ONE)!.data)
  accounts.get(ONE)!.lamports = 10
  const rewarded = await next()
  accounts.get(ONE)!.lamports = 8
  t.same(await next(), [withdrawer])
  t.same(rewarded, deactivated(accounts.get(ONE)!.data) ? [withdrawer] : [])
})

/** Tells whether an account's stake is leaving: no rewards are paid into it then, and what it holds counts. */
function deactivated(data: Buffer): boolean {
  return data.readBigUInt64LE(OFFSET.deactivationEpochEnd - 8) !== 2n ** 64n - 1n
}
