import { ServiceError } from '@svc/contract'
import { id } from 'ethers'

/** What differs between kinds of vaults, as far as it matters here. */
export interface Kind {
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
const KINDS: readonly Kind[] = [
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

/** The kind that a vault says it is: `vaultId()` is the keccak-256 of its name. */
export function kindOf(vaultId: string): Kind | undefined {
  return byId.get(vaultId)
}

/**
 * What keeps a vault from being served, as the end of a sentence about it; null when nothing does.
 *
 * EthFoxVault has version numbers of its own, all of whose public versions behave as 3 and later.
 */
export function obstacle(vaultId: string, version: number): string | null {
  const kind = kindOf(vaultId)
  if (!kind) return `is of a kind that is not known here (vaultId ${vaultId})`
  if (kind.isMeta) return `is an ${kind.name}, a vault of vaults, whose harvests and limits follow other rules; name an ordinary vault`
  if (version === 2 && !kind.withoutOsToken)
    return 'has version 2, in which exits are fixed when they are requested; its admin has to upgrade it to version 3 or later'
  if (version < 1 || (version > 5 && !kind.withoutOsToken))
    return `has version ${version}, which is not known here; versions 1 and 3 to 5 are`
  return null
}

/** The refusal of a vault that cannot be served: a fault of the service's settings, whatever the request. */
export function unsupported(vault: string, why: string): ServiceError {
  return new ServiceError(500, 'VAULT_UNSUPPORTED', `The service's vault ${vault} ${why}. This is for the operator to mend.`)
}

/** Seconds from an exit request to its earliest claim. @see https://github.com/stakewise/v3-core/blob/main/script/Network.sol (read 2026-11-21) */
export function claimDelay(kind: Kind, hasQueueData: boolean): number {
  // Version 5 is told by its merged getter, because one kind has version numbers of its own.
  if (!hasQueueData) return 86_400
  return kind.isPrivate ? 0 : 54_000
}
