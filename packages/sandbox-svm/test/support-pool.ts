import { StakePoolInstruction, StakePoolLayout } from '@solana/spl-stake-pool'
import type { PublicKey as Key, TransactionInstruction } from '@solana/web3.js'
import type { Test } from 'tap'
import type { SvmStakePoolOptions } from '../src/index.ts'
import { bench, PublicKey, StakeProgram, SystemProgram } from './support.ts'

export const rent = 2_282_880n
export const key = (address: string) => new PublicKey(address)
export const tokenProgram = key('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const associated = key('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const fee = (numerator: bigint, denominator: bigint) => ({ numerator, denominator })

/** Totals, fees and results of a real pool's size. */
export const vector = {
  source: 'computed with @solana/spl-stake-pool program v2 formulas on integers; the same as on a copy of a mainnet pool',
  total: 1_144_546_482_246_437n,
  supply: 934_784_722_219_576n,
}

export function ata(owner: Key, mint: Key): Key {
  return PublicKey.findProgramAddressSync([owner.toBytes(), tokenProgram.toBytes(), mint.toBytes()], associated)[0]
}

export function createAta(owner: Key, mint: Key): TransactionInstruction {
  const account = (pubkey: Key, isSigner: boolean, isWritable: boolean) => ({ pubkey, isSigner, isWritable })
  const keys = [
    account(owner, true, true),
    account(ata(owner, mint), false, true),
    account(owner, false, false),
    account(mint, false, false),
    account(SystemProgram.programId, false, false),
    account(tokenProgram, false, false),
  ]
  return { programId: associated, keys, data: Buffer.from([1]) } as TransactionInstruction
}

export async function withPool(t: Test, more: Partial<SvmStakePoolOptions> = {}) {
  const world = await bench(t, { chainId: 'mainnet-beta' })
  const { chain, wallet } = world
  const { vote } = await chain.createValidator({ name: 'operator', commissionBps: 500 })
  const { vote: second } = await chain.createValidator({ name: 'second', commissionBps: 500 })
  const made = await chain.createStakePool({ name: 'pool', validators: [vote, second], ...more })
  const mint = key(made.mint)
  const own = ata(wallet.publicKey, mint)
  const state = () => StakePoolLayout.decode(Buffer.from(chain.account(made.pool)!.data))
  const totals = () => ({ total: BigInt(state().totalLamports.toString()), supply: BigInt(state().poolTokenSupply.toString()) })
  const shared = {
    stakePool: key(made.pool),
    withdrawAuthority: key(made.withdrawAuthority),
    reserveStake: key(made.reserve),
    managerFeeAccount: key(made.managerFeeAccount),
    poolMint: mint,
  }
  const deposit = (lamports: bigint, changes: Record<string, unknown> = {}) =>
    StakePoolInstruction.depositSol({
      ...shared,
      programId: key(made.program),
      fundingAccount: wallet.publicKey,
      destinationPoolAccount: own,
      referralPoolAccount: own,
      lamports: Number(lamports),
      ...changes,
    } as never)
  const redeem = (tokens: bigint, changes: Record<string, unknown> = {}) =>
    StakePoolInstruction.withdrawSol({
      ...shared,
      programId: key(made.program),
      sourcePoolAccount: own,
      sourceTransferAuthority: wallet.publicKey,
      destinationSystemAccount: wallet.publicKey,
      poolTokens: Number(tokens),
      ...changes,
    } as never)
  const source = (of: string) => PublicKey.findProgramAddressSync([key(of).toBytes(), key(made.pool).toBytes()], key(made.program))[0]
  async function redeemStake(tokens: bigint, from: string, changes: Record<string, unknown> = {}) {
    const target = await PublicKey.createWithSeed(wallet.publicKey, 'target', StakeProgram.programId)
    const room = SystemProgram.createAccountWithSeed({
      fromPubkey: wallet.publicKey,
      basePubkey: wallet.publicKey,
      newAccountPubkey: target,
      seed: 'target',
      lamports: Number(rent),
      space: 200,
      programId: StakeProgram.programId,
    })
    const taken = StakePoolInstruction.withdrawStake({
      ...shared,
      programId: key(made.program),
      validatorList: key(made.validatorList),
      validatorStake: source(from),
      destinationStake: target,
      destinationStakeAuthority: wallet.publicKey,
      sourceTransferAuthority: wallet.publicKey,
      sourcePoolAccount: own,
      poolTokens: Number(tokens),
      ...changes,
    } as never)
    return { target, instructions: [room, taken] }
  }
  return {
    ...world,
    vote,
    second,
    made,
    mint,
    own,
    state,
    totals,
    deposit,
    redeem,
    redeemStake,
    source,
    create: createAta(wallet.publicKey, mint),
  }
}

/** Makes a pool of exactly these totals. */
export async function ofSize(t: Test, more: Partial<SvmStakePoolOptions>) {
  return withPool(t, { validators: [], deposit: vector.total, supply: vector.supply, ...more })
}

/** The program's own error of an instruction. */
export const custom = (index: number, code: number) => ({ InstructionError: [index, { Custom: code }] })

/** The instruction with an account that does not sign. */
export function unsigned(account: Key) {
  return (instruction: TransactionInstruction) =>
    ({
      ...instruction,
      keys: instruction.keys.map((meta) => (meta.pubkey.equals(account) ? { ...meta, isSigner: false } : meta)),
    }) as TransactionInstruction
}
