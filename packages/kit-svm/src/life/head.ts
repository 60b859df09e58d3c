import { countOf, memberOf } from '../answers.ts'
import { malformed, type Rpc } from '../rpc.ts'

/** Position of a node: a slot, and the height of the block in it. */
export interface Head {
  readonly slot: bigint
  readonly height: bigint
}

/** Reads the head of the chain. @throws 502, 503, 504. @see https://solana.com/docs/rpc/http/getepochinfo (read 2026-11-22) */
export async function readHead(
  { rpc }: { readonly rpc: Rpc },
  commitment: 'processed' | 'finalized',
  judge: (head: Head) => void = () => undefined,
): Promise<Head> {
  return rpc('getEpochInfo', [{ commitment }], (answer) => {
    const head = { slot: countOf(memberOf(answer, 'absoluteSlot')), height: countOf(memberOf(answer, 'blockHeight')) }
    // There are never more blocks than slots.
    if (head.height > head.slot) throw malformed(answer)
    judge(head)
    return head
  })
}
