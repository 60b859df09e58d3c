import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { isServiceError, malformedAnswer, requireSent, SettingsError, unknownFormer } from '@svc/contract'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryPoolResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { WHOLE_ACCOUNT } from '../account.ts'
import { integer, orNone } from '../answer.ts'
import type { CosmosChain } from '../chain.ts'
import { contentsOf } from '../fields.ts'
import { keyTypeOf } from '../keys.ts'
import { findValidator, readStakingParams } from './chain.ts'
import { readIssuance, type YearlyIssuance } from './issuance.ts'
import type { StakingContext } from './network.ts'
import { annualRatePercent } from './rates.ts'

/** Levels of accounts within one another that are looked into: a vesting account holds one of its base, which holds a base account. */
const DEEPEST = 3

/**
 * Compares the declared data of a chain with the chain itself, at start and by `svc check`.
 *
 * @throws SettingsError, a sentence, when the operator's validator does not exist, or the chain stakes another token, has keys of another kind, or says its issuance in
 *   another form than its data
 */
export async function inspectStaking(ctx: StakingContext, chain: CosmosChain): Promise<void> {
  const { denom, issuance } = chain
  const { validator, chainId } = ctx.network
  const [match, params, keyType, issued, bonded] = await Promise.all([
    findValidator(ctx, validator, () => null),
    readStakingParams(ctx),
    readKeyType(ctx, operatorOf(chain, validator)),
    ofForm(readIssuance(ctx, issuance)),
    readBonded(ctx),
  ])
  if (params.bondDenom !== denom)
    throw new SettingsError(`${chainId} stakes ${params.bondDenom}, this plugin ${denom}: it is another chain.`)
  if (match === null) throw new SettingsError(`validator ${validator} is not a validator of ${chainId}.`)
  if (keyType !== null && keyType !== keyTypeOf(chain))
    throw new SettingsError(
      `accounts of ${chainId} have keys of the type ${keyType.slice(0, 100)}, this plugin is of ${keyTypeOf(chain)} (algorithm ${chain.algorithm}): every address that it works out would belong to nobody.`,
    )
  if (issued instanceof SettingsError) throw issued
  if (annualRatePercent(issued, { bonded, communityTax: 0n, commission: 0n }) === undefined)
    throw new SettingsError(
      `${chainId} answers an issuance above 60 % of what is staked to the form ${issuance.form}: the issuance of this chain's data has another form.`,
    )
}

/**
 * Returns a sentence on each former validator of the settings that the chain does not know. That may be normal: the chain deletes a validator when its last stake leaves.
 *
 * @throws 502, 503, 504
 */
export async function inspectFormerStaking(ctx: StakingContext): Promise<readonly string[]> {
  const doubts = await Promise.all(
    ctx.network.former_validators.map(async (validator) => {
      const match = await findValidator(ctx, validator, () => null)
      return match === null ? [unknownFormer(validator, 'validator')] : []
    }),
  )
  return doubts.flat()
}

/** Returns the account of a validator, which is of the same bytes. */
function operatorOf({ prefix }: CosmosChain, validator: string): string {
  return toBech32(prefix, fromBech32(validator, 90).data)
}

/** Reads the type of an account's key. @returns null where the account has none yet, or the chain does not say */
async function readKeyType(ctx: StakingContext, address: string): Promise<string | null> {
  return ctx.client.query<string | null>({
    path: WHOLE_ACCOUNT,
    request: QueryAccountRequest.encode({ address }).finish(),
    read: (answer) => keyTypeIn(requireSent(QueryAccountResponse.decode(answer).account).value, address, DEEPEST),
    refused: orNone(() => null),
  })
}

/**
 * Finds the type of an account's key. A base account has its address in field 1; one of another kind has a whole account there.
 *
 * @param deepest accounts within accounts that are followed
 */
function keyTypeIn(account: Uint8Array, address: string, deepest: number): string | null {
  const [first] = contentsOf(account, 1)
  if (first === undefined || deepest === 0) throw malformedAnswer()
  if (Buffer.from(first).toString('latin1') !== address) return keyTypeIn(first, address, deepest - 1)
  return BaseAccount.decode(account).pubKey?.typeUrl ?? null
}

function readBonded(ctx: StakingContext): Promise<bigint> {
  return ctx.client.query({
    path: '/cosmos.staking.v1beta1.Query/Pool',
    request: new Uint8Array(),
    read: (answer) => integer(requireSent(QueryPoolResponse.decode(answer).pool).bondedTokens),
  })
}

/** Returns the issuance, or the sentence that it is of another form. */
async function ofForm(reading: Promise<YearlyIssuance>): Promise<YearlyIssuance | SettingsError> {
  try {
    return await reading
  } catch (error) {
    if (isServiceError(error) && error.code === 'ISSUANCE_FORM') return new SettingsError(error.message)
    throw error
  }
}
