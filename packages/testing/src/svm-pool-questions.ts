import { BASE64, prepareSvm, rpc, SOL, type SvmFacts, type SvmGround, type SvmQuestion, sendSvm } from './svm-ground.ts'
import { type Instruction, SVM, type SvmKey, svmKey, svmTransaction } from './svm-message.ts'
import { createAccount, createTokens, depositSol, type SvmPool, withdrawPoolStake, withdrawSol } from './svm-pool-message.ts'

/** A node with a stake pool that can be asked. Its books are of this epoch, its validator has more than 100 SOL, and its reserve less than 10,000. */
export interface SvmPoolGround extends SvmGround {
  readonly pool: SvmPool
  /** Address of the payer's pool tokens. */
  readonly tokens: string
}

/** What the questions about a pool are asked about. */
export interface SvmPoolFacts extends SvmFacts {
  readonly pool: SvmPool
  readonly tokens: string
  /** Rent of a stake account, in lamports. */
  readonly rent: bigint
  /** Signatures of transactions that landed. */
  readonly done: Readonly<Record<'deposit' | 'withdraw' | 'split' | 'refused', string>>
}

/** Bytes of a stake account. */
const STAKE_BYTES = 200
/** Lamports that the payer brings. */
const BROUGHT = 50n * SOL
const target = svmKey('pool target')

/** Sends a deposit, a withdrawal, a withdrawal of stake and a failing one, and waits until they are final. */
export async function prepareSvmPool(ground: SvmPoolGround): Promise<SvmPoolFacts> {
  const { url, payer, pool, tokens, settle } = ground
  const facts = await prepareSvm(ground)
  const { call, latest, send } = sendSvm(url)
  const rent = BigInt(String(await call('getMinimumBalanceForRentExemption', [STAKE_BYTES])))
  const wallet = payer.address
  const deposit = await send([createTokens(wallet, tokens, pool.mint), depositSol(pool, wallet, tokens, BROUGHT)], [payer])
  const withdraw = await send([withdrawSol(pool, wallet, tokens, 3n * SOL)], [payer])
  const split = await send(
    [
      createAccount(wallet, target.address, STAKE_BYTES, SVM.stake, rent),
      withdrawPoolStake(pool, wallet, tokens, 5n * SOL, target.address),
    ],
    [payer, target],
  )
  const refusal = await send([withdrawSol(pool, wallet, tokens, 0n)], [payer], true)
  await settle()
  const blockhash = await latest()
  return {
    ...facts,
    blockhash,
    signed: (...instructions) => svmTransaction(instructions, [payer], blockhash),
    pool,
    tokens,
    rent,
    done: { deposit: deposit.id, withdraw: withdraw.id, split: split.id, refused: refusal.id },
  }
}

/** A question about a pool. */
export interface SvmPoolQuestion extends Omit<SvmQuestion, 'body'> {
  readonly body: (facts: SvmPoolFacts) => unknown
}

const ask = (name: string, situation: string, method: string, params: (facts: SvmPoolFacts) => readonly unknown[]): SvmPoolQuestion => ({
  ...rpc(name, situation, method, () => []),
  body: (facts) => ({ jsonrpc: '2.0', id: 1, method, params: params(facts) }),
})
const simulate = (name: string, situation: string, of: (facts: SvmPoolFacts) => readonly Instruction[], more: readonly SvmKey[] = []) =>
  ask(`pool-${name}`, situation, 'simulateTransaction', (facts) => [
    svmTransaction(of(facts), [facts.payer, ...more], facts.blockhash).bytes.toString('base64'),
    BASE64,
  ])
