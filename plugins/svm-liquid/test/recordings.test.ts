// What a validator answered (the test validator of Agave 4.2.2, with a pool of spl-stake-pool 2.2.0), read by the plugin's own readers.
import { membersOf } from '@svc/contract'
import { recording } from '@svc/testing/recordings'
import t from 'tap'
import { epochOf, freeLamports, requireReserve, tokensOf } from '../src/chain/accounts.ts'
import { readCommission } from '../src/chain/commission.ts'
import { readPool, readValidators } from '../src/chain/pool.ts'

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const unreadable = { statusCode: 502, code: 'POOL_UNREADABLE' }
const body = (name: string) => membersOf(recording('solana', name).response.body)

function account(name: string) {
  const { value } = membersOf(body(name).result)
  return value === null ? null : accountOf(value)
}

function accountOf(value: unknown) {
  const { lamports, owner, data } = membersOf(value)
  return {
    lamports: BigInt(Number(lamports)),
    owner: String(owner),
    data: Buffer.from(String(Array.isArray(data) ? data[0] : ''), 'base64'),
  }
}

t.test('the epoch is that of the clock, and of no other account', async (t) => {
  t.equal(epochOf(account('account-clock')), 1n)
  for (const name of ['account-none', 'account-wallet', 'account-stake', 'account-slice', 'account-slice-beyond', 'account-token-program'])
    t.throws(() => epochOf(account(name)), unreadable, name)
})

t.test('a delegated stake account, a wallet and nothing are no reserve, no pool and no tokens', async (t) => {
  const own = { mint: '11111111111111111111111111111111', tokenProgram: TOKEN }
  for (const name of ['account-stake', 'account-none', 'account-wallet', 'account-slice', 'account-slice-beyond', 'account-clock']) {
    t.throws(() => requireReserve(account(name)), unreadable, name)
    t.throws(() => freeLamports(account(name), 0n), unreadable, name)
    t.equal(tokensOf(account(name), own.mint, own), 0n, name)
    const { data } = account(name) ?? { data: Buffer.alloc(0) }
    t.throws(() => readPool(data), name)
    t.throws(() => readValidators(data), name)
  }
})

t.test('a pool that its program has written is read as it was made, and so are its tokens', async (t) => {
  const asked = (name: string) => membersOf(recording('solana', name).request.body).params as readonly unknown[]
  const [wallet, { mint }] = asked('pool-token-accounts') as readonly [string, { mint: string }]
  const { data } = account('pool-account')!
  t.equal(data.length, 611)
  t.match(readPool(data), {
    mint,
    tokenProgram: TOKEN,
    // 2,000 SOL to begin with, 50 brought, and 3 and 5 taken less 0.3 percent, at a token a lamport.
    totalLamports: 2_042_024_000_000n,
    supply: 2_042_024_000_000n,
    updatedEpoch: 1n,
    epochFee: { numerator: 5n, denominator: 100n },
    solDepositFee: { numerator: 1n, denominator: 1_000n },
    solReferralFee: 40,
    solWithdrawalFee: { numerator: 3n, denominator: 1_000n },
    stakeWithdrawalFee: { numerator: 3n, denominator: 1_000n },
    solDepositAuthority: null,
    solWithdrawAuthority: null,
    preferredWithdraw: null,
  })
  // Beside the wallet's associated account there is the one of the fees, which is its as well.
  const listed = membersOf(body('pool-token-accounts').result).value as readonly { readonly pubkey: string; readonly account: unknown }[]
  t.equal(listed.length, 2)
  const tokens = accountOf(listed.find(({ pubkey }) => pubkey === asked('pool-token-balance')[0])?.account)
  // Of the deposit's fee 40 percent came back.
  t.equal(tokensOf(tokens, wallet, { mint, tokenProgram: TOKEN }), 41_970_000_000n)
  t.equal(tokensOf(tokens, mint, { mint, tokenProgram: TOKEN }), 0n, "and they are nobody else's")
  t.throws(() => readValidators(data), 'a pool is no list of validators')
})

t.test('the commission of a validator is its percent', async (t) => {
  const [{ votePubkey }] = membersOf(recording('solana', 'vote-accounts').request.body).params as readonly [{ votePubkey: string }]
  const commission = (name: string, vote = votePubkey) => {
    const rpc = async (_method: string, _params: unknown, read: (result: unknown) => unknown) => read(body(name).result)
    return readCommission({ client: { rpc } } as never, vote)
  }
  t.equal(await commission('vote-accounts'), 0)
  await t.rejects(commission('vote-accounts-unknown'), { code: 'UPSTREAM_ERROR' }, 'of one that is not listed nothing is told')
  await t.rejects(commission('vote-accounts', 'another'), { code: 'UPSTREAM_ERROR' })
})
