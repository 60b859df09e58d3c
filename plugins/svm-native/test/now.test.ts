// What is empty or missing in the answer of a node is no permission.
import t from 'tap'
import { createNonceAccount } from '../src/actions/create-nonce-account.ts'
import { nowOf, payingRewards } from '../src/chain/now.ts'

const SYSVARS = 'Sysvar1111111111111111111111111111111111111'
const unread = { statusCode: 502, code: 'UPSTREAM_ERROR' }
const sysvar = (data: Buffer, owner = SYSVARS) => ({ lamports: 1n, owner, data })

function clockAt(epoch: bigint) {
  const data = Buffer.alloc(40)
  data.writeBigUInt64LE(epoch, 16)
  data.writeBigInt64LE(1_790_000_000n, 32)
  return sysvar(data)
}

function historyOf(...epochs: readonly bigint[]) {
  const data = Buffer.alloc(8 + 32 * epochs.length)
  data.writeBigUInt64LE(BigInt(epochs.length))
  for (const [index, epoch] of epochs.entries()) data.writeBigUInt64LE(epoch, 8 + 32 * index)
  return sysvar(data)
}

t.test('without the epoch that ended last nothing is said of how far stake has come', async (t) => {
  t.match(nowOf(clockAt(10n), historyOf(9n)), { clock: { epoch: 10n }, paying: false })
  t.doesNotThrow(() => nowOf(clockAt(10n), historyOf(9n, 8n, 7n)))
  t.doesNotThrow(() => nowOf(clockAt(0n), historyOf()), 'in its first epoch a chain has no history')
  for (const history of [historyOf(), historyOf(8n), historyOf(10n), historyOf(8n, 7n)])
    t.throws(() => nowOf(clockAt(10n), history), unread)
  t.throws(() => nowOf(clockAt(1n), historyOf()), unread)
  for (const missing of [
    null,
    undefined,
    sysvar(Buffer.alloc(0)),
    sysvar(historyOf(9n).data, 'Stake11111111111111111111111111111111111111'),
  ])
    t.throws(() => nowOf(clockAt(10n), missing), unread)
})

t.test('an account of rewards that says nothing does not say that none are paid', async (t) => {
  const flagged = (flag: number, bytes = 81) => {
    const data = Buffer.alloc(bytes)
    data[80] = flag
    return sysvar(data)
  }
  t.equal(payingRewards(flagged(0)), false)
  t.equal(payingRewards(flagged(1)), true)
  t.equal(payingRewards(null), false, 'a chain in its first epoch has none; on another one the simulation is refused')
  for (const bad of [flagged(2), flagged(0, 82), sysvar(Buffer.alloc(0)), sysvar(Buffer.alloc(80)), sysvar(flagged(0).data, 'Other')]) {
    t.throws(() => payingRewards(bad), unread)
    t.throws(() => nowOf(clockAt(10n), historyOf(9n), bad), unread)
  }
})

t.test(
  'a node that says that every address of a nonce account is taken is believed, though half of them are drawn each time',
  async (t) => {
    const asked: string[][] = []
    const taken = { lamports: 1, owner: '11111111111111111111111111111111', data: ['', 'base64'] }
    const client = {
      rent: async () => 1_447_680n,
      rpc: async (_method: string, [addresses]: [string[]], read: (answer: unknown) => unknown) => {
        asked.push(addresses)
        return read({ context: { slot: 1 }, value: addresses.map(() => taken) })
      },
    }
    const input = { wallet_address: 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9' }
    const read = async () => createNonceAccount.read?.({ client } as never, input as never)
    await t.rejects(read, { statusCode: 400, code: 'NONCE_ACCOUNTS_EXHAUSTED' })
    await t.rejects(read, { statusCode: 400, code: 'NONCE_ACCOUNTS_EXHAUSTED' })
    const [one = [], other = []] = asked
    t.same(asked.length, 2)
    t.same(one.slice(0, 20), other.slice(0, 20), 'the first ones are the same each time')
    t.equal(new Set([...one.slice(20), ...other.slice(20)]).size, 40, 'the others are not')
  },
)
