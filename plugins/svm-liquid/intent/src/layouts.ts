import { role, type SvmProgram } from '@svc/verify/svm'
import { poolOf } from './pool.ts'
import type { Terms } from './terms.ts'

// The instructions that the actions are made of, written down from the descriptions of the programs.

// Addresses that are the same on every cluster: https://docs.solanalabs.com/runtime/programs, https://docs.solanalabs.com/runtime/sysvars
// (read 2026-11-21).
const clock = { address: 'SysvarC1ock11111111111111111111111111111111' }
const stakeHistory = { address: 'SysvarStakeHistory1111111111111111111111111' }
const systemProgram = { address: '11111111111111111111111111111111' }
const stakeProgram = { address: 'Stake11111111111111111111111111111111111111' }

/** @see https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html (read 2026-11-21) */
export const system: SvmProgram = {
  ...systemProgram,
  name: 'System',
  instructions: [
    {
      name: 'CreateAccountWithSeed',
      discriminator: '0x03000000',
      accounts: { from: role.signsAndWrites, newAccount: role.writes },
      data: { base: 'address', seed: 'string64', lamports: 'u64', space: 'u64', owner: 'address' },
      spends: { from: 'from', lamports: 'lamports' },
    },
  ],
}

/** @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/instruction/enum.StakeInstruction.html (read 2026-11-21) */
export const stakes: SvmProgram = {
  ...stakeProgram,
  name: 'Stake',
  instructions: [
    { name: 'Deactivate', discriminator: '0x05000000', accounts: { stake: role.writes, clock, authority: role.signs }, data: {} },
  ],
}

/** @see https://docs.rs/spl-associated-token-account/latest/spl_associated_token_account/instruction/ (read 2026-11-21) */
export const associatedToken: SvmProgram = {
  address: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  name: 'AssociatedToken',
  instructions: [
    {
      name: 'CreateIdempotent',
      discriminator: '0x01',
      accounts: {
        payer: role.signsAndWrites,
        tokenAccount: role.writes,
        owner: role.reads,
        mint: role.reads,
        systemProgram,
        tokenProgram: role.reads,
      },
      data: {},
    },
  ],
}

/** @see https://www.solana-program.com/docs/memo (read 2026-11-21) */
export const memo: SvmProgram = {
  address: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  name: 'Memo',
  instructions: [{ name: 'Memo', discriminator: '0x', accounts: {}, data: { memo: 'rest' } }],
}

/**
 * Makes the layout of the stake pool program, which has another address on each cluster.
 *
 * @see https://docs.rs/spl-stake-pool/latest/spl_stake_pool/instruction/enum.StakePoolInstruction.html (read 2026-11-21)
 */
export function stakePool(address: string): SvmProgram {
  return {
    address,
    name: 'StakePool',
    instructions: [
      {
        name: 'WithdrawStake',
        discriminator: '0x0a',
        accounts: {
          pool: role.writes,
          validatorList: role.writes,
          withdrawAuthority: role.reads,
          stakeFrom: role.writes,
          stakeTo: role.writes,
          newAuthority: role.reads,
          authority: role.signs,
          poolTokensFrom: role.writes,
          managerFee: role.writes,
          mint: role.writes,
          clock,
          tokenProgram: role.reads,
          stakeProgram,
        },
        data: { poolTokens: 'u64' },
      },
      {
        name: 'DepositSol',
        discriminator: '0x0e',
        accounts: {
          pool: role.writes,
          withdrawAuthority: role.reads,
          reserve: role.writes,
          from: role.signsAndWrites,
          poolTokensTo: role.writes,
          managerFee: role.writes,
          referralFee: role.writes,
          mint: role.writes,
          systemProgram,
          tokenProgram: role.reads,
        },
        data: { lamports: 'u64' },
        spends: { from: 'from', lamports: 'lamports' },
      },
      {
        name: 'WithdrawSol',
        discriminator: '0x10',
        accounts: {
          pool: role.writes,
          withdrawAuthority: role.reads,
          authority: role.signs,
          poolTokensFrom: role.writes,
          reserve: role.writes,
          recipient: role.writes,
          managerFee: role.writes,
          mint: role.writes,
          clock,
          stakeHistory,
          stakeProgram,
          tokenProgram: role.reads,
        },
        data: { poolTokens: 'u64' },
      },
    ],
  }
}

/** Lists the layouts of all programs of the protocol, for a reader who does not know what a transaction should do. */
export function layouts(terms: Terms): readonly SvmProgram[] {
  return layoutsOf(poolOf(terms).program)
}

/** Lists the layouts of all programs that a transaction of the pool may call. @param program address of the stake pool program */
export function layoutsOf(program: string): readonly SvmProgram[] {
  return [system, stakes, associatedToken, memo, stakePool(program)]
}
