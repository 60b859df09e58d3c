import type { ServiceError } from '@svc/contract'
import { id } from 'ethers'
import { badGateway } from '../codes.ts'

/** Differences between kinds of vaults, as far as they matter here. */
export interface VaultKind {
  readonly name: string
  /** Deposits only of accounts on its whitelist. */
  readonly isPrivate?: true
  /** Deposits of all but the accounts on its blocklist. */
  readonly hasBlocklist?: true
  /** Without osToken, so that nothing limits an exit but the stake. */
  readonly withoutOsToken?: true
  /** A vault of vaults, whose state follows other rules. */
  readonly isMeta?: true
}

/** @see https://github.com/stakewise/v3-core/tree/main/contracts/vaults/ethereum (read 2026-11-21) */
const KINDS: readonly VaultKind[] = [
  { name: 'EthVault' },
  { name: 'EthErc20Vault' },
  { name: 'EthGenesisVault' },
  { name: 'EthPrivVault', isPrivate: true },
  { name: 'EthPrivErc20Vault', isPrivate: true },
  { name: 'EthBlocklistVault', hasBlocklist: true },
  { name: 'EthBlocklistErc20Vault', hasBlocklist: true },
  { name: 'EthFoxVault', hasBlocklist: true, withoutOsToken: true },
  { name: 'EthMetaVault', isMeta: true },
  { name: 'EthPrivMetaVault', isPrivate: true, isMeta: true },
]

const byId = new Map(KINDS.map((kind) => [id(kind.name), kind]))

/** Returns the kind of a vault by its `vaultId()`, which is the keccak-256 of the kind's name. */
export function kindOf(vaultId: string): VaultKind | undefined {
  return byId.get(vaultId)
}

/**
 * Returns the kind of a vault that can be served; else the reason why it cannot be, as the predicate of a sentence about it.
 *
 * EthFoxVault has version numbers of its own, all of whose public versions behave as 3 and later.
 */
export function servedKind(vaultId: string, version: number): VaultKind | string {
  const kind = kindOf(vaultId)
  if (!kind) return `is of a kind that is not known here (vaultId ${vaultId})`
  if (kind.isMeta) return `is an ${kind.name}, a vault of vaults, whose harvests and limits follow other rules; name an ordinary vault`
  if (version < 1 || (version > 5 && !kind.withoutOsToken)) return `has version ${version}, which is not known here; versions 1 to 5 are`
  return kind
}

/** Tells whether an exit's value is fixed when it is requested, which a vault does only while it knows the oracles' latest report: in version 2. */
export function fixesExitValues({ kind, version }: { readonly kind: VaultKind; readonly version: number }): boolean {
  return version === 2 && !kind.withoutOsToken
}

/** Makes the refusal of a vault that cannot be served: a fault of the service's settings, or of the node that says so, whatever the request. */
export function vaultUnsupported(vault: string, why: string): ServiceError {
  return badGateway('VAULT_UNSUPPORTED', `The service's vault ${vault} ${why}, its node says. This is for the operator to mend.`)
}

/** Returns the seconds from an exit request to its earliest claim. @see https://github.com/stakewise/v3-core/blob/main/script/Network.sol (read 2026-11-21) */
export function claimDelaySeconds(kind: VaultKind, hasQueueData: boolean): number {
  // Version 5 is recognised by its merged getter, because one kind has version numbers of its own.
  if (!hasQueueData) return 86_400
  return kind.isPrivate ? 0 : 54_000
}
