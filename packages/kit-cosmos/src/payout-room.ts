import { type KitContext, requireSent, tokensText } from '@svc/contract'
import {
  QueryDelegationRequest,
  QueryDelegationResponse,
  QueryValidatorRequest,
  QueryValidatorResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { BondStatus } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { amountOf, orNone } from './answer.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { badRequest } from './codes.ts'
import { type Delegation, type OwedReward, type Rewards, UNIT } from './payout.ts'
import { MOST_RATE } from './staking/issuance.ts'

/** Milliseconds of a year. */
const YEAR_MS = 31_557_600_000n

/** Findings on a payout, besides what is owed. */
interface Seen {
  /** Denominations that the simulation paid out; null where it says nothing of a payout. */
  readonly paid: readonly string[] | null
  /** True if the account's sequence has changed since the rewards were read, so that they may be out of date. */
  readonly moved: boolean
}

/**
 * Refuses a payout for which the chain would charge a fee and, by the simulation, pay nothing. A chain that parks rewards pays the parked ones only along with a new reward
 * of a whole unit, in any denomination, or when nothing is delegated any more. Also in the block of a delegation's last change, rewards are nothing: there a payout is
 * refused unless the next block can bring a unit, since nothing is lost by asking a block later, and each claim that pays nothing costs its fee.
 *
 * @throws 400 CLAIM_PAYS_NOTHING; 502, 503, 504
 * @see https://github.com/celestiaorg/cosmos-sdk/blob/v0.51.6/x/distribution/keeper/delegation.go (withdrawDelegationRewards, CalculateDelegationRewards; read 2026-11-25)
 */
export async function requirePayout(
  chain: CosmosChain,
  ctx: KitContext<CosmosClient>,
  delegation: Delegation,
  { owed }: Rewards,
  { paid, moved }: Seen,
): Promise<void> {
  if (paid === null || paid.length > 0) return
  const accrual = (owed?.find(({ denom }) => denom === chain.denom)?.parts ?? 0n) / UNIT
  const due = `the ${tokensText(accrual, ctx.network)} owed to ${delegation.delegatorAddress}`
  const refuse = (why: string) => badRequest('CLAIM_PAYS_NOTHING', `The chain would charge the fee and pay nothing: ${why}`)
  if (!chain.parksRewards)
    throw refuse(
      `in the block of a delegation's last change it pays nothing, and ${due} may have been paid along with that change. Look at the balance, and claim again a block later.`,
    )
  const reason = !moved && owed?.some(hasFraction) ? 'less than a unit of new rewards has accrued since the delegation last changed' : null
  const why = reason ?? (await whyNone(chain, ctx.client, delegation))
  if (why === null) return
  throw refuse(
    `it pays ${due} only along with a new reward of at least one base unit, or when nothing is staked any more, and ${why}. Claim later, or after unstaking all of it.`,
  )
}

/** Tells whether the rewards owed contain a fraction: parked rewards are whole units, so that a fraction is of after the delegation's last change. */
function hasFraction({ parts }: OwedReward): boolean {
  return parts % UNIT > 0n
}

/** Says why the next block brings no unit of new rewards; null where it can. */
async function whyNone(
  { denom, inclusionMs }: CosmosChain,
  { query }: CosmosClient,
  { delegatorAddress: delegatorAddr, validatorAddress: validatorAddr }: Delegation,
): Promise<string | null> {
  const [isEarning, staked] = await Promise.all([
    query<boolean>({
      path: '/cosmos.staking.v1beta1.Query/Validator',
      request: QueryValidatorRequest.encode({ validatorAddr }).finish(),
      read(answer) {
        const { jailed, status } = requireSent(QueryValidatorResponse.decode(answer).validator)
        return status === BondStatus.BOND_STATUS_BONDED && !jailed
      },
      // Of one that is not there nothing is refused here.
      refused: orNone(() => true),
    }),
    query<bigint | null>({
      path: '/cosmos.staking.v1beta1.Query/Delegation',
      request: QueryDelegationRequest.encode({ delegatorAddr, validatorAddr }).finish(),
      read: (answer) => amountOf(requireSent(QueryDelegationResponse.decode(answer).delegationResponse).balance, denom),
      refused: orNone(() => null),
    }),
  ])
  if (!isEarning) return 'its validator earns nothing at present, so that no new rewards accrue'
  // By the highest rate that any chain is believed.
  const isTooLittle = staked !== null && staked * MOST_RATE * BigInt(inclusionMs) < UNIT * YEAR_MS
  return isTooLittle ? `the ${staked} base units that are staked bring none of that in a block` : null
}
