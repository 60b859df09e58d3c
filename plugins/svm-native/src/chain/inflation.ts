import { measureOf, memberOf, type SvmClient } from '@svc/kit-svm'

/**
 * Range of what a node can say: inflation began at 8 % and falls; there are about 6.2e17 lamports.
 *
 * @see https://docs.rs/solana-inflation/latest/solana_inflation/ (read 2026-11-22)
 */
const POSSIBLE = { inflation: { most: 0.2 }, supply: { least: 1, most: 1e18 } } as const

/** Reads the part of inflation that goes to validators and their delegators, as a yearly fraction of the supply. @throws 502, 503, 504 */
export async function readInflation({ rpc }: SvmClient): Promise<number> {
  return rpc('getInflationRate', [], (answer) => measureOf(memberOf(answer, 'validator'), POSSIBLE.inflation))
}

/** Reads the total supply in lamports, as a double for a ratio. @throws 502, 503, 504 */
export async function readSupply({ rpc }: SvmClient): Promise<number> {
  const options = { commitment: 'confirmed', excludeNonCirculatingAccountsList: true }
  return rpc('getSupply', [options], (answer) => measureOf(memberOf(memberOf(answer, 'value'), 'total'), POSSIBLE.supply))
}