const landed = (name: keyof SvmPoolFacts['done'], situation: string) =>
  ask(`pool-landed-${name}`, situation, 'getTransaction', ({ done }) => [
    done[name],
    { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
  ])
const deposit = (name: string, situation: string, lamports: bigint, change: Partial<SvmPool> = {}, least?: bigint) =>
  simulate(name, situation, ({ pool, payer, tokens }) => [depositSol({ ...pool, ...change }, payer.address, tokens, lamports, least)])
const withdraw = (name: string, situation: string, amount: bigint, change: Partial<SvmPool> = {}, least?: bigint) =>
  simulate(name, situation, ({ pool, payer, tokens }) => [withdrawSol({ ...pool, ...change }, payer.address, tokens, amount, least)])
const split = (name: string, situation: string, amount: bigint, from?: (facts: SvmPoolFacts) => string, change: Partial<SvmPool> = {}) => {
  const account = svmKey('pool second target')
  const of = (facts: SvmPoolFacts) => [
    createAccount(facts.payer.address, account.address, STAKE_BYTES, SVM.stake, facts.rent),
    withdrawPoolStake({ ...facts.pool, ...change }, facts.payer.address, facts.tokens, amount, account.address, from?.(facts)),
  ]
  return simulate(name, situation, of, [account])
}
const SOMETHING = svmKey('something else').address

/** Questions about a stake pool: what landed, and simulations of its instructions, done and refused. */
export const svmPoolQuestions: readonly SvmPoolQuestion[] = [
  landed('deposit', 'getTransaction of a deposit that made its token account'),
  landed('withdraw', 'getTransaction of a withdrawal'),
  landed('split', 'getTransaction of a withdrawal of stake'),
  landed('refused', 'getTransaction of a withdrawal that failed'),
  deposit('deposit', 'a deposit', SOL),
  deposit('deposit-none', 'a deposit of nothing', 0n),
  deposit('deposit-other-mint', 'a deposit with the mint of something else', SOL, { mint: SOMETHING }),
  deposit('deposit-other-reserve', 'a deposit into something else', SOL, { reserve: SOMETHING }),
  deposit('deposit-other-authority', 'a deposit with an authority of something else', SOL, { authority: SOMETHING }),
  deposit('deposit-other-fees', 'a deposit with a fee account of something else', SOL, { fees: SOMETHING }),
  deposit('deposit-other-pool', 'a deposit into a pool that is none', SOL, { pool: SOMETHING }),
  deposit('deposit-slippage', 'a deposit that wants more tokens than it brings', SOL, {}, 100n * SOL),
  withdraw('withdraw', 'a withdrawal', SOL),
  withdraw('withdraw-none', 'a withdrawal of nothing', 0n),
  withdraw('withdraw-too-much', 'a withdrawal of more than the reserve has', 10_000n * SOL),
  withdraw('withdraw-not-held', 'a withdrawal of more tokens than there are in the account', 100n * SOL),
  withdraw('withdraw-other-fees', 'a withdrawal with a fee account of something else', SOL, { fees: SOMETHING }),
  withdraw('withdraw-slippage', 'a withdrawal that wants more lamports than it brings', SOL, {}, 100n * SOL),
  split('split', 'a withdrawal of stake', 2n * SOL),
  split('split-none', 'a withdrawal of no stake', 0n),
  split('split-small', 'a withdrawal of less stake than a stake must have', 1_000_000n),
  split('split-too-much', 'a withdrawal of more stake than there is', 100_000n * SOL),
  split('split-reserve', 'a withdrawal of stake out of the reserve', 2n * SOL, ({ pool }) => pool.reserve),
  split('split-other-stake', 'a withdrawal of stake that is not of the pool', 2n * SOL, ({ stake }) => stake),
  split('split-other-list', 'a withdrawal of stake with a list of something else', 2n * SOL, undefined, { list: SOMETHING }),
  ask('pool-token-balance', 'getTokenAccountBalance of pool tokens', 'getTokenAccountBalance', ({ tokens }) => [
    tokens,
    { commitment: 'confirmed' },
  ]),
  ask('pool-token-supply', 'getTokenSupply of pool tokens', 'getTokenSupply', ({ pool }) => [pool.mint, { commitment: 'confirmed' }]),
  ask('pool-token-accounts', 'getTokenAccountsByOwner of a wallet with pool tokens', 'getTokenAccountsByOwner', ({ payer, pool }) => [
    payer.address,
    { mint: pool.mint },
    BASE64,
  ]),
  ask('pool-account', 'getAccountInfo of a pool', 'getAccountInfo', ({ pool }) => [pool.pool, BASE64]),
  ask('pool-accounts', 'getProgramAccounts of the program', 'getProgramAccounts', ({ pool }) => [
    pool.program,
    { ...BASE64, filters: [{ dataSize: 611 }] },
  ]),
]
