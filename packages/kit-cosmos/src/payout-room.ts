import { type KitContext, tokensText } from '@svc/contract'
import { QueryValidatorRequest, QueryValidatorResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { BondStatus } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { orNone, present } from './answer.ts'
import type { CosmosChain } from './chain.ts'
import type { CosmosClient } from './client.ts'
import { badRequest } from './codes.ts'
import { type Delegation, type Owed, type Rewards, UNIT } from './payout.ts'

/**
 * Refuses a payout that the chain would take a fee for and not make. Where it parks rewards, it pays those that it keeps only along with a new reward of a whole
 * unit, in whatever denomination, or when nothing is delegated any more. Rewards are nothing in the block of a delegation's last change too, which proves nothing:
 * so it is refused where something has accrued since then, or where nothing can.
 *
 * @param paid denominations that the simulation paid out; null where it says nothing of a payout
 * @throws 400 CLAIM_PAYS_NOTHING; 502, 503, 504
 * @see https://github.com/celestiaorg/cosmos-sdk/blob/v0.51.6/x/distribution/keeper/delegation.go (withdrawDelegationRewards, CalculateDelegationRewards; read 2026-11-25)
 */
export async function requirePayout(
  { parksRewards = false, denom }: CosmosChain,
  ctx: KitContext<CosmosClient>,
  delegation: Delegation,
  { owed }: Rewards,
  paid: readonly string[] | null,
): Promise<void> {
  if (!parksRewards || owed === null || paid === null || paid.length > 0) return
  const accrues = owed.some(hasFraction)
  if (!accrues && (await isEarning(ctx.client, delegation.validatorAddress))) return
  const accrual = (owed.find((each) => each.denom === denom)?.parts ?? 0n) / UNIT
  const why = accrues
    ? 'less than a unit of new rewards has accrued since the delegation last changed'
    : 'its validator earns nothing at present, so that no new rewards accrue'
  throw badRequest(
    'CLAIM_PAYS_NOTHING',
    `The chain would charge the fee and pay nothing: it pays the ${tokensText(accrual, ctx.network)} that it keeps for ${delegation.delegatorAddress} only along with a new reward of at least one base unit, or when nothing is staked any more, and ${why}. Claim later, or after unstaking all of it.`,
  )
}

/** Tells whether the rewards owed contain a fraction: parked rewards are whole units, so that a fraction is of after the delegation's last change. */
function hasFraction({ parts }: Owed): boolean {
  return parts % UNIT > 0n
}

/** Tells whether new rewards come to a validator's delegators: the validator is in the active set. */
async function isEarning({ query }: CosmosClient, validatorAddr: string): Promise<boolean> {
  return query<boolean>({
    path: '/cosmos.staking.v1beta1.Query/Validator',
    request: QueryValidatorRequest.encode({ validatorAddr }).finish(),
    read(answer) {
      const { jailed, status } = present(QueryValidatorResponse.decode(answer).validator)
      return status === BondStatus.BOND_STATUS_BONDED && !jailed
    },
    // Of one that is not there nothing is refused here.
    refused: orNone(() => true),
  })
}
