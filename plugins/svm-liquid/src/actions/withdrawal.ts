import { randomBytes } from 'node:crypto'
import { atMost, defineMemo, type ServiceError, tokensText } from '@svc/contract'
import { DECIMALS, lamportsOf, memberOf, readAccounts } from '@svc/kit-svm'
import { freeLamports, STAKE_BYTES, unreadable } from '../chain/accounts.ts'
import { tokenAccountOf } from '../chain/derived-addresses.ts'
import { type PoolRecord, type PoolValidator, readValidators } from '../chain/pool.ts'
import { decoded, heldOf, type PoolState, readPoolState, requireUpdated } from '../chain/pool-state.ts'
import { mostTokens, withdrawalOf } from '../chain/price.ts'
import { isSource, type NoSource, sourceOf } from '../chain/stake-source.ts'
import { badRequest } from '../codes.ts'
import { type LiquidContext, poolOf } from '../network.ts'
import type { Deferral } from './instructions.ts'

/**
 * Least delegation of a stake account, in lamports, unless the chain says more.
 *
 * @see https://github.com/solana-foundation/solana-improvement-documents (SIMD-0490; read 2026-11-21)
 */
const LEAST_DELEGATION = 1_000_000_000n
/** Ten times as much: a node that says that a stake account needs more is not believed. */
const MOST_MINIMUM = 10n * LEAST_DELEGATION
/** Room for 14,000 validators, where a large pool's list takes 215 kB. @see https://docs.rs/spl-stake-pool/2.0.1/spl_stake_pool/state/struct.ValidatorList.html (read 2026-11-22) */
const MOST_LIST_BYTES = 2 ** 20
/** Bytes of a fresh seed: as hex they are the 32 characters that a seed may have. */
const SEED_BYTES = 16

const sol = (lamports: bigint) => tokensText(lamports, { decimals: DECIMALS, symbol: 'SOL' })
/** A pool's token has as many decimals as SOL, and no name that this knows. */
const pooled = (units: bigint) => tokensText(units, { decimals: DECIMALS, symbol: 'pool tokens' })

/** Facts from which a withdrawal's bytes follow, all but the last of one state of the chain. */
export interface WithdrawalFacts {
  readonly record: PoolRecord
  /** Tokens in the wallet's token account. */
  readonly held: bigint
  /** Lamports that the reserve can pay out. */
  readonly free: bigint
  /** Null when the reserve can pay. */
  readonly deferral: Deferral | null
}

/**
 * Reads the facts of a withdrawal, and refuses one that the pool would not pay.
 *
 * @param amount pool tokens asked for, in base units
 * @throws 400 INSUFFICIENT_TOKENS, AMOUNT_TOO_SMALL, POOL_RESERVE_TOO_SMALL, POOL_STAKE_TOO_SMALL; 503 POOL_UPDATING; 502, 503, 504
 */
export async function readWithdrawal(ctx: LiquidContext, wallet: string, amount: bigint): Promise<WithdrawalFacts> {
  const own = poolOf(ctx.network)
  const early = expectsDeferral(ctx, amount)
  const [state, rent] = await Promise.all([
    readPoolState(ctx, [tokenAccountOf(wallet, own).toBase58()], true),
    ctx.client.rent(STAKE_BYTES),
  ])
  const { record } = state
  const holdings = heldOf(state, wallet, own)
  const tokens = atMost(amount, holdings, DECIMALS)
  if (tokens === null)
    throw badRequest('INSUFFICIENT_TOKENS', `amount ${pooled(amount)} is more than ${wallet} has, which is ${pooled(holdings)}.`)
  requireUpdated(state)
  const instant = withdrawalOf(tokens, record.solWithdrawalFee, record)
  if (instant.lamports === 0n)
    throw badRequest('AMOUNT_TOO_SMALL', `amount ${pooled(tokens)} is so little that nothing would come out for it.`)

  // A pool may want a signature of its own for SOL out of its reserve; stake leaves without one.
  const free = record.solWithdrawAuthority === null ? freeLamports(state.reserve, rent) : 0n
  lastReading.set(ctx, { record, free })
  const deferral = instant.lamports <= free ? null : await defer(ctx, state, { tokens, held: holdings, free, rent, early })
  return { record, held: holdings, free, deferral }
}

/** The last reading of a pool, as a hint and never as a fact. */
const lastReading = defineMemo<{ readonly record: PoolRecord; readonly free: bigint }>()

