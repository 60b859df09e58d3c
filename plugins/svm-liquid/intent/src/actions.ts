import type { Call } from '@svc/verify'
import {
  type ActionIntent,
  amount,
  type Claim,
  callOf,
  claimedAtMost,
  correctedAmount,
  integerArg,
  Refused,
  text,
  textArg,
} from '@svc/verify/intent'
import { call, rentCeiling, seededAddress } from '@svc/verify/svm'
import { authorityOf, tokenAccountFor, validatorStakeFor } from './derive.ts'
import { type StakeFacts, settled, type UnstakeFacts } from './facts.ts'
import { associatedToken, layoutsOf, memo, stakePool, stakes, system } from './layouts.ts'
import { poolOf } from './pool.ts'
import type { Terms } from './terms.ts'

// What a caller is promised, from the request, the settings and what the chain said. Nothing here is shared with what writes the bytes:
// addresses are derived and amounts worked out once more.

const request = { wallet_address: text, amount }
/** Bytes of a stake account. */
const STAKE_BYTES = 200n
const RENT_CEILING = rentCeiling(STAKE_BYTES)

/** The wallet's token account if need be, the deposit out of the wallet, and what the settings want noted. */
export const stake: ActionIntent<Terms, typeof request, StakeFacts> = {
  input: request,
  effects(terms, { wallet_address: wallet, amount }, { reserve, managerFee }) {
    const { pool, mint, program, tokenProgram } = poolOf(terms)
    const tokenAccount = tokenAccountFor(terms, wallet)
    const deposit = {
      pool,
      withdrawAuthority: authorityOf(terms),
      reserve,
      from: wallet,
      poolTokensTo: tokenAccount,
      managerFee,
      referralFee: terms.referral_account ?? tokenAccount,
      mint,
      tokenProgram,
      lamports: amount,
    }
    const calls: Call[] = [
      call(associatedToken, 'CreateIdempotent', { payer: wallet, tokenAccount, owner: wallet, mint, tokenProgram }),
      call(stakePool(program), 'DepositSol', deposit, amount),
    ]
    const { referral_code: code, validator } = terms
    if (code !== undefined && validator !== undefined) calls.push(call(memo, 'Memo', { memo: `ref:${code}&direct:${validator}` }))
    else if (code !== undefined) calls.push(call(memo, 'Memo', { memo: `ref:${code}` }))
    else if (validator !== undefined) calls.push(call(memo, 'Memo', { memo: `direct:${validator}` }))
    return { signers: [wallet], calls, layouts: layoutsOf(program) }
  },
  factsOf(decoded) {
    const deposit = callOf(decoded, 'StakePool.DepositSol')
    const facts = { reserve: textArg(deposit, 'reserve'), managerFee: textArg(deposit, 'managerFee') }
    return { facts, claimed: [claimedOfPool('reserve', facts.reserve), claimedOfPool('managerFee', facts.managerFee)] }
  },
  requestOf: (decoded, wallet_address) => ({ wallet_address, amount: integerArg(callOf(decoded, 'StakePool.DepositSol'), 'lamports') }),
}

