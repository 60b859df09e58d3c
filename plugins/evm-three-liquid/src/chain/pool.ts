import { defineMemo, type Obstacle } from '@svc/contract'
import type { Answer, Question } from '@svc/kit-evm'
import type { LiquidContext } from '../network.ts'
import { answered, askAll, coreVault, vault } from './vault.ts'

/** Address of the vault behind the pool, by its last reading. */
const lastCoreVault = defineMemo<string>()

/** The pool's books. Both in wei; a share has 18 decimals too. */
export interface Pool {
  readonly shares: bigint
  readonly assets: bigint
}

/** Limits of the vault behind the pool. */
interface Limits {
  /** True if this vault or the vault behind it is paused. */
  readonly paused: boolean
  /** Least that a request for redemption must be worth, in wei. */
  readonly minimum: bigint
}

/** Returns the reason why the pool takes no deposits; null where it does. The actions and the shown state use this one rule. */
export function obstacleOfPool({ paused }: Limits): Obstacle | null {
  return paused ? { state: 'paused', reason: 'is paused' } : null
}

/** Computes the worth of shares in wei, rounded down as the vault does; one is added on either side, so that an empty pool has a price. */
export function assetsOf(shares: bigint, pool: Pool): bigint {
  return (shares * (pool.assets + 1n)) / (pool.shares + 1n)
}

/** Computes the shares that an amount in wei is worth, rounded down as the vault does; one is added on either side, as in `assetsOf`. */
export function sharesOf(assets: bigint, pool: Pool): bigint {
  return (assets * (pool.shares + 1n)) / (pool.assets + 1n)
}

/** Questions for the limits; to the vault behind the pool only where this vault is known. */
interface LimitQuestions {
  readonly paused: Question<boolean>
  readonly coreVault: Question<string>
  readonly corePaused?: Question<boolean>
  readonly minimum?: Question<bigint>
}

interface LimitAnswers {
  readonly paused: Answer<boolean>
  readonly coreVault: Answer<string>
  readonly corePaused?: Answer<boolean>
  readonly minimum?: Answer<bigint>
}

/**
 * Makes the questions for the limits of the vault behind the pool, to be asked with others. Its address seldom changes, so that the last known address is asked, and the
 * same answer says whether it is still right.
 */
export function askLimits(ctx: LiquidContext): LimitQuestions {
  const { vault: to, validator_id } = ctx.network
  const last = validator_id === undefined ? lastCoreVault.get(ctx) : undefined
  return {
    paused: vault.question(to, 'paused', []),
    coreVault: vault.question(to, 'coreVault', []),
    ...(last === undefined ? {} : askCore(last)),
  }
}

/** Reads the vault's limits from its answers. @throws 502 VAULT_UNREADABLE when the limits cannot be read */
export async function limitsOf(ctx: LiquidContext, questions: LimitQuestions, answers: LimitAnswers): Promise<Limits> {
  const [paused, at] = [answered(answers.paused), answered(answers.coreVault)]
  // The vault of single validators has limits of its own, which the simulation finds.
  if (ctx.network.validator_id !== undefined) return { paused, minimum: 0n }
  const { corePaused, minimum } = answers
  const isCore = corePaused && minimum && questions.corePaused?.to === at
  const core = isCore ? { corePaused: answered(corePaused), minimum: answered(minimum) } : await askAll(ctx, askCore(at))
  rememberCoreVault(ctx, at)
  return { paused: paused || core.corePaused, minimum: core.minimum }
}

function askCore(to: string) {
  return {
    corePaused: coreVault.question(to, 'paused', []),
    minimum: coreVault.question(to, 'minUserWithdrawAmount', []),
  }
}

/** Remembers the address of the vault behind the pool for later reads. */
export function rememberCoreVault(ctx: LiquidContext, where: string): void {
  lastCoreVault.set(ctx, where)
}
