import { ComputeBudgetProgram, PublicKey } from '@solana/web3.js'
import { badGateway, isServiceError, type KitContext } from '@svc/contract'
import type { SvmDraft } from './assemble.ts'
import type { SvmClient } from './client.ts'
import { bytesOf, messageOf } from './message.ts'
import { type Verdict, verdictOf } from './refusal.ts'
import { malformed, NodeError } from './rpc.ts'

/** Programs of the instructions that stand before those of a draft. */
const BUDGET = [ComputeBudgetProgram.programId.toBase58(), ComputeBudgetProgram.programId.toBase58()]
/** Most compute units of a transaction. @see https://solana.com/docs/core/fees (read 2026-11-21) */
export const MOST_UNITS = 1_400_000

/** What the chain answered to a transaction that it ran without keeping it. */
export interface Simulation extends Verdict {
  /** Compute units that it took; null when the node does not say. */
  readonly units: number | null
  /** Programs of its instructions, to which the verdict refers. */
  readonly programs: readonly string[]
}

/**
 * Lets the chain run a draft, unsigned, on its own latest block hash, so that it leaves beside the questions for block hash and nonce. It
 * runs without the nonce, which is checked where it is read: the chain would refuse to advance one in the block in which that happened
 * before, though the transaction is meant for later.
 *
 * The price is zero, so that a limit as high as this one costs nothing here.
 *
 * @throws 502, 503, 504 when it could not be asked
 */
export async function simulate({ client }: KitContext<SvmClient>, draft: SvmDraft): Promise<Simulation> {
  const frame = { blockhash: PublicKey.default.toBase58(), nonce: null, unitLimit: MOST_UNITS, unitPrice: 0 }
  const options = { encoding: 'base64', commitment: 'confirmed', sigVerify: false, replaceRecentBlockhash: true }
  try {
    const params = [bytesOf(messageOf(draft, frame)).toString('base64'), options]
    const answer = await client.rpc<{ value?: { unitsConsumed?: unknown } } | null>('simulateTransaction', params)
    const verdict = verdictOf(answer?.value)
    const units = answer?.value?.unitsConsumed ?? null
    if (verdict === null || (units !== null && !isUnits(units))) throw malformed(answer)
    return { ...verdict, units, programs: [...BUDGET, ...draft.instructions.map(({ programId }) => programId.toBase58())] }
  } catch (error) {
    if (isServiceError(error) || !(error instanceof NodeError)) throw error
    throw badGateway('UPSTREAM_ERROR', "The chain's node could not simulate the transaction; try again.", error)
  }
}

function isUnits(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_UNITS
}
