import type { Decoded } from '../types.ts'
import { parseUnits } from './amounts.ts'
import type { NetworkTerms } from './network.ts'
import { tokens } from './sentence.ts'
import type { Intent } from './types.ts'

/** From so many times the usual fee on, a person is told: a choice of this project. */
const FAR_ABOVE = 10n

/**
 * Warns when the highest possible cost of a transaction is far above the usual one.
 *
 * @param usual in native tokens, as decimal text
 * @param where what is usual there: `On Monad staking`
 * @returns a sentence; null up to ten times the usual fee
 */
export function farAboveUsual(
  maxFee: bigint,
  usual: string,
  where: string,
  network: Pick<NetworkTerms, 'decimals' | 'symbol'>,
): string | null {
  const units = parseUnits(usual, network.decimals)
  if (units === null || maxFee <= units * FAR_ABOVE) return null
  return `The fee is at most ${tokens(maxFee, network)}. ${where} usually costs ${usual} ${network.symbol} and less; this may be more than ${FAR_ABOVE} times that.`
}

/** Lists warnings about a transaction that breaks no promise, one sentence each; empty for a usual one. */
export function warningsOf(intent: Pick<Intent, 'path' | 'usualFee'>, terms: NetworkTerms, { maxFee }: Decoded): readonly string[] {
  const { usualFee, path } = intent
  const high = usualFee === undefined ? null : farAboveUsual(maxFee, usualFee, `An action of ${path}`, terms)
  return high === null ? [] : [high]
}
