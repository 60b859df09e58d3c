import { role, type SvmProgram } from '@svc/verify/svm'

// The instructions that the actions are made of, written down from the descriptions of the programs.

// Addresses that are the same on every cluster: https://docs.solanalabs.com/runtime/programs, https://docs.solanalabs.com/runtime/sysvars
// (read 2026-11-21).
const clock = { address: 'SysvarC1ock11111111111111111111111111111111' }
const rent = { address: 'SysvarRent111111111111111111111111111111111' }
const stakeHistory = { address: 'SysvarStakeHistory1111111111111111111111111' }
const recentBlockhashes = { address: 'SysvarRecentB1ockHashes11111111111111111111' }
/** Named by every delegation, though the program no longer reads it. */
const stakeConfig = { address: 'StakeConfig11111111111111111111111111111111' }

const spends = { from: 'from', lamports: 'lamports' }

/** @see https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html (read 2026-11-21) */
export const system: SvmProgram = {
  address: '11111111111111111111111111111111',
  name: 'System',
  instructions: [
    {
      name: 'CreateAccount',
      discriminator: '0x00000000',
      accounts: { from: role.signsAndWrites, newAccount: { ...role.signsAndWrites, created: true } },
      data: { lamports: 'u64', space: 'u64', owner: 'address' },
      spends,
    },
    {
      name: 'CreateAccountWithSeed',
      discriminator: '0x03000000',
      // The base may be another account, which then signs as a third one; here it is always who pays.
      accounts: { from: role.signsAndWrites, newAccount: role.writes },
      data: { base: 'address', seed: 'string64', lamports: 'u64', space: 'u64', owner: 'address' },
      spends,
    },
    {
      name: 'WithdrawNonceAccount',
      discriminator: '0x05000000',
      accounts: { nonceAccount: role.writes, recipient: role.writes, recentBlockhashes, rent, authority: role.signs },
      data: { lamports: 'u64' },
    },
    {
      name: 'InitializeNonceAccount',
      discriminator: '0x06000000',
      accounts: { nonceAccount: role.writes, recentBlockhashes, rent },
      data: { authority: 'address' },
    },
  ],
}

/** @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/instruction/enum.StakeInstruction.html (read 2026-11-21) */
export const stakeProgram: SvmProgram = {
  address: 'Stake11111111111111111111111111111111111111',
  name: 'Stake',
  instructions: [
    {
      name: 'Initialize',
      discriminator: '0x00000000',
      accounts: { stake: role.writes, rent },
      data: { staker: 'address', withdrawer: 'address', lockupTimestamp: 'i64', lockupEpoch: 'u64', custodian: 'address' },
    },
    {
      name: 'DelegateStake',
      discriminator: '0x02000000',
      accounts: { stake: role.writes, vote: role.reads, clock, stakeHistory, stakeConfig, authority: role.signs },
      data: {},
    },
    {
      name: 'Withdraw',
      discriminator: '0x04000000',
      accounts: { stake: role.writes, recipient: role.writes, clock, stakeHistory, authority: role.signs },
      data: { lamports: 'u64' },
    },
    {
      // While a lockup is in force its custodian has to sign, too.
      name: 'Withdraw',
      discriminator: '0x04000000',
      accounts: { stake: role.writes, recipient: role.writes, clock, stakeHistory, authority: role.signs, custodian: role.signs },
      data: { lamports: 'u64' },
    },
    {
      name: 'Deactivate',
      discriminator: '0x05000000',
      accounts: { stake: role.writes, clock, authority: role.signs },
      data: {},
    },
  ],
}

/** Every program of the protocol, for whoever reads a transaction of which he does not know what it should do. */
export const layouts: readonly SvmProgram[] = [system, stakeProgram]
