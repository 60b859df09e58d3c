import { randomBytes } from 'node:crypto'
import { atMost, badRequest, formatAmount, type ServiceError } from '@svc/contract'
import { DECIMALS, lamportsOf, readAccounts } from '@svc/kit-svm'
import { freeLamports, STAKE_BYTES, tokensOf, unreadable } from './accounts.ts'
import { tokenAccountOf } from './addresses.ts'
import { decoded, type PoolState, readPoolState, requireUpdated } from './chain.ts'
import { sourceOf } from './deferral.ts'
import type { Deferral, WithdrawalFacts } from './facts.ts'
import { type LiquidContext, poolOf } from './network.ts'
import { mostTokens, withdrawalOf } from './price.ts'
import { readValidators } from './record.ts'

/**
 * Least delegation of a stake account, in lamports, unless the chain says more.
 *
 * @see https://github.com/solana-foundation/solana-improvement-documents (SIMD-0490; read 2026-11-21)
 */
const LEAST_DELEGATION = 1_000_000_000n
/** Bytes of a fresh seed: as hex they are the 32 characters that a seed may have. */
const SEED_BYTES = 16

const shown = (units: bigint) => formatAmount(units, DECIMALS)

/**
 * @param amount pool tokens asked for, in base units
 * @throws 400 INSUFFICIENT_TOKENS, AMOUNT_TOO_SMALL, POOL_RESERVE_TOO_SMALL, POOL_STAKE_TOO_SMALL; 503 POOL_UPDATING; 502, 503, 504
 */
export async function readWithdrawal(ctx: LiquidContext, wallet: string, amount: bigint): Promise<WithdrawalFacts> {
  const own = poolOf(ctx.network)
  const [state, rent] = await Promise.all([
    readPoolState(ctx, [tokenAccountOf(wallet, own).toBase58()], true),
    ctx.client.rent(STAKE_BYTES),
  ])
  const { record } = state
  const held = tokensOf(state.others[0] ?? null, wallet, own)
  const tokens = atMost(amount, held, DECIMALS)
  if (tokens === null)
    throw badRequest('INSUFFICIENT_TOKENS', `amount ${shown(amount)} is more than the pool tokens of ${wallet}, which are ${shown(held)}.`)
  requireUpdated(state)
  const instant = withdrawalOf(tokens, record.solWithdrawalFee, record)
  if (instant.lamports === 0n)
    throw badRequest('AMOUNT_TOO_SMALL', `amount ${shown(tokens)} is so little that nothing would come out for it.`)

  // A pool may want a signature of its own for SOL out of its reserve; stake leaves without one.
  const free = record.solWithdrawAuthority === null ? freeLamports(state.reserve, rent) : 0n
  const deferral = instant.lamports <= free ? null : await defer(ctx, state, { tokens, held, free, rent })
  return { record, held, free, deferral }
}

interface Wanted {
  readonly tokens: bigint
  readonly held: bigint
  readonly free: bigint
  readonly rent: bigint
}

/** How an amount leaves that the reserve cannot pay. @throws 400 when it cannot leave in one transaction */
async function defer(ctx: LiquidContext, { record }: PoolState, { tokens, held, free, rent }: Wanted): Promise<Deferral> {
  const { lamports } = withdrawalOf(tokens, record.stakeWithdrawalFee, record)
  const instant = () => {
    const most = mostTokens(free, record.solWithdrawalFee, record)
    return { tokens: most < held ? most : held, lamports: free }
  }
  if (lamports < LEAST_DELEGATION) throw tooSmall(tokens, LEAST_DELEGATION, instant())

  const [[list], delegation] = await Promise.all([
    readAccounts(ctx.client, [record.validatorList]),
    ctx.client.rpc<{ value?: unknown } | null>('getStakeMinimumDelegation', [{ commitment: 'confirmed' }]),
  ])
  if (!list) throw unreadable('it has no list of validators')
  const asked = lamportsOf(delegation?.value)
  const minimum = asked > LEAST_DELEGATION ? asked : LEAST_DELEGATION
  if (lamports < minimum) throw tooSmall(tokens, minimum, instant())
  const source = sourceOf(
    record,
    decoded(() => readValidators(list.data), 'its list of validators is none'),
    minimum,
  )
  if (!source || lamports > source.most)
    throw tooLarge(tokens, source && mostTokens(source.most, record.stakeWithdrawalFee, record), instant())
  const { vote, seed } = source.validator
  return { vote, validatorSeed: seed, seed: randomBytes(SEED_BYTES).toString('hex'), rent }
}

interface Instant {
  readonly tokens: bigint
  readonly lamports: bigint
}

function tooSmall(tokens: bigint, minimum: bigint, instant: Instant): ServiceError {
  return badRequest(
    'POOL_RESERVE_TOO_SMALL',
    `amount ${shown(tokens)} cannot be paid now, and it is worth less than the ${shown(minimum)} SOL that a stake account must have, so that it cannot leave as one; ${possible(instant)}.`,
  )
}

/** @param most tokens that can leave as a stake account; null for none at all */
function tooLarge(tokens: bigint, most: bigint | null, instant: Instant): ServiceError {
  const stake = most === null ? 'no validator of the pool has stake to give' : `at most ${shown(most)} can leave as a stake account at once`
  return badRequest('POOL_STAKE_TOO_SMALL', `amount ${shown(tokens)} cannot be paid now, and ${stake}; ${possible(instant)}.`)
}

function possible({ tokens, lamports }: Instant): string {
  if (tokens === 0n || lamports === 0n) return "the pool's reserve can pay nothing now, so try again later"
  return `the pool's reserve can pay ${shown(lamports)} SOL now, which is an amount of ${shown(tokens)}`
}
