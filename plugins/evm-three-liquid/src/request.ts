import { badGateway } from '@svc/contract'
import type { LiquidContext } from './network.ts'
import type { Pool } from './pool.ts'
import { type Answer, answered, ask, askVault, type Question, question, vault } from './vault.ts'

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
  /** null: it could not be read, or somebody else controls it. */
  readonly terms: Terms | null
  /** Why it could not be read; undefined when it could be. */
  readonly unreadable?: Answer<never>
}

export interface Terms {
  /** Wei, fixed when it was requested. */
  readonly assets: bigint
  /** Seconds since 1970, the six hours included. */
  readonly readyAt: bigint
}

/** What an address has in the pool, and the time of the chain. */
export interface Position {
  readonly shares: bigint
  readonly pool: Pool
  /** An owner has one at most. */
  readonly request: Request | null
  /** Of the latest block, in seconds since 1970. */
  readonly now: bigint
}

export function isReady({ readyAt }: Terms, now: bigint): boolean {
  return now >= readyAt
}

/** A request as its controller sees it: all zeros when there is none. */
export function askRequest({ network }: LiquidContext, id: bigint, controller: string): Question<Terms | null> {
  return question(network.vault, vault, 'pendingRedeemRequestData', [id, controller], ([data]) => {
    const claimable: bigint = data.claimableTime
    if (claimable > LAST_TIME) throw new RangeError('a time beyond all dates')
    return claimable === 0n ? null : { assets: data.assets, readyAt: claimable + GRACE }
  })
}

/**
 * A position in one round trip. A request is found by a number that only the vault knows, so the last known one is asked for in advance;
 * only the first read of a request that this process has not seen takes a second.
 *
 * @throws 502 VAULT_UNREADABLE, UPSTREAM_ERROR
 */
export async function readPosition(ctx: LiquidContext, address: string): Promise<Position> {
  const known = rememberedRequests(ctx)
  const last = known.get(address)
  const own = ['balanceOf', 'ownerRequestId'].map((method) => askVault(ctx, method, address))
  const questions: Question<unknown>[] = [...own, askVault(ctx, 'totalSupply'), askVault(ctx, 'totalAssets')]
  if (last !== undefined) questions.push(askRequest(ctx, last, address))
  const [answers, now] = await Promise.all([ask<readonly unknown[]>(ctx, questions), chainTime(ctx)])
  const [shares, id, supply, assets] = answers.slice(0, 4).map((each) => answered(each) as bigint) as [bigint, bigint, bigint, bigint]
  const position = { shares, pool: { shares: supply, assets }, now }
  known.delete(address)
  if (id === 0n) return { ...position, request: null }
  known.set(address, id)
  if (known.size > REMEMBERED) known.delete(known.keys().next().value!)
  const [terms] = id === last ? [answers[4]! as Answer<Terms | null>] : await ask<[Terms | null]>(ctx, [askRequest(ctx, id, address)])
  return { ...position, request: terms.ok ? { id, terms: terms.value } : { id, terms: null, unreadable: terms } }
}

/** Time of the latest block, in seconds since 1970. @throws 502 UPSTREAM_ERROR */
export async function chainTime({ client }: LiquidContext): Promise<bigint> {
  const block = (await client.send('eth_getBlockByNumber', ['latest', false])) as { timestamp?: unknown } | null
  const timestamp = block?.timestamp
  if (typeof timestamp === 'string' && /^0x[0-9a-f]{1,12}$/i.test(timestamp)) return BigInt(timestamp)
  throw badGateway('UPSTREAM_ERROR', "The chain's node gave an answer to eth_getBlockByNumber that is none; try again.")
}

/** By address, in order of their last reading. */
function rememberedRequests({ memo }: LiquidContext): Map<string, bigint> {
  const known = (memo.get('requests') as Map<string, bigint> | undefined) ?? new Map<string, bigint>()
  memo.set('requests', known)
  return known
}
