import { membersOf, nodeBehind } from '@svc/contract'
import { countOf, listOf, memberOf } from '../answers.ts'
import { verdictOf } from '../refusal.ts'
import { malformed, type Rpc } from '../rpc.ts'

/** Facts that a node knows of a signature. */
export interface Known {
  readonly slot: bigint
  readonly confirmation: 'processed' | 'confirmed' | 'finalized'
  /** Error as the node writes it; null where the transaction succeeded. */
  readonly err: unknown
}

/** Answer of a node for a signature, and the slot that the node stood at. */
export interface Answered {
  readonly at: bigint
  /** null: not that it knew. */
  readonly known: Known | null
}

/** Options of the question to a node. */
interface Asked {
  /** True if the node's ledger is looked through too, which costs more; without this a node knows the last few minutes. */
  readonly history: boolean
  /** Slot that the node must have come to, where it knows less than a confirmed block. */
  readonly past?: bigint | undefined
}

/**
 * Reads the status of a signature.
 *
 * @throws 502, 503, 504
 * @see https://solana.com/docs/rpc/http/getsignaturestatuses (read 2026-11-22)
 */
export async function readStatus({ rpc }: { readonly rpc: Rpc }, hash: string, { history, past = 0n }: Asked): Promise<Answered> {
  const options = history ? [{ searchTransactionHistory: true }] : []
  return rpc('getSignatureStatuses', [[hash], ...options], (answer) => {
    const at = countOf(memberOf(memberOf(answer, 'context'), 'slot'))
    const [status, ...others] = listOf(memberOf(answer, 'value'))
    if (status === undefined || others.length > 0) throw malformed(answer)
    const state = status === null ? null : knownOf(status, at)
    if ((state === null || state.confirmation === 'processed') && at < past) throw nodeBehind({ at, past })
    return { at, known: state }
  })
}

/** @throws 502 for a form that no node gives, and for a block that the node has not come to */
function knownOf(status: unknown, at: bigint): Known {
  const verdict = verdictOf(status)
  const { confirmationStatus: confirmation } = membersOf(status)
  const slot = countOf(memberOf(status, 'slot'))
  if (verdict === null || slot > at) throw malformed(status)
  if (confirmation !== 'processed' && confirmation !== 'confirmed' && confirmation !== 'finalized') throw malformed(status)
  return { slot, confirmation, err: verdict.err }
}
