import {
  ASSOCIATED_TOKEN,
  CLOCK,
  COMPUTE_BUDGET,
  MEMO,
  RECENT_BLOCKHASHES,
  RENT,
  STAKE,
  STAKE_CONFIG,
  STAKE_HISTORY,
  SYSTEM,
  TOKEN,
} from './addresses.ts'
import { COMPUTE_BUDGET_NAMES, STAKE_NAMES, STAKE_POOL_NAMES, SYSTEM_NAMES, TOKEN_NAMES } from './names.ts'

/** What an instruction needs of an account: an argument, or one that must be exactly `address`. */
export interface Slot {
  readonly signer: boolean
  readonly writable: boolean
  readonly address?: string
}

/** How a field stands in the data. `role` is 0 or 1 in four bytes, read as `staker` or `withdrawer`; `rest` is all that is left. */
export type Kind = 'u64' | 'i64' | 'address' | 'text' | 'role' | 'rest'

/** An instruction that is read. */
export interface Layout {
  readonly name: string
  /** In the order of the instruction. */
  readonly accounts: Readonly<Record<string, Slot>>
  /** In the order of the bytes. */
  readonly data: Readonly<Record<string, Kind>>
  /** The argument `lamports` leaves the account `from`. */
  readonly spends?: true
}

/** A program whose instructions are told apart by the first bytes of their data. */
export interface Program {
  readonly name: string
  /** Bytes of the number that tells instructions apart, little-endian; 0 when there is only one instruction. */
  readonly tagLength: 0 | 1 | 4
  readonly instructions: ReadonlyMap<number, Layout>
  /** What other instructions are called, so that a report can say it. They are not read. */
  readonly names: readonly string[]
}

/** Every program that is known, by address. No instruction of Token, and none more of ComputeBudget, can be expected. */
export function knownPrograms(stakePoolAddress: string): ReadonlyMap<string, Program> {
  return new Map([
    // First, so that no address given for it takes the place of another program.
    [stakePoolAddress, stakePool],
    [SYSTEM, system],
    [STAKE, stake],
    [ASSOCIATED_TOKEN, associatedToken],
    [MEMO, memo],
    [TOKEN, { name: 'Token', tagLength: 1, names: TOKEN_NAMES, instructions: new Map() }],
    [COMPUTE_BUDGET, { name: 'ComputeBudget', tagLength: 1, names: COMPUTE_BUDGET_NAMES, instructions: new Map() }],
  ])
}

/** The text that names an instruction in calls: its arguments are the accounts that may vary, then the data. */
export function methodOf(program: Program, { name, accounts, data }: Layout): string {
  const free = Object.keys(accounts).filter((account) => accounts[account]!.address === undefined)
  return `${program.name}.${name}(${[...free, ...Object.keys(data)].join(', ')})`
}

const reads: Slot = { signer: false, writable: false }
const writes: Slot = { signer: false, writable: true }
const signs: Slot = { signer: true, writable: false }
const signsAndWrites: Slot = { signer: true, writable: true }
const clock: Slot = { ...reads, address: CLOCK }
const stakeHistory: Slot = { ...reads, address: STAKE_HISTORY }
const rent: Slot = { ...reads, address: RENT }
const recentBlockhashes: Slot = { ...reads, address: RECENT_BLOCKHASHES }
const stakeConfig: Slot = { ...reads, address: STAKE_CONFIG }
const systemProgram: Slot = { ...reads, address: SYSTEM }
const stakeProgram: Slot = { ...reads, address: STAKE }

/** @see https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html (read 2026-11-21) */
const system: Program = {
  name: 'System',
  tagLength: 4,
  names: SYSTEM_NAMES,
  instructions: numbered({
    0: {
      name: 'CreateAccount',
      accounts: { from: signsAndWrites, newAccount: signsAndWrites },
      data: { lamports: 'u64', space: 'u64', owner: 'address' },
      spends: true,
    },
    2: { name: 'Transfer', accounts: { from: signsAndWrites, to: writes }, data: { lamports: 'u64' }, spends: true },
    3: {
      name: 'CreateAccountWithSeed',
      accounts: { from: signsAndWrites, newAccount: writes },
      data: { base: 'address', seed: 'text', lamports: 'u64', space: 'u64', owner: 'address' },
      spends: true,
    },
    4: { name: 'AdvanceNonceAccount', accounts: { nonceAccount: writes, recentBlockhashes, authority: signs }, data: {} },
    6: { name: 'InitializeNonceAccount', accounts: { nonceAccount: writes, recentBlockhashes, rent }, data: { authority: 'address' } },
  }),
}

