import { defineMemo } from '@svc/contract'
import type { StirringSearch } from '@svc/contract/control'
import { readValidatorStake } from './chain/validator-stake.ts'
import { textOf } from './digests.ts'
import type { NativeContext } from './network.ts'

/**
 * Interval of the search, in seconds. Its answer has each stake account of the validator in it, some 300 bytes an account, and providers bill it as ten calls: once a minute, it
 * would be four gigabytes a day for ten thousand accounts.
 */
const SEARCH_SECONDS = 600

/** A stake account as the last search has shown it. */
interface Seen {
  readonly owner: string
  readonly lamports: bigint
  readonly text: string
}

const lastSearch = defineMemo<ReadonlyMap<string, Seen>>()

/**
 * Finds wallets whose stake accounts have changed since the last search of this process, by the one search for all accounts of the validator: the powers over one, its state,
 * or its withdrawer, which is both the wallet that had it and the one that has it. The first search only remembers; what has changed before it is found by the digests.
 */
export const stirrings: StirringSearch<NativeContext> = {
  everySeconds: SEARCH_SECONDS,
  async search(ctx) {
    const now = new Map<string, Seen>()
    for (const [owner, units] of await readValidatorStake(ctx))
      for (const unit of units) now.set(unit.id, { owner, lamports: unit.lamports, text: textOf(unit) })
    const before = lastSearch.get(ctx)
    lastSearch.set(ctx, now)
    const wallets = new Set<string>()
    for (const [id, was] of before ?? []) {
      const is = now.get(id)
      // Rewards only make an account larger.
      if (is?.text !== was.text || is.owner !== was.owner || is.lamports < was.lamports)
        for (const each of [was, is]) if (each) wallets.add(each.owner)
    }
    return { wallets: [...wallets].map((wallet) => ({ wallet })) }
  },
}
