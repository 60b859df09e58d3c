import { defineMemo } from '@svc/contract'
import { lamportsOf, malformed, memberOf } from '@svc/kit-svm'
import type { NativeContext } from '../network.ts'

/** Least amount that the service takes, in lamports: 1 SOL, as the body of `stake` says. */
const OWN_MINIMUM = 1_000_000_000n
/**
 * Most that a node may say the chain takes at least: ten times what the stake program has written down.
 *
 * @see https://github.com/solana-foundation/solana-improvement-documents (SIMD-0490, read 2026-11-22)
 */
const MOST_MINIMUM = 10n * OWN_MINIMUM
/** Time for which the chain's minimum is remembered, in milliseconds. The minimum changes with the stake program, at the end of an epoch. */
const KEPT_MS = 600_000
/** The chain's minimum in lamports, and until when it counts. */
const chainMinimum = defineMemo<{ readonly least: bigint; readonly until: number }>()

/**
 * Returns the larger of the service's minimum stake and the chain's, in lamports. Where the chain's cannot be read, the service's own is returned, and the simulation
 * applies the chain's.
 */
export async function leastStake(ctx: NativeContext): Promise<bigint> {
  const entry = chainMinimum.get(ctx)
  if (entry && entry.until > ctx.now().getTime()) return entry.least
  try {
    const least = await readLeastStake(ctx)
    chainMinimum.set(ctx, { least, until: ctx.now().getTime() + KEPT_MS })
    return least
  } catch {
    return OWN_MINIMUM
  }
}

/** Reads the least stake that the chain lets be delegated, in lamports. @throws 502, 503, 504 */
export async function readLeastStake({ client }: Pick<NativeContext, 'client'>): Promise<bigint> {
  return client.rpc('getStakeMinimumDelegation', [{ commitment: 'confirmed' }], (answer) => {
    const chain = lamportsOf(memberOf(answer, 'value'))
    if (chain > MOST_MINIMUM) throw malformed()
    return chain > OWN_MINIMUM ? chain : OWN_MINIMUM
  })
}
