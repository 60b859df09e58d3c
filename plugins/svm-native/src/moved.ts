import type { Moved, NetworkBase } from '@svc/contract'
import { gainOf, type RunInstruction, type StakeChange, type SvmReceipt } from '@svc/kit-svm'
import { StakeProgram, SystemProgram } from '@svc/solana'
import { STAKE_PROGRAM } from './chain/now.ts'

type Move = Moved['moves'][number]

const SYSTEM = SystemProgram.programId.toBase58()
/** @see https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html (read 2026-11-22) */
const SYSTEM_TAG = { create: 0, createWithSeed: 3, initializeNonce: 6 } as const
/** @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/instruction/enum.StakeInstruction.html (read 2026-11-22) */
const WITHDRAW = 4
/** Length of its data, in bytes: the tag, and the lamports that are paid. */
const WITHDRAW_BYTES = 12
/** The owner of a new account is the end of the instruction that makes it. */
const OWNER_BYTES = 32
const OWNER = StakeProgram.programId.toBuffer()

/**
 * Lists the moves that a transaction made: of its wallet by the lamports before and after it, and of stake by the kit's proof for each account. Where one of several
 * accounts has no proof any more, the sum of its kind is null. A stake account or a nonce account that was made is an object: the actions take either by its name.
 */
export function moved(_network: NetworkBase, receipt: SvmReceipt, signer: string | null): Moved {
  const gain = gainOf(receipt, signer ?? receipt.feePayer)
  return {
    moves: [
      ...some('leaves', -gain),
      ...stakeMoved('staked', receipt.stakes, 'delegated', 0n),
      ...stakeMoved('freed', receipt.stakes, 'deactivated', paidAway(receipt)),
      ...some('arrives', gain),
    ],
    objectIds: receipt.instructions.flatMap((instruction) => madeBy(instruction)),
  }
}

function some(kind: Move['kind'], amount: bigint): readonly Move[] {
  return amount > 0n ? [{ kind, asset: 'native', amount }] : []
}

/** @param besides lamports of the same kind that the record itself tells */
function stakeMoved(kind: Move['kind'], stakes: readonly StakeChange[], by: StakeChange['kind'], besides: bigint): readonly Move[] {
  const changes = stakes.filter((change) => change.kind === by)
  const unproven = changes.find(({ amount }) => amount === null)
  if (unproven) return [{ kind, asset: 'native', amount: null, reason: `${unproven.account}: ${unproven.reason}` }]
  return some(
    kind,
    changes.reduce((sum, { amount }) => sum + (amount ?? 0n), besides),
  )
}

/** Lamports that stake accounts paid to somebody else than who may withdraw them. */
function paidAway({ instructions }: SvmReceipt): bigint {
  return instructions
    .filter(({ program, data }) => program === STAKE_PROGRAM && data.length >= WITHDRAW_BYTES && data.readUInt32LE() === WITHDRAW)
    .filter(({ accounts: [, recipient, , , authority] }) => recipient !== authority)
    .reduce((sum, { data }) => sum + data.readBigUInt64LE(4), 0n)
}

/** The stake account that an instruction makes, or the nonce account that it makes of one. */
function madeBy({ program, accounts: [first, second], data }: RunInstruction): readonly string[] {
  const tag = program === SYSTEM && data.length >= 4 ? data.readUInt32LE() : null
  if (tag === SYSTEM_TAG.initializeNonce) return first === undefined ? [] : [first]
  if (second === undefined || (tag !== SYSTEM_TAG.create && tag !== SYSTEM_TAG.createWithSeed)) return []
  return data.subarray(-OWNER_BYTES).equals(OWNER) ? [second] : []
}
