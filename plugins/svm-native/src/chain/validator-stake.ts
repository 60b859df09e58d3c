import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineMemo } from '@svc/contract'
import { type AccountFeed, type AccountFilter, type FoundAccount, findAccounts, listenToAccounts, malformed } from '@svc/kit-svm'
import type { NativeContext } from '../network.ts'
import { STAKE_PROGRAM } from './now.ts'
import { DELEGATED_BYTES, type Delegation, decodeAuthorized, type Lockup, OFFSET, STAKE_SPACE, speller } from './stake-account.ts'

/** A delegated stake account, as far as a search shows it. */
export interface ValidatorStake {
  readonly id: string
  readonly withdrawer: string
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

/** Part of the data of a delegated account that is read: from its staker to the end of its deactivation epoch. */
const SLICE = { offset: OFFSET.staker, length: OFFSET.deactivationEpochEnd - OFFSET.staker } as const

/** Makes the filters that the stake accounts with a validator pass. */
function filtersOf(validator: string): readonly AccountFilter[] {
  return [
    { dataSize: STAKE_SPACE },
    { memcmp: { offset: OFFSET.discriminant, bytes: DELEGATED_BYTES } },
    { memcmp: { offset: OFFSET.voter, bytes: validator } },
  ]
}

/**
 * Lists every stake account that is delegated to the operator's validator, or was before it was deactivated, by its withdrawer. One search of the node
 * serves all who ask within five minutes.
 *
 * @param anew true for whoever needs the accounts as they are after the call: an earlier search does not serve. @default false
 * @throws 502, 503, 504
 */
export function readValidatorStake(ctx: NativeContext, anew = false): Promise<ReadonlyMap<string, readonly ValidatorStake[]>> {
  const now = ctx.now().getTime()
  const earlier = searches.get(ctx)
  if (earlier && now < earlier.until && !anew) return earlier.found
  const search = { until: now + SERVES_MS, found: searched(ctx) }
  searches.set(ctx, search)
  search.found.catch(() => {
    if (searches.get(ctx) === search) searches.delete(ctx)
  })
  return search.found
}

async function searched({ client, network: { validator } }: NativeContext): Promise<ReadonlyMap<string, readonly ValidatorStake[]>> {
  const spell = speller()
  const accounts = await findAccounts(client, {
    program: STAKE_PROGRAM,
    filters: filtersOf(validator),
    dataSlice: SLICE,
    fits: (data) => data.length === SLICE.length && voterIn(data, spell) === validator,
  })
  const byOwner = new Map<string, ValidatorStake[]>()
  for (const [index, account] of accounts.entries()) {
    if (index % BREATH === BREATH - 1) await nextTurn()
    const stake = stakeIn(account, validator, spell)
    const own = byOwner.get(stake.withdrawer)
    if (own) own.push(stake)
    else byOwner.set(stake.withdrawer, [stake])
  }
  return byOwner
}

/**
 * Listens to the stake accounts of the operator's validator, as confirmed blocks write them.
 *
 * @param feed `written` takes each of them, changed or not
 * @returns the function that ends it; null where the host has no means to listen
 */
export function listenToValidatorStake(
  { client, network: { validator } }: NativeContext,
  { written, ...states }: Pick<AccountFeed, 'live' | 'deaf'> & { written(stake: ValidatorStake): void },
): (() => void) | null {
  const sliced = (data: Buffer) => data.subarray(SLICE.offset, SLICE.offset + SLICE.length)
  return listenToAccounts(client, {
    ...states,
    program: STAKE_PROGRAM,
    filters: filtersOf(validator),
    // An endpoint may push any number of keys, so that none is remembered.
    fits: (data) => data.length === STAKE_SPACE && voterIn(sliced(data), speller()) === validator,
    written: (account) => written(stakeIn({ ...account, data: sliced(account.data) }, validator, speller())),
  })
}

function voterIn(slice: Buffer, spell: (key: Uint8Array) => string): string {
  const voter = OFFSET.voter - SLICE.offset
  return spell(slice.subarray(voter, voter + 32))
}

function stakeIn({ address: id, lamports, data }: FoundAccount, validator: string, spell: (key: Uint8Array) => string): ValidatorStake {
  const account = decodeAuthorized(data, spell)
  if (!account) throw malformed()
  const { staker, withdrawer, lockup } = account
  return { id, withdrawer, lamports, staker, lockup, delegation: { voter: validator, ...account.delegation } }
}
