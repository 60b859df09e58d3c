import { MOST_VALIDATORS, monadValidators, type Validator } from '@svc/kit-evm/monad'
import { badGateway } from '../codes.ts'
import type { LiquidContext } from '../network.ts'
import { askAll, coreVault } from './vault.ts'

/** Reader of the chain's validators. */
export const validators = monadValidators({ askAll }, () =>
  badGateway('VAULT_UNREADABLE', 'The staking contract names validators without an end.'),
)

/** Reads the validators that the pool's stake is with. @param delayed as they are in the last part of an epoch */
export async function poolValidators(ctx: LiquidContext, core: string, delayed: boolean): Promise<readonly Validator[]> {
  const { validator_id } = ctx.network
  if (validator_id !== undefined) return validators.read(ctx, [validator_id], delayed)
  const [ids] = await askAll(ctx, [coreVault.question(core, 'getValidators', [], listOf)])
  return validators.read(ctx, ids, delayed)
}

/** @throws RangeError for more validators than there can be */
function listOf(ids: readonly bigint[]): readonly bigint[] {
  if (ids.length > MOST_VALIDATORS) throw new RangeError(`${ids.length} validators`)
  return [...ids]
}

/** Computes the validators' mean commission, in parts of 1e18; 0 without validators, since nothing is earned then. */
export function meanCommission(of: readonly Validator[]): bigint {
  if (of.length === 0) return 0n
  return of.reduce((sum, { epochCommission }) => sum + epochCommission, 0n) / BigInt(of.length)
}