/** The stakes of the pool, when by its last reading the reserve will not do: asked for beside the pool itself, they cost no round trip. */
function expectsDeferral(ctx: LiquidContext, amount: bigint): Early | null {
  const last = lastReading.get(ctx)
  if (!last || withdrawalOf(amount, last.record.solWithdrawalFee, last.record).lamports <= last.free) return null
  const stakes = readStakes(ctx, last.record.validatorList)
  // When it is not needed after all, what became of it is of no interest.
  stakes.catch(() => {})
  return { list: last.record.validatorList, stakes }
}

interface Early {
  readonly list: string
  readonly stakes: Promise<Stakes>
}

interface Stakes {
  readonly validators: readonly PoolValidator[]
  /** Least delegation, in lamports. */
  readonly minimum: bigint
}

/** @throws 502 POOL_UNREADABLE; 502, 503, 504 */
async function readStakes(ctx: LiquidContext, validatorList: string): Promise<Stakes> {
  const { program } = poolOf(ctx.network)
  const [validators, minimum] = await Promise.all([
    readAccounts(ctx.client, [validatorList], ([list]) => {
      if (list?.owner !== program || list.data.length > MOST_LIST_BYTES) throw unreadable('it has no list of validators')
      return decoded(() => readValidators(list.data), 'its list of validators is none')
    }),
    ctx.client.rpc('getStakeMinimumDelegation', [{ commitment: 'confirmed' }], (answer) => {
      const least = lamportsOf(memberOf(answer, 'value'))
      if (least > MOST_MINIMUM) throw unreadable(`a stake account is said to need ${sol(least)}`)
      return least > LEAST_DELEGATION ? least : LEAST_DELEGATION
    }),
  ])
  return { validators, minimum }
}

interface Wanted {
  readonly tokens: bigint
  readonly held: bigint
  readonly free: bigint
  readonly rent: bigint
  readonly early: Early | null
}

/** Works out how an amount leaves that the reserve cannot pay. @throws 400 when it cannot leave in one transaction */
async function defer(ctx: LiquidContext, { record }: PoolState, { tokens, held: holdings, free, rent, early }: Wanted): Promise<Deferral> {
  const { lamports } = withdrawalOf(tokens, record.stakeWithdrawalFee, record)
  const possible = () => {
    const { solWithdrawAuthority: authority } = record
    if (authority !== null)
      return `the pool pays SOL out of its reserve only with a signature of ${authority}, which cannot be given here, so that only stake can leave`
    const most = mostTokens(free, record.solWithdrawalFee, record)
    return possibleNow({ tokens: most < holdings ? most : holdings, lamports: free })
  }
  if (lamports < LEAST_DELEGATION) throw tooSmall(tokens, LEAST_DELEGATION, possible())

  const { validators, minimum } = await (early?.list === record.validatorList ? early.stakes : readStakes(ctx, record.validatorList))
  if (lamports < minimum) throw tooSmall(tokens, minimum, possible())
  const source = sourceOf(record, validators, minimum)
  if (!isSource(source)) throw tooLarge(tokens, noSource(source, minimum), possible())
  if (lamports > source.most) {
    const most = mostTokens(source.most, record.stakeWithdrawalFee, record)
    const gives = source.most >= minimum
    throw tooLarge(
      tokens,
      gives ? `at most ${pooled(most)} can leave as a stake account at once` : noSource({ stoppedBy: null }, minimum),
      possible(),
    )
  }
  const { vote, seed } = source.validator
  return { vote, validatorSeed: seed, seed: randomBytes(SEED_BYTES).toString('hex'), rent }
}

interface Instant {
  readonly tokens: bigint
  readonly lamports: bigint
}

/** @param possible what can be done now: a phrase */
function tooSmall(tokens: bigint, minimum: bigint, possible: string): ServiceError {
  return badRequest(
    'POOL_RESERVE_TOO_SMALL',
    `amount ${pooled(tokens)} cannot be paid now, and it is worth less than the ${sol(minimum)} that a stake account must have, so that it cannot leave as one; ${possible}.`,
  )
}

/** @param why no stake account can be had for the amount @param possible what can be done now: phrases */
function tooLarge(tokens: bigint, why: string, possible: string): ServiceError {
  return badRequest('POOL_STAKE_TOO_SMALL', `amount ${pooled(tokens)} cannot be paid now, and ${why}; ${possible}.`)
}

function noSource({ stoppedBy }: NoSource, minimum: bigint): string {
  return stoppedBy === null
    ? `no validator of the pool has the ${sol(minimum)} to give that a stake account must have`
    : `the pool takes stake from its preferred validator ${stoppedBy} first, which is being removed from it and gives none until that is done`
}

function possibleNow({ tokens, lamports }: Instant): string {
  if (tokens === 0n || lamports === 0n) return "the pool's reserve can pay nothing now, so try again later"
  return `the pool's reserve can pay ${sol(lamports)} now, which is an amount of ${pooled(tokens)}`
}
