// What a validator answered (the test validator of Agave 4.2.2), read by the plugin's own readers.
import { membersOf } from '@svc/contract'
import { recording } from '@svc/testing/recordings'
import t from 'tap'
import { activationAt } from '../src/chain/activation.ts'
import { readInflation, readSupply } from '../src/chain/inflation.ts'
import { readLeastStake } from '../src/chain/least-stake.ts'
import { decodeStakeAccount, NEVER } from '../src/chain/stake-account.ts'
import { decodeClock } from '../src/chain/sysvars.ts'
import { idleness, readVoteAccount } from '../src/chain/vote-accounts.ts'

const body = (name: string) => membersOf(recording('solana', name).response.body)
const answered = (name: string) => membersOf(body(name).result).value
const asked = (name: string) => membersOf(recording('solana', name).request.body).params as readonly unknown[]
/** A client that is answered as recorded. */
const client = (name: string) =>
  ({ rpc: async (_method: string, _params: unknown, read: (result: unknown) => unknown) => read(body(name).result) }) as never

t.test('rates, supply and the least stake are those of the validator', async (t) => {
  t.equal(await readInflation(client('inflation-rate')), 0.07599999718190686)
  t.equal(await readSupply(client('supply')), 502_000_521_147_471_700)
  t.equal(await readLeastStake({ client: client('stake-minimum') }), 1_000_000_000n)
  // Answers to other questions are none.
  for (const name of ['inflation-governor', 'inflation-reward-none', 'balance', 'fee-no-blockhash', 'blockhash-valid', 'performance']) {
    await t.rejects(readInflation(client(name)), { code: 'UPSTREAM_ERROR' }, name)
    await t.rejects(readSupply(client(name)), { code: 'UPSTREAM_ERROR' }, name)
  }
  for (const name of ['fee-no-blockhash', 'blockhash-valid', 'performance', 'token-accounts-none'])
    await t.rejects(readLeastStake({ client: client(name) }), { code: 'UPSTREAM_ERROR' }, name)
})

t.test('a stake account and the clock of the validator are decoded', async (t) => {
  const { data } = dataOf('account-stake')
  const payer = asked('priority-fees')[0] as readonly string[]
  const [{ votePubkey }] = asked('vote-accounts') as readonly [{ votePubkey: string }]
  const account = decodeStakeAccount(data)
  t.same(account, {
    staker: payer[0],
    withdrawer: payer[0],
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: '11111111111111111111111111111111' },
    delegation: { voter: votePubkey, stake: 2_997_717_120n, activationEpoch: 1n, deactivationEpoch: NEVER },
  })
  const clock = decodeClock(dataOf('account-clock').data)
  t.same(clock, { slot: 148n, epoch: 1n, unixTimestamp: 1_795_646_600n }, 'the slot is that of the answer')
  t.same(activationAt(account!.delegation!, clock!.epoch, new Map()), { effective: 0n, activating: 2_997_717_120n, deactivating: 0n })
  for (const name of ['account-slice', 'account-slice-beyond', 'account-wallet', 'account-clock', 'account-token-program'])
    t.equal(decodeStakeAccount(dataOf(name).data), null, `${name} is no stake account`)
})

t.test('a validator that votes is no obstacle, and one that is not listed is', async (t) => {
  const [{ votePubkey }] = asked('vote-accounts') as readonly [{ votePubkey: string }]
  t.equal(idleness(await readVoteAccount(client('vote-accounts'), votePubkey)), null)
  t.match(idleness(await readVoteAccount(client('vote-accounts-unknown'), votePubkey)), { state: 'inactive' })
  await t.rejects(readVoteAccount(client('vote-accounts'), 'another'), { code: 'UPSTREAM_ERROR' }, 'another validator that votes')
})

function dataOf(name: string): { readonly data: Buffer } {
  const { data } = membersOf(answered(name))
  return { data: Buffer.from(String(Array.isArray(data) ? data[0] : ''), 'base64') }
}
