import { lamportsOf } from '@svc/kit-svm'
import { memberOf } from './answers.ts'
import type { NativeContext } from './network.ts'

/** What the service takes at least, in lamports: 1 SOL, as the body of `stake` says. */
export const OWN_MINIMUM = 1_000_000_000n
/** How long the chain's minimum is remembered, in milliseconds. It changes with the stake program, at the end of an epoch. */
const KEPT_MS = 600_000
const KEY = 'least stake'

/** The larger of the service's minimum and the chain's, in lamports; without the chain's when that cannot be read, since the simulation knows it. */
export async function leastStake(ctx: NativeContext): Promise<bigint> {
  const kept = ctx.memo.get(KEY) as { readonly least: bigint; readonly until: number } | undefined
  if (kept && kept.until > ctx.now().getTime()) return kept.least
  try {
    const least = await readLeastStake(ctx)
    ctx.memo.set(KEY, { least, until: ctx.now().getTime() + KEPT_MS })
    return least
  } catch {
    return OWN_MINIMUM
  }
}

/** @throws 502, 503, 504 */
export async function readLeastStake({ client }: Pick<NativeContext, 'client'>): Promise<bigint> {
  const chain = lamportsOf(memberOf(await client.rpc<unknown>('getStakeMinimumDelegation', [{ commitment: 'confirmed' }]), 'value'))
  return chain > OWN_MINIMUM ? chain : OWN_MINIMUM
}
