import { type KitContext, membersOf } from '@svc/contract'
import { ComputeBudgetProgram, PublicKey } from '@svc/solana'
import type { SvmClient } from './client.ts'
import type { SvmDraft } from './draft.ts'
import { bytesOf, messageOf } from './message.ts'
import { type Verdict, verdictOf } from './refusal.ts'
import { malformed } from './rpc.ts'

/** Programs of the instructions that stand before those of a draft. */
const BUDGET = [ComputeBudgetProgram.programId.toBase58(), ComputeBudgetProgram.programId.toBase58()]
/** Most compute units of a transaction. @see https://solana.com/docs/core/fees (read 2026-11-21) */
export const MOST_UNITS = 1_400_000
/** Factor by which the units that a node says it used may exceed those of a draft: they are paid for. Drafts reckon with about twice what was measured. */
const MOST_TIMES = 5
/**
 * Compute units of an instruction of a program that is built in, as the two of the compute budget are. One of a deployed program takes a unit for each step that
 * it makes, at least one. A limit below their sum ends every transaction, for its fee.
 *
 * @see https://docs.rs/solana-system-program/latest/solana_system_program/system_processor/constant.DEFAULT_COMPUTE_UNITS.html (read 2026-11-25)
 */
const BUILT_IN_UNITS = 150

/** Answer of the chain to a transaction that it ran without keeping it. */
interface Simulation extends Verdict {
  /** Compute units that it took; null when the node does not say. */
  readonly units: number | null
  /** Programs of its instructions, to which the verdict refers. */
  readonly programs: readonly string[]
}

/**
 * Simulates a draft, unsigned, on the chain's latest block hash, so that it can be asked together with block hash and nonce. It runs without the nonce, which is checked
 * where it is read: the chain would refuse to advance a nonce again in the same block, though the transaction is meant for later.
 *
 * The price is zero, so that a limit as high as this one costs nothing here.
 *
 * @throws 502, 503, 504 when it could not be asked
 */
export async function simulate({ client }: KitContext<SvmClient>, draft: SvmDraft): Promise<Simulation> {
  const frame = { blockhash: PublicKey.default.toBase58(), nonce: null, unitLimit: MOST_UNITS, unitPrice: 0 }
  const options = { encoding: 'base64', commitment: 'confirmed', sigVerify: false, replaceRecentBlockhash: true }
  const most = Math.min(draft.unitLimit * MOST_TIMES, MOST_UNITS)
  const least = BUILT_IN_UNITS * BUDGET.length + draft.instructions.length
  return client.rpc('simulateTransaction', [bytesOf(messageOf(draft, frame)).toString('base64'), options], (answer) => {
    const { value } = membersOf(answer)
    const verdict = verdictOf(value)
    const units = membersOf(value).unitsConsumed ?? null
    const [from, to] = verdict?.err === null ? [least, most] : [0, MOST_UNITS]
    if (verdict === null || !(units === null || isUnits(units, from, to))) throw malformed(answer)
    return { ...verdict, units, programs: [...BUDGET, ...draft.instructions.map(({ programId }) => programId.toBase58())] }
  })
}

function isUnits(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
