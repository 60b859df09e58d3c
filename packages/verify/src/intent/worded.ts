import type { Mismatch } from '../types.ts'
import type { NetworkTerms } from './network.ts'
import { tokens } from './sentence.ts'
import type { Intent } from './types.ts'

/** Where the native token stands whatever the protocol: the most that fees come to, and what a call sends along. */
const NATIVE = /^maxFee$|\.value$/
/** An argument of a call, and of a list the item. */
const ARGUMENT = /\.args\.([^.[]+)(?:\[\d+\])?$/
const AMOUNT = /^(at most )?(\d+)$/

/**
 * Rewrites the native amounts of a mismatch in tokens with the symbol, for people; programs get base units.
 *
 * @param intent whose `nativeArguments` are such amounts; without one only what is native in every protocol is written so
 */
export function worded(
  mismatch: Mismatch,
  terms: Pick<NetworkTerms, 'decimals' | 'symbol'>,
  intent?: Pick<Intent, 'nativeArguments'>,
): Mismatch {
  const { path } = mismatch
  const [, argument] = ARGUMENT.exec(path) ?? []
  if (!NATIVE.test(path) && !(argument !== undefined && intent?.nativeArguments?.includes(argument))) return mismatch
  const inTokens = (text: string) =>
    text.replace(AMOUNT, (_, most: string | undefined, units: string) => `${most ?? ''}${tokens(BigInt(units), terms)}`)
  return { path, expected: inTokens(mismatch.expected), found: inTokens(mismatch.found) }
}
