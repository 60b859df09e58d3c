import { sha256 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'
import type { Obstacle, ServiceError } from '@svc/contract'
import { QuerySigningInfoRequest, QuerySigningInfoResponse } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { orNone } from '../answer.ts'
import { badRequest } from '../codes.ts'
import { earns, type Validator } from './chain.ts'
import type { StakingContext } from './network.ts'

/** Longest way from a consensus key to an address: its first 20 bytes of sha256. @see https://docs.cosmos.network/v0.50/build/architecture/adr-028-public-key-addresses (read 2026-11-21) */
const CONSENSUS_ADDRESS_BYTES = 20

/** Reason why stake is not accepted, with the error that refuses it. */
interface StakeObstacle extends Obstacle {
  refusal(): ServiceError
}

const TOMBSTONED: StakeObstacle = {
  state: 'left',
  reason: 'was removed for good for signing twice',
  refusal: () =>
    badRequest(
      'VALIDATOR_TOMBSTONED',
      "The operator's validator was removed for good for signing twice, so a new stake would earn nothing.",
    ),
}
const JAILED: StakeObstacle = {
  state: 'jailed',
  reason: 'is jailed',
  refusal: () =>
    badRequest('VALIDATOR_JAILED', "The operator's validator is jailed at the moment, so a new stake would earn nothing. Try again later."),
}
const OUTSIDE: StakeObstacle = {
  state: 'inactive',
  reason: 'is not in the active set',
  refusal: () =>
    badRequest(
      'VALIDATOR_INACTIVE',
      "The operator's validator is not in the active set at the moment, so a new stake would earn nothing. Try again when it is.",
    ),
}
const WORTHLESS: StakeObstacle = {
  state: 'inactive',
  reason: 'was slashed to nothing, so that nobody can delegate to it',
  refusal: () =>
    badRequest('VALIDATOR_UNUSABLE', "The operator's validator was slashed to nothing, so the chain lets nobody delegate to it."),
}

/**
 * Returns the reason why stake with a validator earns nothing, or is not taken; null where it is taken and earns. Crafts and the shown state use this one rule. For a
 * jailed validator the chain is asked once more: one that was tombstoned is jailed for good.
 *
 * @param prefix of the chain's addresses
 * @throws 502, 503, 504
 */
export async function obstacleOf(ctx: StakingContext, prefix: string, validator: Validator): Promise<StakeObstacle | null> {
  if (validator.jailed) return (await isTombstoned(ctx, prefix, validator)) ? TOMBSTONED : JAILED
  if (!earns(validator)) return OUTSIDE
  return validator.tokens === 0n && validator.shares > 0n ? WORTHLESS : null
}

async function isTombstoned(ctx: StakingContext, prefix: string, { consensusKey }: Validator): Promise<boolean> {
  if (consensusKey === null) return false
  const consAddress = toBech32(`${prefix}valcons`, sha256(consensusKey).subarray(0, CONSENSUS_ADDRESS_BYTES))
  return ctx.client.query({
    path: '/cosmos.slashing.v1beta1.Query/SigningInfo',
    request: QuerySigningInfoRequest.encode({ consAddress }).finish(),
    read: (answer) => QuerySigningInfoResponse.decode(answer).valSigningInfo.tombstoned,
    refused: orNone(() => false),
  })
}
