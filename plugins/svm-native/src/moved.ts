import type { Moved, NetworkBase } from '@svc/contract'
import { changeOf, gainOf, type RunInstruction, rentOf, type SvmReceipt } from '@svc/kit-svm'
import { StakeProgram, SystemProgram } from '@svc/solana'
import { STAKE_PROGRAM } from './chain/now.ts'
import { STAKE_SPACE } from './chain/stake-account.ts'

const SYSTEM = SystemProgram.programId.toBase58()
/** @see https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html (read 2026-11-22) */
const SYSTEM_TAG = { create: 0, createWithSeed: 3, initializeNonce: 6 } as const
/** @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/instruction/enum.StakeInstruction.html (read 2026-11-22) */
const STAKE = { delegate: 2, withdraw: 4, deactivate: 5 } as const
/** The owner of a new account is the end of the instruction that makes it. */
const OWNER_BYTES = 32
const OWNER = StakeProgram.programId.toBuffer()

/**
 * What a transaction moved, by the lamports that accounts held before and after it. What is delegated or deactivated is an account's whole balance
 * without its reserve. A stake account or a nonce account that was made is an object: the actions take either by its name.
 */
export function moved(_network: NetworkBase, receipt: SvmReceipt, signer: string | null): Moved {
  const wallet = signer ?? receipt.feePayer
  const gain = gainOf(receipt, wallet)
  const principals = (tag: number) => sum(accountsOf(receipt, tag).map((address) => principalOf(receipt, address)))
  const paidAway = sum(
    stakeInstructions(receipt, STAKE.withdraw)
      .filter(({ accounts: [, recipient, , , authority] }) => recipient !== authority)
      .map(({ accounts: [account = ''] }) => changeOf(receipt, account))
      .map(({ before, after }) => (before > after ? before - after : 0n)),
  )
  const amounts = {
    leaves: gain < 0n ? -gain : 0n,
    staked: principals(STAKE.delegate),
    freed: principals(STAKE.deactivate) + paidAway,
    arrives: gain > 0n ? gain : 0n,
  }
  const kinds = ['leaves', 'staked', 'freed', 'arrives'] as const
  return {
    moves: kinds.filter((kind) => amounts[kind] > 0n).map((kind) => ({ kind, asset: 'native', amount: amounts[kind] })),
    objectIds: receipt.instructions.flatMap((instruction) => madeBy(instruction)),
  }
}

/** The stake account that an instruction makes, or the nonce account that it makes of one. */
function madeBy({ program, accounts: [first, second], data }: RunInstruction): readonly string[] {
  const tag = program === SYSTEM && data.length >= 4 ? data.readUInt32LE() : null
  if (tag === SYSTEM_TAG.initializeNonce) return first === undefined ? [] : [first]
  if (second === undefined || (tag !== SYSTEM_TAG.create && tag !== SYSTEM_TAG.createWithSeed)) return []
  return data.subarray(-OWNER_BYTES).equals(OWNER) ? [second] : []
}

function stakeInstructions({ instructions }: SvmReceipt, tag: number): readonly RunInstruction[] {
  return instructions.filter(({ program, data }) => program === STAKE_PROGRAM && data.length >= 4 && data.readUInt32LE() === tag)
}

/** The accounts that instructions are about, each once. */
function accountsOf(receipt: SvmReceipt, tag: number): readonly string[] {
  return [...new Set(stakeInstructions(receipt, tag).flatMap(({ accounts: [account] }) => account ?? []))]
}

function principalOf(receipt: SvmReceipt, address: string): bigint {
  const { after } = changeOf(receipt, address)
  const reserve = rentOf(receipt, STAKE_SPACE)
  return after > reserve ? after - reserve : 0n
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
