import { parseAbi, type Question, reader } from '@svc/kit-evm'
import { badGateway } from '../codes.ts'
import type { LiquidContext, LiquidNetwork } from '../network.ts'

/**
 * Methods of Magma's vault that are called. Redemptions are asynchronous: the first argument of `redeemMON` is a request and not a number of shares.
 *
 * @see https://github.com/MagmaStaking/contracts-public (read 2026-11-21)
 */
export const vault = parseAbi([
  'function depositMON(address receiver, uint256 referralId) payable returns (uint256 shares)',
  'function depositMONGVault(address receiver, uint64 valId, uint256 referralId) payable returns (uint256 shares)',
  'function requestRedeem(uint256 shares, address controller, address owner) returns (uint256 requestId)',
  'function requestRedeemGVault(uint256 shares, address controller, address owner, uint64 valId) returns (uint256 requestId)',
  'function redeemMON(uint256 requestId, address controller, address receiver) returns (uint256 assets)',
  'function ownerRequestId(address owner) view returns (uint256)',
  'function pendingRedeemRequestData(uint256 requestId, address controller) view returns (tuple(address owner, bool isGVault, uint256 shares, uint256 assets, uint256 claimableTime))',
  'function balanceOf(address owner) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function convertToShares(uint256 assets) view returns (uint256)',
  'function previewDeposit(uint256 assets) view returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function paused() view returns (bool)',
  'function rewardsFee() view returns (uint256)',
  'function withdrawalFee() view returns (uint256)',
  'function coreVault() view returns (address)',
  'function gVault() view returns (address)',
  'function owner() view returns (address)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
])

/** Methods that are read of the vault behind Magma's, which spreads the pool's stake over validators. Same source. */
export const coreVault = parseAbi([
  'function minUserWithdrawAmount() view returns (uint256)',
  'function getValidators() view returns (uint64[])',
  'function paused() view returns (bool)',
])

/** Functions that ask the vault. An answer that has the wrong form at every endpoint is left out: terms that cannot be read do not hide the others. */
export const { ask, askAll, answered, orSettingsError } = reader({
  malformed: 'leave out',
  unreadable: ({ method, reason }) =>
    badGateway('VAULT_UNREADABLE', `The vault could not be read: ${method}: ${reason || 'no reason given'}.`),
})

/** Makes the questions for the pool's books. Both amounts are in wei; a share has 18 decimals too. */
export function askPool({ vault: to }: LiquidNetwork): { readonly shares: Question<bigint>; readonly assets: Question<bigint> } {
  return { shares: vault.question(to, 'totalSupply', []), assets: vault.question(to, 'totalAssets', []) }
}

/**
 * Reads the time of the latest block, in seconds since 1970.
 *
 * @throws 502 UPSTREAM_ERROR when no endpoint answers one that a date can have; 502, 503, 504 as `client.head` does, also for a head that is too old
 */
export async function chainTime({ client }: LiquidContext): Promise<bigint> {
  return (await client.head()).timestamp
}
