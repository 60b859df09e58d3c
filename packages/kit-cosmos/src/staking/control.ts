import { malformedAnswer, requireSent } from '@svc/contract'
import type { Control } from '@svc/contract/control'
import { unanswered } from '@svc/contract/rpc'
import { QueryGranterGrantsRequest, QueryGranterGrantsResponse } from 'cosmjs-types/cosmos/authz/v1beta1/query'
import { PageRequest, type PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { answeredAddress } from '../address.ts'
import type { CosmosChain } from '../chain.ts'
import { notServed } from '../not-served.ts'
import { authorizationBounds, type Bounds } from './authorizations.ts'
import { type StakingContext, validatorsOf } from './network.ts'
import { readWithdrawAddress } from './withdraw-address.ts'

/** Grants of a page, and pages that are followed: those beyond are not read. Whoever may grant in a wallet's name was seen to make 2,000 at once, and is among the first. */
const PAGE = 100
const PAGES = 5
/** Longest place in a list that is followed, in bytes: two addresses and the name of a type. */
const MOST_KEY = 400

type Accounts = Pick<CosmosChain, 'prefix' | 'denom'>

/** One page of a list: those who have a power by it, and the place of the next one. */
interface Page {
  readonly powers: readonly Control[]
  readonly next: Uint8Array
}

/**
 * Reads who besides the wallet has power over its stake: the account to which its rewards are paid, and those who may act in its name. It is part of a balance's wave; a
 * list of more than 100 entries takes one wave more for each further hundred. Fee allowances that the wallet grants are left out: to list them, a node walks through all
 * those of the chain.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/feegrant/keeper/grpc_query.go (AllowancesByGranter, read 2026-11-29)
 *
 * @returns null where the node does not serve one of these queries: nobody knows then
 * @throws 502, 503, 504
 */
export async function readControl(ctx: StakingContext, accounts: Accounts, wallet: string): Promise<readonly Control[] | null> {
  const [payout, grants] = await Promise.all([
    readWithdrawAddress(ctx, accounts.prefix, wallet),
    pagesOf((key) => readGrants(ctx, accounts, wallet, key)),
  ])
  if (payout === null || grants === null) return null
  const address: Control = { aspect: 'withdraw_address', holder: payout, objectId: null, terms: null }
  return [...(payout === wallet ? [] : [address]), ...grants]
}

async function pagesOf(read: (key: Uint8Array) => Promise<Page | null>): Promise<readonly Control[] | null> {
  const powers: Control[] = []
  let key: Uint8Array = new Uint8Array()
  for (let page = 0; page < PAGES; page++) {
    const answer = await read(key)
    if (answer === null) return null
    powers.push(...answer.powers)
    if (answer.next.length === 0) break
    key = answer.next
  }
  return powers
}

function readGrants({ client, network }: StakingContext, { prefix, denom }: Accounts, granter: string, key: Uint8Array) {
  const own = validatorsOf(network)
  return client.query<Page | null>({
    path: '/cosmos.authz.v1beta1.Query/GranterGrants',
    request: QueryGranterGrantsRequest.encode({ granter, pagination: pageAt(key) }).finish(),
    read(answer) {
      const { grants, pagination } = QueryGranterGrantsResponse.decode(answer)
      const powers = grants.map(({ granter: of, grantee, authorization, expiration }) =>
        powerOf(prefix, { of, granter, grantee }, authorizationBounds(requireSent(authorization), expiration, { denom, own })),
      )
      return { powers, next: nextOf(powers.length, pagination) }
    },
    refused,
  })
}

function powerOf(
  prefix: string,
  { of, granter, grantee }: { readonly of: string; readonly granter: string; readonly grantee: string },
  bounds: Bounds,
): Control {
  if (of !== granter) throw malformedAnswer(of)
  return { ...bounds, holder: answeredAddress(prefix, grantee), objectId: null }
}

function pageAt(key: Uint8Array) {
  return PageRequest.fromPartial({ key, limit: BigInt(PAGE) })
}

/** Returns the key of the next page, and requires that there is a page: an answer without content reads as an empty one. */
function nextOf(count: number, pagination: PageResponse | undefined): Uint8Array {
  const { nextKey } = requireSent(pagination)
  if (count > PAGE || (nextKey.length > 0 && count < PAGE) || nextKey.length > MOST_KEY) throw malformedAnswer({ count })
  return nextKey
}

function refused(refusal: Parameters<typeof unanswered>[0] & { readonly log: string }): null {
  if (notServed(refusal.log)) return null
  throw unanswered(refusal)
}
