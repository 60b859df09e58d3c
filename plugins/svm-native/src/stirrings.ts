import { defineMemo } from '@svc/contract'
import type { StirringSearch } from '@svc/contract/control'
import { listenToValidatorStake, readValidatorStake, type ValidatorStake } from './chain/validator-stake.ts'
import { textOf } from './digests.ts'
import type { NativeContext } from './network.ts'

/**
 * Interval of the search, in seconds. Its answer has each stake account of the validator in it, some 300 bytes an account, and providers bill it as ten calls: once a minute, it
 * would be four gigabytes a day for ten thousand accounts.
 */
const SEARCH_SECONDS = 600
/** Interval while a node pushes, in seconds: within it accounts are found that are closed, or merged into others, at once with what is taken from them. */
const PUSHED_SECONDS = 3_600
/** Most accounts that are remembered from pushes until the next search: more new ones than that an endpoint makes up. */
const MOST_NEW = 10_000

/** A stake account as it was shown last. */
interface Sight {
  readonly owner: string
  readonly lamports: bigint
  readonly text: string
}

/** Accounts as the last search and the pushes since then have shown them. */
interface Sights {
  readonly byId: Map<string, Sight>
  readonly most: number
  /** True once a search has shown all accounts: one that is pushed for the first time is new then. */
  readonly isWhole: boolean
}

const memory = defineMemo<Sights>()

/**
 * Finds wallets whose stake accounts have changed since they were shown last to this process, by a search or a push: the powers over one, its state, or its withdrawer, which is both the wallet that had
 * it and the one that has it. The first sight of an account only remembers it; what has changed before is found by the digests.
 *
 * A search shows all accounts of the validator. A push shows one that a transaction or the rewards of an epoch have written, and none that is gone: where one is new, all may have been split off from
 * another and given away in the same transaction, and a search follows, no sooner than without pushes.
 */
export const stirrings: StirringSearch<NativeContext> = {
  everySeconds: SEARCH_SECONDS,
  async search(ctx) {
    const byId = new Map<string, Sight>()
    for (const stakes of (await readValidatorStake(ctx, true)).values()) for (const stake of stakes) byId.set(stake.id, sightOf(stake))
    // Pushes that came while the node was searching are among them.
    const before = memory.get(ctx)?.byId ?? []
    memory.set(ctx, { byId, most: byId.size + MOST_NEW, isWhole: true })
    const wallets = new Set<string>()
    for (const [id, was] of before) for (const owner of ownersStirred(was, byId.get(id))) wallets.add(owner)
    return { wallets: [...wallets].map((wallet) => ({ wallet })) }
  },
  feed: {
    searchSeconds: PUSHED_SECONDS,
    listen(ctx, { live, deaf, stirred }) {
      return listenToValidatorStake(ctx, {
        live,
        deaf,
        written(stake) {
          const { byId, most, isWhole } = memory.get(ctx) ?? { byId: new Map<string, Sight>(), most: MOST_NEW, isWhole: false }
          const was = byId.get(stake.id)
          const is = sightOf(stake)
          if (was === undefined && byId.size >= most) return
          byId.set(stake.id, is)
          memory.set(ctx, { byId, most, isWhole })
          // What it was split from may be gone whole, which nothing pushes.
          if (was === undefined) return isWhole ? stirred(null) : undefined
          const owners = ownersStirred(was, is)
          if (owners.length > 0) stirred(owners.map((wallet) => ({ wallet })))
        },
      })
    },
  },
}

function sightOf(stake: ValidatorStake): Sight {
  return { owner: stake.withdrawer, lamports: stake.lamports, text: textOf(stake) }
}

/** Names the owners of an account that has changed, before and after; nobody where it is as it was, or larger, as rewards make it. */
function ownersStirred(was: Sight, is: Sight | undefined): readonly string[] {
  if (is?.text === was.text && is.owner === was.owner && is.lamports >= was.lamports) return []
  return [...new Set([was.owner, is?.owner ?? was.owner])]
}