/** Tokens burnt for SOL to the wallet while the reserve can pay that, else for a stake account that is the wallet's and deactivates. */
export const unstake: ActionIntent<Terms, typeof request, UnstakeFacts> = {
  input: request,
  effects(terms, { wallet_address: wallet, amount }, facts) {
    const { pool, mint, program, tokenProgram } = poolOf(terms)
    const { tokens, deferred } = settled(amount, facts)
    const promised = { signers: [wallet], layouts: layoutsOf(program) }
    const shared = {
      pool,
      withdrawAuthority: authorityOf(terms),
      authority: wallet,
      poolTokensFrom: tokenAccountFor(terms, wallet),
      managerFee: facts.managerFee,
      mint,
      tokenProgram,
      poolTokens: known('tokens', tokens),
    }
    if (!deferred) {
      const args = { ...shared, reserve: known('reserve', facts.reserve), recipient: wallet }
      return { ...promised, calls: [call(stakePool(program), 'WithdrawSol', args)] }
    }

    const [seed, rent, { vote }] = [known('seed', facts.seed), known('rent', facts.rent), facts]
    const stakeTo = seededAddress(wallet, seed, stakes.address)
    const lamports = promisedRent(rent)
    const opened = { from: wallet, newAccount: stakeTo, base: wallet, seed, lamports, space: STAKE_BYTES, owner: stakes.address }
    const split = {
      ...shared,
      validatorList: known('validatorList', facts.validatorList),
      stakeFrom: vote === undefined ? known('stakeFrom', facts.stakeFrom) : validatorStakeFor(terms, vote, facts.validatorSeed ?? 0),
      stakeTo,
      newAuthority: wallet,
    }
    return {
      ...promised,
      calls: [
        call(system, 'CreateAccountWithSeed', opened, lamports),
        call(stakePool(program), 'WithdrawStake', split),
        call(stakes, 'Deactivate', { stake: stakeTo, authority: wallet }),
      ],
    }
  },
  factsOf(decoded, terms, { amount }) {
    const burnt = callOf(decoded, 'StakePool.WithdrawSol', 'StakePool.WithdrawStake')
    const managerFee = textArg(burnt, 'managerFee')
    const tokens = correctedAmount(amount, integerArg(burnt, 'poolTokens'), { decimals: terms.decimals, symbol: 'pool tokens' })
    const deferred = burnt.method.startsWith('StakePool.WithdrawStake')
    const shared = { tokens: tokens.facts.amount, deferred, managerFee }
    const claimed: Claim[] = [
      ...tokens.claimed.map((each) => ({ ...each, fact: 'tokens' })),
      {
        fact: 'deferred',
        value: deferred ? 'yes' : 'no',
        bound:
          'worth the same, by the pool’s price: SOL that comes to the wallet at once, or stake that is the wallet’s and can be withdrawn after the epoch',
        holds: true,
      },
      claimedOfPool('managerFee', managerFee),
    ]
    if (!deferred) {
      const reserve = textArg(burnt, 'reserve')
      return { facts: { ...shared, reserve }, claimed: [...claimed, claimedOfPool('reserve', reserve)] }
    }

    const opened = callOf(decoded, 'System.CreateAccountWithSeed')
    const [validatorList, stakeFrom] = [textArg(burnt, 'validatorList'), textArg(burnt, 'stakeFrom')]
    const [seed, rent] = [textArg(opened, 'seed'), integerArg(opened, 'lamports')]
    const why = `as no account of ${STAKE_BYTES} bytes has ever cost more, and it stays in the account, which is the wallet’s`
    return {
      // Named though it is not there: a caller may pin it of an exit that is paid at once.
      facts: { ...shared, reserve: undefined, validatorList, stakeFrom, seed, rent },
      claimed: [
        ...claimed,
        claimedOfPool('validatorList', validatorList),
        claimedOfPool('stakeFrom', stakeFrom),
        claimedAtMost('rent', rent, RENT_CEILING, why, terms),
        {
          fact: 'seed',
          value: seed,
          bound:
            '1 to 32 printable characters; only accounts of the wallet follow from one, and the chain makes none where there is one already',
          holds: /^[!-~]{1,32}$/.test(seed),
        },
      ],
    }
  },
  requestOf: (decoded, wallet_address) => ({
    wallet_address,
    amount: integerArg(callOf(decoded, 'StakePool.WithdrawSol', 'StakePool.WithdrawStake'), 'poolTokens'),
  }),
}

/** Returns the cost of the account as a node says, and never more than it can cost: bytes with more in them do not keep the promise. */
function promisedRent(rent: bigint): bigint {
  return rent > RENT_CEILING ? RENT_CEILING : rent
}

function claimedOfPool(fact: string, value: string): Claim {
  return { fact, value, bound: 'the program of the terms takes none but the pool’s own', holds: true }
}

/** @throws Refused for a fact that is missing */
function known<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Refused(`facts.${name}`, 'a value', 'nothing')
  return value
}
