import { nodeBehind } from '@svc/contract'
import { countOf, memberOf } from '../answers.ts'
import { LIFE_BLOCKS } from '../epochs.ts'
import { malformed, type Rpc } from '../rpc.ts'
import { untilHeight } from './bounds.ts'
import { type Ends, slotsBehindAtMost } from './ending.ts'
import { type Head, readHead } from './head.ts'
import type { Keep } from './keep.ts'

const LIFE = BigInt(LIFE_BLOCKS)
/** Most slots that the blocks of a life can take: nine of ten skipped. */
const LIFE_SLOTS = 10n * LIFE

/**
 * A block hash, too old after 150 blocks. Signed bytes cannot hold a hash that is younger than they are, so that the height of a node that knows
 * the hash bounds their life; one that does not know it may be behind, and its height counts with as many blocks more as it may be.
 *
 * That a node does not know a hash proves nothing, since it says so of those that it has not come to: it only keeps a hash alive that it knows.
 */
export const byHeight: Ends = {
  status: 'expired',
  async observe(ctx, facts, before) {
    const [finalized, tip, hash] = await Promise.all([
      readHead(ctx.client, 'finalized'),
      readHead(ctx.client, 'processed'),
      readFreshness(ctx.client, String(facts.blockhash)),
    ])
    const keep = hash.known
      ? seen(before, tip, hash.slot)
      : unseen(before, finalized.height > tip.height ? finalized : tip, slotsBehindAtMost(ctx))
    const { last } = keep
    const over = last !== undefined && finalized.height > last && !hash.known
    // Counted with a margin it says when nothing takes the bytes any more, and not when that began.
    const exact = keep.since === undefined ? null : (last ?? null)
    const left = exact === null || exact < tip.height ? 0n : exact - tip.height
    return { finalized: finalized.slot, keep, over, validUntil: untilHeight(exact, left, ctx.now()) }
  },
  async confirm({ client }, facts, { finalized, keep: { last = 0n } }) {
    const [, hash] = await Promise.all([
      readHead(client, 'finalized', (head) => {
        if (head.height <= last || head.slot < finalized) throw nodeBehind(head)
      }),
      readFreshness(client, String(facts.blockhash)),
    ])
    return { over: !hash.known, by: null }
  },
}

/** The hash is one of the last 150: what was signed over it has not landed before, and does not land after. */
function seen(keep: Keep, tip: Head, at: bigint): Keep {
  // The two answers may be of two moments: every slot between them may have been a block.
  const last = tip.height + (at > tip.slot ? at - tip.slot : 0n) + LIFE
  const since = at > LIFE_SLOTS ? at - LIFE_SLOTS : 0n
  return { ...keep, last: keep.last !== undefined && keep.last < last ? keep.last : last, since: keep.since ?? since }
}

function unseen(keep: Keep, { height }: Head, behind: bigint | null): Keep {
  return keep.last !== undefined || behind === null ? keep : { ...keep, last: height + behind + LIFE }
}

interface Freshness {
  readonly slot: bigint
  readonly known: boolean
}

/** @see https://solana.com/docs/rpc/http/isblockhashvalid (read 2026-11-22) */
async function readFreshness({ rpc }: { readonly rpc: Rpc }, hash: string): Promise<Freshness> {
  return rpc('isBlockhashValid', [hash, { commitment: 'processed' }], (answer) => {
    const isValid = memberOf(answer, 'value')
    if (typeof isValid !== 'boolean') throw malformed(answer)
    return { slot: countOf(memberOf(memberOf(answer, 'context'), 'slot')), known: isValid }
  })
}
