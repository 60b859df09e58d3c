import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineMemo } from '@svc/contract'
import { findAccounts, malformed } from '@svc/kit-svm'
import type { NativeContext } from '../network.ts'
import { STAKE_PROGRAM } from './now.ts'
import { DELEGATED_BYTES, type Delegation, decodeAuthorized, type Lockup, OFFSET, STAKE_SPACE, speller } from './stake-account.ts'

/** A delegated stake account, as far as a search shows it. */
interface ValidatorStake {
  readonly id: string
  readonly lamports: bigint
  readonly staker: string
  readonly lockup: Lockup
  readonly delegation: Omit<Delegation, 'stake'>
}

/** Time for which one search serves, in milliseconds: who asks about many wallets does so some hundred at a time. */
const SERVES_MS = 300_000
/** Accounts read before others get their turn. */
const BREATH = 2_000

interface Search {
  readonly until: number
  readonly found: Promise<ReadonlyMap<string, readonly ValidatorStake[]>>
}

const searches = defineMemo<Search>()

/**
 * Lists every stake account that is delegated to the operator's validator, or was before it was deactivated, by its withdrawer. One search of the node
 * serves all who ask within five minutes.
 *
 * @throws 502, 503, 504
 */
export function readValidatorStake(ctx: NativeContext): Promise<ReadonlyMap<string, readonly ValidatorStake[]>> {
  const now = ctx.now().getTime()
  const earlier = searches.get(ctx)
  if (earlier && now < earlier.until) return earlier.found
  const search = { until: now + SERVES_MS, found: searched(ctx) }
  searches.set(ctx, search)
  search.found.catch(() => {
    if (searches.get(ctx) === search) searches.delete(ctx)
  })
  return search.found
}

async function searched({ client, network: { validator } }: NativeContext): Promise<ReadonlyMap<string, readonly ValidatorStake[]>> {
  const slice = { offset: OFFSET.staker, length: OFFSET.deactivationEpochEnd - OFFSET.staker }
  const voter = OFFSET.voter - slice.offset
  const spell = speller()
  const accounts = await findAccounts(client, {
    program: STAKE_PROGRAM,
    filters: [
      { dataSize: STAKE_SPACE },
      { memcmp: { offset: OFFSET.discriminant, bytes: DELEGATED_BYTES } },
      { memcmp: { offset: OFFSET.voter, bytes: validator } },
    ],
    dataSlice: slice,
    fits: (data) => data.length === slice.length && spell(data.subarray(voter, voter + 32)) === validator,
  })
  const byOwner = new Map<string, ValidatorStake[]>()
  for (const [index, { address: id, lamports, data }] of accounts.entries()) {
    if (index % BREATH === BREATH - 1) await nextTurn()
    const account = decodeAuthorized(data, spell)
    if (!account) throw malformed()
    const { staker, withdrawer, lockup } = account
    const stake = { id, lamports, staker, lockup, delegation: { voter: validator, ...account.delegation } }
    const own = byOwner.get(withdrawer)
    if (own) own.push(stake)
    else byOwner.set(withdrawer, [stake])
  }
  return byOwner
}
