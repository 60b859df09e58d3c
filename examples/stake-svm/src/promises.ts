import type { Call } from '@svc/verify'

const SYSTEM = '11111111111111111111111111111111'
const STAKE = 'Stake11111111111111111111111111111111111111'
/** Bytes of a stake account, and of a nonce account. @see https://docs.rs/solana-stake-interface (StakeStateV2::size_of, read 2026-11-21) */
export const STAKE_BYTES = 200
export const NONCE_BYTES = 80

/** Makes a stake account whose own key signs once, gives it to the wallet, and delegates it. @param lamports amount and rent */
export function newStake(wallet: string, stake: string, vote: string, lamports: bigint): readonly Call[] {
  return [
    {
      target: SYSTEM,
      method: 'System.CreateAccount(from, newAccount, lamports, space, owner)',
      args: { from: wallet, newAccount: stake, lamports, space: BigInt(STAKE_BYTES), owner: STAKE },
      value: lamports,
    },
    ...delegated(wallet, stake, vote),
  ]
}

/** The same with an account that is derived from the wallet, which then signs alone. */
export function newSeededStake(wallet: string, stake: string, seed: string, vote: string, lamports: bigint): readonly Call[] {
  return [seeded({ wallet, account: stake, seed, lamports, space: STAKE_BYTES, owner: STAKE }), ...delegated(wallet, stake, vote)]
}

/** Makes a nonce account that is derived from the wallet, and belongs to it. */
export function newNonceAccount(wallet: string, nonceAccount: string, seed: string, lamports: bigint): readonly Call[] {
  return [
    seeded({ wallet, account: nonceAccount, seed, lamports, space: NONCE_BYTES, owner: SYSTEM }),
    call(SYSTEM, 'System.InitializeNonceAccount(nonceAccount, authority)', { nonceAccount, authority: wallet }),
  ]
}

/** Uses a nonce up, which keeps a transaction valid until it is sent. Always the first call. */
export function advance(wallet: string, nonceAccount: string): Call {
  return call(SYSTEM, 'System.AdvanceNonceAccount(nonceAccount, authority)', { nonceAccount, authority: wallet })
}

export function deactivation(wallet: string, stake: string): Call {
  return call(STAKE, 'Stake.Deactivate(stake, authority)', { stake, authority: wallet })
}

/** Pays out to the wallet and to nobody else. */
export function withdrawal(wallet: string, stake: string, lamports: bigint): Call {
  return call(STAKE, 'Stake.Withdraw(stake, recipient, authority, lamports)', { stake, recipient: wallet, authority: wallet, lamports })
}

/** The wallet alone may move and withdraw the stake; there is no lockup, and nobody else has a say. */
function delegated(wallet: string, stake: string, vote: string): readonly Call[] {
  const none = { lockupTimestamp: 0n, lockupEpoch: 0n, custodian: SYSTEM }
  return [
    call(STAKE, 'Stake.Initialize(stake, staker, withdrawer, lockupTimestamp, lockupEpoch, custodian)', {
      stake,
      staker: wallet,
      withdrawer: wallet,
      ...none,
    }),
    call(STAKE, 'Stake.DelegateStake(stake, vote, authority)', { stake, vote, authority: wallet }),
  ]
}

interface Seeded {
  readonly wallet: string
  readonly account: string
  readonly seed: string
  readonly lamports: bigint
  readonly space: number
  readonly owner: string
}

function seeded({ wallet, account, seed, lamports, space, owner }: Seeded): Call {
  return {
    target: SYSTEM,
    method: 'System.CreateAccountWithSeed(from, newAccount, base, seed, lamports, space, owner)',
    args: { from: wallet, newAccount: account, base: wallet, seed, lamports, space: BigInt(space), owner },
    value: lamports,
  }
}

function call(target: string, method: string, args: Call['args']): Call {
  return { target, method, args, value: 0n }
}
