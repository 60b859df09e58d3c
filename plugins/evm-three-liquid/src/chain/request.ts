import { defineMemo } from '@svc/contract'
import type { NoAnswer, Question } from '@svc/kit-evm'
import type { LiquidContext, LiquidNetwork } from '../network.ts'
import type { Pool } from './pool.ts'
import { answered, ask, askPool, chainTime, vault } from './vault.ts'

/**
 * Seconds from the vault's own claimable time until a request counts as withdrawable. They cover the epochs by which the staking contract
 * releases the stake behind it: 1.1 to 2.1 of 4 to 5.5 hours, of which the vault's delay covers the rest.
 */
export const GRACE = 21_600n
/** No claimable time lies beyond this, in seconds since 1970: the last instant that a date can be. */
const LAST_TIME = 8_640_000_000_000n
/** Addresses whose last request is remembered; the oldest are dropped. */
const REMEMBERED = 10_000

/** An open redeem request. */
export interface Request {
  readonly id: bigint
  /** Terms of the request; null: it could not be read, or somebody else controls it. */
  readonly terms: Terms | null
  /** Reason why the request could not be read; undefined when it could be. */
  readonly unreadable?: NoAnswer
}

interface Terms {
  /** Amount in wei, fixed at the time of the request. */
  readonly assets: bigint
  /** Time from which the request counts as withdrawable, in seconds since 1970, with the six hours of `GRACE`. */
  readonly readyAt: bigint
}

/** Holdings of an address in the pool, and the time of the chain. */
interface Position {
  readonly shares: bigint
  readonly pool: Pool
  /** The open request, of which an owner has one at most; null: none. */
  readonly request: Request | null
  /** Time of the latest block, in seconds since 1970. */
  readonly now: bigint
}

/** Tells whether the assets of a request can be claimed. @param now time of the chain, in seconds since 1970 */
export function isReady({ readyAt }: Terms, now: bigint): boolean {
  return now >= readyAt
}

/** Makes the question for a request of its controller; null when there is none, which the vault answers by zeros. */
export function askRequest({ vault: to }: LiquidNetwork, id: bigint, controller: string): Question<Terms | null> {
  return vault.question(to, 'pendingRedeemRequestData', [id, controller], ({ claimableTime, assets }) => {
    if (claimableTime > LAST_TIME - GRACE) throw new RangeError('a time beyond all dates')
    return claimableTime === 0n ? null : { assets, readyAt: claimableTime + GRACE }
  })
}

/**
 * Reads a position in one round trip. A request is found by a number that only the vault knows, so that the last known number is asked for in advance; only the first read
 * of a request that this process has not seen takes a second round trip.
 *
 * @throws 502 VAULT_UNREADABLE, UPSTREAM_ERROR
 */
export async function readPosition(ctx: LiquidContext, address: string): Promise<Position> {
  const { network } = ctx
  const requests = rememberedRequests(ctx)
  const last = requests.get(address)
  const lastRequest: { readonly terms?: Question<Terms | null> } = last === undefined ? {} : { terms: askRequest(network, last, address) }
  const [answers, now] = await Promise.all([
    ask(ctx, {
      position: vault.question(network.vault, 'balanceOf', [address]),
      id: vault.question(network.vault, 'ownerRequestId', [address]),
      ...askPool(network),
      ...lastRequest,
    }),
    chainTime(ctx),
  ])
  const [shares, id] = [answered(answers.position), answered(answers.id)]
  const pool = { shares: answered(answers.shares), assets: answered(answers.assets) }
  requests.delete(address)
  if (id === 0n) return { shares, pool, now, request: null }
  requests.set(address, id)
  for (const oldest of requests.keys()) {
    if (requests.size <= REMEMBERED) break
    requests.delete(oldest)
  }
  const { terms } = id === last && answers.terms ? { terms: answers.terms } : await ask(ctx, { terms: askRequest(network, id, address) })
  return { shares, pool, now, request: terms.ok ? { id, terms: terms.value } : { id, terms: null, unreadable: terms } }
}

/** Request ids by address, in order of their last reading. */
const lastRequests = defineMemo<Map<string, bigint>>()

function rememberedRequests(ctx: LiquidContext): Map<string, bigint> {
  const requests = lastRequests.get(ctx) ?? new Map<string, bigint>()
  lastRequests.set(ctx, requests)
  return requests
}
