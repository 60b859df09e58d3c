import type { Facts, KitContext, ValidUntil } from '@svc/contract'
import type { SvmClient } from '../client.ts'
import type { SvmSettings } from '../settings.ts'
import { readHead } from './head.ts'
import type { Keep } from './keep.ts'

export type LifeContext = KitContext<SvmClient, SvmSettings>

/** Findings of a look on the end of a transaction, before the transaction itself is looked for. */
export interface Ending {
  /** Newest finalised slot of the node. */
  readonly finalized: bigint
  readonly keep: Keep
  /** True if the transaction can have ended: it is then looked for once more, and the question of this finding is asked again. */
  readonly over: boolean
  readonly validUntil: ValidUntil | null
}

/** Findings of a second look at a node that does not know the transaction. */
interface Ended {
  /** True if the node still says that the transaction has ended. */
  readonly over: boolean
  /** Hash of the one that took its place, where it was found. */
  readonly by: string | null
}

/** Ways in which a transaction ends. */
export interface Ends {
  readonly status: 'expired' | 'replaced'
  /** Travels along with the first question for the transaction. @throws 502, 503, 504 */
  observe(ctx: LifeContext, facts: Facts, keep: Keep): Promise<Ending>
  /** Travels along with the second. @throws 502, 503, 504 also for a node that has not come as far as the first one */
  confirm(ctx: LifeContext, facts: Facts, ending: Ending, hash: string): Promise<Ended>
}

/** Seconds of a slot as short as they could be: for how many blocks a node may be behind. */
const SHORTEST_SLOT = 0.2

/**
 * Converts the setting `max_block_age` (seconds) into slots, at the shortest time of a slot: so far a node may be behind that is still believed. Whoever asks adds that to a height or slot before a
 * transaction counts as ended.
 *
 * @returns null where the setting is 0: no limit
 */
export function slotsBehindAtMost({ network }: LifeContext): bigint | null {
  return network.max_block_age === 0 ? null : BigInt(Math.ceil(network.max_block_age / SHORTEST_SLOT))
}

/** For a hash alone: nothing says what ends it. */
export const byNothing: Pick<Ends, 'observe'> = {
  async observe({ client }, _facts, keep) {
    const { slot } = await readHead(client, 'finalized')
    return { finalized: slot, keep, over: false, validUntil: null }
  },
}
