import { malformedAnswer } from '@svc/contract'
import { type CosmosClient, orNone } from '@svc/kit-cosmos'
import {
  QueryDelegationRequest,
  QueryDelegationResponse,
  QueryValidatorRequest,
  QueryValidatorResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { DENOM } from './network.ts'

/** Factor of the chain's decimals: a rate of 1 is 10^18. */
const ONE = 10n ** 18n

/** Reads the delegation of an address to a validator, in uatom. */
export function delegated(client: CosmosClient, delegatorAddr: string, validatorAddr: string): Promise<bigint> {
  return client.query({
    path: '/cosmos.staking.v1beta1.Query/Delegation',
    request: QueryDelegationRequest.encode({ delegatorAddr, validatorAddr }).finish(),
    read(answer) {
      const { delegation, balance } = QueryDelegationResponse.decode(answer).delegationResponse ?? {}
      const isOurs = delegation?.delegatorAddress === delegatorAddr && delegation.validatorAddress === validatorAddr
      if (!isOurs || balance?.denom !== DENOM || !/^(?:0|[1-9][0-9]{0,30})$/.test(balance.amount)) throw malformedAnswer()
      return BigInt(balance.amount)
    },
    refused: orNone(() => 0n),
  })
}

/** Commission of a validator in percent of rewards; null when there is no such validator. */
export function commissionOf(client: CosmosClient, validatorAddr: string): Promise<number | null> {
  return client.query<number | null>({
    path: '/cosmos.staking.v1beta1.Query/Validator',
    request: QueryValidatorRequest.encode({ validatorAddr }).finish(),
    read(answer) {
      const { operatorAddress, commission } = QueryValidatorResponse.decode(answer).validator ?? {}
      const rate = commission?.commissionRates.rate ?? ''
      if (operatorAddress !== validatorAddr || !/^[0-9]{1,19}$/.test(rate) || BigInt(rate) > ONE) throw malformedAnswer()
      return (100 * Number(rate)) / Number(ONE)
    },
    refused: orNone(() => null),
  })
}
