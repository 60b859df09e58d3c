import { isServiceError, SettingsError } from '@svc/contract'
import type { LiquidContext } from './network.ts'
import { assetsOf } from './pool.ts'
import { readValidators } from './validators.ts'
import { askAll, askVault, coreVault, question } from './vault.ts'

/** ERC-7540's asynchronous redemption, by ERC-165. @see https://eips.ethereum.org/EIPS/eip-7540 (read 2026-11-21) */
const ASYNC_REDEEM = '0x620ee8e4'
const ONE_SHARE = 10n ** 18n

/** @throws a sentence when the vault is not Magma's, or the validator of the settings is not registered */
export async function inspect(ctx: LiquidContext): Promise<void> {
  const { vault, staking, validator_id } = ctx.network
  const [redeems, core, shares, assets, price] = await asSettings(`vault ${vault} is no vault of Magma`, () =>
    askAll<[boolean, string, bigint, bigint, bigint]>(ctx, [
      askVault(ctx, 'supportsInterface', ASYNC_REDEEM),
      askVault(ctx, 'coreVault'),
      askVault(ctx, 'totalSupply'),
      askVault(ctx, 'totalAssets'),
      askVault(ctx, 'convertToAssets', ONE_SHARE),
    ]),
  )
  if (!redeems) throw new SettingsError(`vault ${vault} is no vault of Magma: it has no asynchronous redemption (ERC-7540).`)
  if (price !== assetsOf(ONE_SHARE, { shares, assets }))
    throw new SettingsError(`vault ${vault} converts shares by another formula than this version knows; its amounts would be wrong.`)
  await asSettings(`vault ${vault} names ${core} as the vault behind it, which is none`, () =>
    askAll(ctx, [question(core, coreVault, 'minUserWithdrawAmount', [], ([value]) => value as bigint)]),
  )
  if (validator_id === undefined) return
  const [validator] = await asSettings(`staking ${staking} is no staking contract`, () =>
    readValidators(ctx, [BigInt(validator_id)], false),
  )
  if (!validator?.exists) throw new SettingsError(`validator_id ${validator_id} is not a registered validator of this chain.`)
}

/** What cannot be read of a contract that answers is a setting that does not fit. */
async function asSettings<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'VAULT_UNREADABLE') throw error
    throw new SettingsError(`${what}: ${error.message}`)
  }
}
