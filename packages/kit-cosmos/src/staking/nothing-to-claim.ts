import type { CosmosChain } from '../chain.ts'
import { badRequest } from '../codes.ts'
import { DENOM } from '../denom.ts'
import type { Claimable } from './chain.ts'

/** Most denominations that a sentence names: anybody can add more, with names of his own. */
const MOST_NAMED = 3

/** Refuses a claim where the chain owes no rewards in its own token. Rewards in other tokens are named, with what pays them out. */
export function nothingToClaim(
  address: string,
  { others }: Claimable,
  { denom, parksRewards }: Required<Pick<CosmosChain, 'denom' | 'parksRewards'>>,
) {
  if (others.length === 0)
    return badRequest('NOTHING_TO_CLAIM', `${address} has no claimable rewards; the chain would charge the fee for doing nothing.`)
  const samples = others
    .filter((each) => DENOM.test(each.denom))
    .slice(0, MOST_NAMED)
    .map((each) => `${each.amount} ${each.denom}`)
  const more = others.length - samples.length
  const owed = [...samples, ...(more > 0 ? [`${more} other${more === 1 ? ' denomination' : ' denominations'}`] : [])].join(', ')
  const along = parksRewards
    ? `the next claim, when there are some in ${denom}`
    : `the next stake or unstake, or the next claim when there are some in ${denom}`
  return badRequest(
    'NOTHING_TO_CLAIM',
    `${address} has no claimable rewards in ${denom}. The chain owes it ${owed}, which the balance does not count; it pays them out along with ${along}.`,
  )
}