/** @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/instruction/enum.StakeInstruction.html (read 2026-11-21) */
const stake: Program = {
  name: 'Stake',
  tagLength: 4,
  names: STAKE_NAMES,
  instructions: numbered({
    0: {
      name: 'Initialize',
      accounts: { stake: writes, rent },
      data: { staker: 'address', withdrawer: 'address', lockupTimestamp: 'i64', lockupEpoch: 'u64', custodian: 'address' },
    },
    1: { name: 'Authorize', accounts: { stake: writes, clock, authority: signs }, data: { newAuthority: 'address', role: 'role' } },
    2: { name: 'DelegateStake', accounts: { stake: writes, vote: reads, clock, stakeHistory, stakeConfig, authority: signs }, data: {} },
    4: {
      name: 'Withdraw',
      accounts: { stake: writes, recipient: writes, clock, stakeHistory, authority: signs },
      data: { lamports: 'u64' },
    },
    5: { name: 'Deactivate', accounts: { stake: writes, clock, authority: signs }, data: {} },
  }),
}

/** @see https://docs.rs/spl-associated-token-account/latest/spl_associated_token_account/instruction/ (read 2026-11-21) */
const associatedToken: Program = {
  name: 'AssociatedToken',
  tagLength: 1,
  names: ['Create', 'CreateIdempotent', 'RecoverNested'],
  instructions: numbered({
    1: {
      name: 'CreateIdempotent',
      accounts: { payer: signsAndWrites, tokenAccount: writes, owner: reads, mint: reads, systemProgram, tokenProgram: reads },
      data: {},
    },
  }),
}

/** @see https://www.solana-program.com/docs/memo (read 2026-11-21) */
const memo: Program = {
  name: 'Memo',
  tagLength: 0,
  names: [],
  instructions: numbered({ 0: { name: 'Memo', accounts: {}, data: { memo: 'rest' } } }),
}

const depositSol = {
  pool: writes,
  withdrawAuthority: reads,
  reserve: writes,
  from: signsAndWrites,
  poolTokensTo: writes,
  managerFee: writes,
  referralFee: writes,
  mint: writes,
  systemProgram,
  tokenProgram: reads,
}

const withdrawSol = {
  pool: writes,
  withdrawAuthority: reads,
  authority: signs,
  poolTokensFrom: writes,
  reserve: writes,
  recipient: writes,
  managerFee: writes,
  mint: writes,
  clock,
  stakeHistory,
  stakeProgram,
  tokenProgram: reads,
}

const withdrawStake = {
  pool: writes,
  validatorList: writes,
  withdrawAuthority: reads,
  stakeFrom: writes,
  stakeTo: writes,
  newAuthority: reads,
  authority: signs,
  poolTokensFrom: writes,
  managerFee: writes,
  mint: writes,
  clock,
  tokenProgram: reads,
  stakeProgram,
}

/** @see https://docs.rs/spl-stake-pool/latest/spl_stake_pool/instruction/enum.StakePoolInstruction.html (read 2026-11-21) */
const stakePool: Program = {
  name: 'StakePool',
  tagLength: 1,
  names: STAKE_POOL_NAMES,
  instructions: numbered({
    10: { name: 'WithdrawStake', accounts: withdrawStake, data: { poolTokens: 'u64' } },
    14: { name: 'DepositSol', accounts: depositSol, data: { lamports: 'u64' }, spends: true },
    16: { name: 'WithdrawSol', accounts: withdrawSol, data: { poolTokens: 'u64' } },
    24: { name: 'WithdrawStakeWithSlippage', accounts: withdrawStake, data: { poolTokens: 'u64', leastLamports: 'u64' } },
    25: { name: 'DepositSolWithSlippage', accounts: depositSol, data: { lamports: 'u64', leastPoolTokens: 'u64' }, spends: true },
    26: { name: 'WithdrawSolWithSlippage', accounts: withdrawSol, data: { poolTokens: 'u64', leastLamports: 'u64' } },
  }),
}

/** A Map, so that no inherited name of an object passes for an instruction. */
function numbered(layouts: Readonly<Record<number, Layout>>): ReadonlyMap<number, Layout> {
  return new Map(Object.entries(layouts).map(([tag, layout]) => [Number(tag), layout]))
}
