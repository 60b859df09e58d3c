import type { AnyAction } from '@svc/contract'
import type { DepositFacts, WithdrawalFacts } from '../facts.ts'
import type { LiquidNetwork } from '../network.ts'
import { keyOf, programAddress, seededAddress } from './derive.ts'
import { promisedPool } from './pool.ts'

// What a caller is promised, for the check of the bytes. Nothing here is shared with what writes them: addresses are derived and amounts
// worked out once more, from the request, the settings and what the chain said.

type Effects = ReturnType<AnyAction<never, never, never>['effects']>
type Call = Effects['calls'][number]

/** @see https://solana.com/docs/core/programs (read 2026-11-21) */
const SYSTEM = '11111111111111111111111111111111'
const STAKE = 'Stake11111111111111111111111111111111111111'
/** @see https://www.solana-program.com/docs (read 2026-11-21) */
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

interface Request {
  readonly wallet_address: string
  readonly amount: bigint
}

/** The wallet's token account if need be, the deposit out of the wallet, and what the settings want noted. */
export function depositEffects(network: LiquidNetwork, request: Request, { record }: DepositFacts): Effects {
  const { wallet_address: wallet, amount } = request
  const { pool, mint, program, tokenProgram } = promisedPool(network)
  const tokenAccount = tokenAccountFor(network, wallet)
  const calls: Call[] = [
    call(ASSOCIATED_TOKEN, 'AssociatedToken.CreateIdempotent(payer, tokenAccount, owner, mint, tokenProgram)', {
      payer: wallet,
      tokenAccount,
      owner: wallet,
      mint,
      tokenProgram,
    }),
    call(
      program,
      'StakePool.DepositSol(pool, withdrawAuthority, reserve, from, poolTokensTo, managerFee, referralFee, mint, tokenProgram, lamports)',
      {
        pool,
        withdrawAuthority: authorityOf(network),
        reserve: record.reserve,
        from: wallet,
        poolTokensTo: tokenAccount,
        managerFee: record.managerFeeAccount,
        referralFee: network.referral_account ?? tokenAccount,
        mint,
        tokenProgram,
        lamports: amount,
      },
      amount,
    ),
  ]
  if (network.referral_code !== undefined && network.validator !== undefined)
    calls.push(call(MEMO, 'Memo.Memo(memo)', { memo: `ref:${network.referral_code}&direct:${network.validator}` }))
  else if (network.referral_code !== undefined) calls.push(call(MEMO, 'Memo.Memo(memo)', { memo: `ref:${network.referral_code}` }))
  else if (network.validator !== undefined) calls.push(call(MEMO, 'Memo.Memo(memo)', { memo: `direct:${network.validator}` }))
  return { signers: [wallet], calls }
}

/** Tokens burnt for SOL to the wallet while the reserve can pay that, else for a stake account that is the wallet's and deactivates. */
export function withdrawalEffects(network: LiquidNetwork, request: Request, facts: WithdrawalFacts): Effects {
  const { wallet_address: wallet, amount } = request
  const { pool, mint, program, tokenProgram } = promisedPool(network)
  const { record, held, free, deferral } = facts
  // The read refuses more than a trifle too much.
  const excess = amount - held
  const poolTokens = excess > 0n ? held : amount
  const shared = {
    pool,
    withdrawAuthority: authorityOf(network),
    authority: wallet,
    poolTokensFrom: tokenAccountFor(network, wallet),
    managerFee: record.managerFeeAccount,
    mint,
    tokenProgram,
    poolTokens,
  }
  if (deferral === null || paidFor(poolTokens, facts) <= free) {
    const method =
      'StakePool.WithdrawSol(pool, withdrawAuthority, authority, poolTokensFrom, reserve, recipient, managerFee, mint, tokenProgram, poolTokens)'
    return {
      signers: [wallet],
      calls: [call(program, method, { ...shared, reserve: record.reserve, recipient: wallet })],
    }
  }

  const stakeTo = seededAddress(wallet, deferral.seed, STAKE)
  const lamports = deferral.rent
  const opened = { from: wallet, newAccount: stakeTo, base: wallet, seed: deferral.seed, lamports, space: 200n, owner: STAKE }
  const split = {
    ...shared,
    validatorList: record.validatorList,
    stakeFrom: validatorStakeFor(network, deferral.vote, deferral.validatorSeed),
    stakeTo,
    newAuthority: wallet,
  }
  return {
    signers: [wallet],
    calls: [
      call(SYSTEM, 'System.CreateAccountWithSeed(from, newAccount, base, seed, lamports, space, owner)', opened, lamports),
      call(
        program,
        'StakePool.WithdrawStake(pool, validatorList, withdrawAuthority, stakeFrom, stakeTo, newAuthority, authority, poolTokensFrom, managerFee, mint, tokenProgram, poolTokens)',
        split,
      ),
      call(STAKE, 'Stake.Deactivate(stake, authority)', { stake: stakeTo, authority: wallet }),
    ],
  }
}

/** Lamports that tokens bring out of the reserve: what the fee leaves of them, at the pool's price. */
function paidFor(tokens: bigint, { record }: WithdrawalFacts): bigint {
  const { numerator, denominator } = record.solWithdrawalFee
  const part = tokens * numerator
  const fee = denominator === 0n ? 0n : part / denominator + (part % denominator === 0n ? 0n : 1n)
  return record.supply === 0n ? 0n : ((tokens - fee) * record.totalLamports) / record.supply
}

function tokenAccountFor(network: LiquidNetwork, wallet: string): string {
  const { mint, tokenProgram } = promisedPool(network)
  return programAddress(ASSOCIATED_TOKEN, [keyOf(wallet), keyOf(tokenProgram), keyOf(mint)])
}

function authorityOf(network: LiquidNetwork): string {
  const { pool, program } = promisedPool(network)
  const before = signersOfPools.get(pool)?.get(program)
  if (before !== undefined) return before
  const derived = programAddress(program, [keyOf(pool), new TextEncoder().encode('withdraw')])
  signersOfPools.set(pool, new Map([...(signersOfPools.get(pool) ?? []), [program, derived]]))
  return derived
}

/** By pool and program: to derive one takes longer than everything else here, and the settings name few. */
const signersOfPools = new Map<string, ReadonlyMap<string, string>>()

function validatorStakeFor(network: LiquidNetwork, vote: string, seed: number): string {
  const { pool, program } = promisedPool(network)
  const number = Uint8Array.of(seed & 255, (seed >>> 8) & 255, (seed >>> 16) & 255, seed >>> 24)
  return programAddress(program, [keyOf(vote), keyOf(pool), ...(seed === 0 ? [] : [number])])
}

function call(target: string, method: string, args: Call['args'], value = 0n): Call {
  return { target, method, args, value }
}
