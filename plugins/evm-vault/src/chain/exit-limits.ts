import { type Answer, type Questions, readAmount } from '@svc/kit-evm'
import { sharedAbi, vaultAbi } from '../abi.ts'
import { deploymentOf, type VaultNetwork } from '../network.ts'
import type { Debt } from '../shares.ts'
import { answered } from './calls.ts'
import type { VaultState } from './vault-state.ts'

/** Limits of an exit apart from the vault's own state: the owner's osToken debt and its terms, and whether the vault has a queue. */
export interface ExitLimits {
  /** osToken that the owner owes. */
  readonly owed: bigint
  /** Loan to value: parts of 1e18, and ten thousandths for vaults of version 1. */
  readonly ltv: bigint
  readonly ltvV1: bigint
  /** Growth of an osToken in a second, in parts of 1e18. */
  readonly growth: bigint
  /** Wei that all osToken are worth, and all osToken. */
  readonly osAssets: bigint
  readonly osShares: bigint
  /** The vault has validators. */
  readonly collateralized: boolean
}

type LimitedState = Pick<VaultState<unknown, ExitLimits>, 'kind' | 'version' | 'others'>

/** Makes the questions about an exit's limits to the vault, the Keeper and the osToken contracts. */
export function askExitLimits(network: VaultNetwork, address: string): Questions<ExitLimits> {
  const { vault } = network
  const { keeper, os_token_config, os_token_config_v1, os_token_controller } = deploymentOf(network)
  return {
    owed: vaultAbi.question(vault, 'osTokenPositions', [address], readAmount),
    ltv: sharedAbi.question(os_token_config, 'getConfig', [vault], ({ ltvPercent }) => ltvPercent),
    ltvV1: sharedAbi.question(os_token_config_v1, 'ltvPercent', [], readAmount),
    growth: sharedAbi.question(os_token_controller, 'avgRewardPerSecond', [], readAmount),
    osAssets: sharedAbi.question(os_token_controller, 'totalAssets', [], readAmount),
    osShares: sharedAbi.question(os_token_controller, 'totalShares', [], readAmount),
    collateralized: sharedAbi.question(keeper, 'isCollateralized', [vault]),
  }
}

/** Computes the owner's osToken debt. @throws 502 VAULT_UNREADABLE when the vault has osToken and says nothing about it */
export function debtOf({ kind, version, others }: LimitedState): Debt {
  const shares = kind.withoutOsToken ? 0n : answered(others.owed)
  if (shares === 0n) return { shares, assets: 0n, ltv: 0n, growth: 0n }
  const total = answered(others.osShares)
  return {
    shares,
    assets: total === 0n ? shares : (shares * answered(others.osAssets)) / total,
    ltv: ltvOf(version, others.ltv, others.ltvV1),
    growth: answered(others.growth),
  }
}

/** Tells whether the vault has an exit queue: a vault of version 1 without validators has none, and pays an exit at once. @throws 502 VAULT_UNREADABLE */
export function hasQueue({ kind, version, others }: LimitedState): boolean {
  // The kind without osToken numbers its versions separately, and its first one has a queue like the later ones.
  return version !== 1 || kind.withoutOsToken === true || answered(others.collateralized)
}

/** Version 1 counts in ten thousandths, later ones in parts of 1e18. */
function ltvOf(version: number, ltv: Answer<bigint>, ltvV1: Answer<bigint>): bigint {
  return version === 1 ? answered(ltvV1) * 10n ** 14n : answered(ltv)
}
