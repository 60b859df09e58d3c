import { countUsers, malformedAnswer, requireSent, type UserCount } from '@svc/contract'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { QueryValidatorDelegationsRequest, QueryValidatorDelegationsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import type { StakingContext } from './network.ts'

const PATH = '/cosmos.staking.v1beta1.Query/ValidatorDelegations'
/** Delegations of a page, and pages that one refresh follows, where they are counted one by one. */
const PAGE = 1_000
const PAGES = 10
/** Longest place in a list that is followed, in bytes: a prefix and an address. */
const MOST_KEY = 200
/** Largest number of delegators that is believed: a node whose list is longer does not tell the chain's. */
const MOST = 10_000_000

/**
 * Counts the addresses that delegate to the operator's validator. The node counts; where it has failed twice, since there are too many to count in time, they are counted
 * here, page by page. Pages are in the order of addresses, so that nobody is counted twice.
 */
export async function countDelegators(ctx: StakingContext): Promise<UserCount> {
  return countUsers<string>(ctx, {
    key: 'delegators',
    whole: () => totalOf(ctx),
    because: 'the delegators are counted by pages: the node does not count them',
    start: '',
    steps: PAGES,
    async step(start, before) {
      const page = await readPage(ctx, start)
      const total = before + page.delegators
      if (total > MOST) throw malformedAnswer().refusal
      return { counted: total, next: page.next === '' ? null : page.next }
    },
    isPlace: (cursor): cursor is string => typeof cursor === 'string' && cursor !== '',
  })
}

/** Counts the delegators of the validator; one of them is transferred. */
function totalOf({ client, network }: StakingContext): Promise<number> {
  const pagination = PageRequest.fromPartial({ limit: 1n, countTotal: true })
  return client.query({
    path: PATH,
    request: QueryValidatorDelegationsRequest.encode({ validatorAddr: network.validator, pagination }).finish(),
    read(answer) {
      const { total } = requireSent(QueryValidatorDelegationsResponse.decode(answer).pagination)
      if (total > BigInt(MOST)) throw malformedAnswer(String(total))
      return Number(total)
    },
  })
}

/** @param start base64; empty: the first page */
function readPage({ client, network }: StakingContext, start: string): Promise<{ readonly delegators: number; readonly next: string }> {
  const pagination = PageRequest.fromPartial({ key: Buffer.from(start, 'base64'), limit: BigInt(PAGE) })
  return client.query({
    path: PATH,
    request: QueryValidatorDelegationsRequest.encode({ validatorAddr: network.validator, pagination }).finish(),
    read(answer) {
      const { delegationResponses, pagination } = QueryValidatorDelegationsResponse.decode(answer)
      const next = Buffer.from(requireSent(pagination).nextKey).toString('base64')
      const own = delegationResponses.filter(({ delegation }) => delegation.validatorAddress === network.validator)
      const delegators = new Set(own.map(({ delegation }) => delegation.delegatorAddress)).size
      // A page that is not the last one is full, and the place of the next is another.
      const isPage = delegators === delegationResponses.length && (next === '' ? delegators <= PAGE : delegators === PAGE)
      if (!isPage || next.length > MOST_KEY * 2 || (next !== '' && next === start)) throw malformedAnswer()
      return { delegators, next }
    },
  })
}
