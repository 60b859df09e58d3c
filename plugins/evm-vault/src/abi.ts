import { Interface } from 'ethers'

const HARVEST_PARAMS = '(bytes32 rewardsRoot, int160 reward, uint160 unlockedMevReward, bytes32[] proof) harvestParams'

/** What is called of a vault. @see https://github.com/stakewise/v3-core/tree/main/contracts/vaults (tags v1.0.0 to v4.0.1, read 2026-11-21) */
export const vaultAbi = new Interface([
  'function deposit(address receiver, address referrer) payable returns (uint256 shares)',
  `function updateStateAndDeposit(address receiver, address referrer, ${HARVEST_PARAMS}) payable returns (uint256 shares)`,
  `function updateState(${HARVEST_PARAMS})`,
  'function enterExitQueue(uint256 shares, address receiver) returns (uint256 positionTicket)',
  'function claimExitedAssets(uint256 positionTicket, uint256 timestamp, uint256 exitQueueIndex)',
  'function multicall(bytes[] data) returns (bytes[] results)',
  'function redeem(uint256 shares, address receiver) returns (uint256 assets)',
  'function version() view returns (uint8)',
  'function vaultId() view returns (bytes32)',
  'function feePercent() view returns (uint16)',
  'function capacity() view returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function totalShares() view returns (uint256)',
  'function getShares(address account) view returns (uint256)',
  'function convertToShares(uint256 assets) view returns (uint256)',
  'function isStateUpdateRequired() view returns (bool)',
  'function osTokenPositions(address user) view returns (uint128)',
  'function getExitQueueIndex(uint256 positionTicket) view returns (int256)',
  'function calculateExitedAssets(address receiver, uint256 positionTicket, uint256 timestamp, uint256 exitQueueIndex) view returns (uint256 leftTickets, uint256 exitedTickets, uint256 exitedAssets)',
  'function getExitQueueData() view returns (uint128 queuedShares, uint128 unclaimedAssets, uint128 totalExitingTickets, uint128 totalExitingAssets, uint256 totalTickets)',
  'function whitelistedAccounts(address account) view returns (bool)',
  'function blockedAccounts(address account) view returns (bool)',
  'event ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares)',
  'event V2ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares, uint256 assets)',
  'event ExitedAssetsClaimed(address indexed receiver, uint256 prevPositionTicket, uint256 newPositionTicket, uint256 withdrawnAssets)',
  'event CheckpointCreated(uint256 shares, uint256 assets)',
])

/** What is asked of the contracts that vaults share. @see https://github.com/stakewise/v3-core (contracts/keeper, contracts/tokens; read 2026-11-21) */
export const sharedAbi = new Interface([
  'function vaults(address vault) view returns (bool)',
  'function canHarvest(address vault) view returns (bool)',
  'function isCollateralized(address vault) view returns (bool)',
  'function rewardsRoot() view returns (bytes32)',
  'function prevRewardsRoot() view returns (bytes32)',
  'function avgRewardPerSecond() view returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function totalShares() view returns (uint256)',
  'function getConfig(address vault) view returns ((uint128 liqBonusPercent, uint64 liqThresholdPercent, uint64 ltvPercent) config)',
  'function ltvPercent() view returns (uint256)',
])

/** Errors of a vault, of its libraries and of the Keeper, in words. Selectors of parameterless custom errors. */
const REFUSALS: Readonly<Record<string, string>> = {
  '0xe7757151': 'the vault is behind the oracles and must be harvested first (NotHarvested)',
  '0x9ff41fe0': 'the vault is full (CapacityExceeded)',
  '0x60dd3f44': 'the amount is worth nothing (InvalidAssets)',
  '0x6edcc523': 'the amount is less than one share (InvalidShares)',
  '0xd92e233d': 'the receiver is the zero address (ZeroAddress)',
  '0x4ca88867': 'the vault does not admit this address (AccessDenied)',
  '0x3684c659': 'the rest of the stake would not cover the minted osToken (LowLtv)',
  '0x1c7b1d1a': 'the exit is not processed, or not mature yet (ExitRequestNotProcessed)',
  '0xe8722f8f': 'the exit queue moved meanwhile (InvalidCheckpointIndex)',
  '0x14c5f7b6': 'the vault has no validators yet (NotCollateralized)',
  '0x09bde339': 'the oracles’ values do not match their proof (InvalidProof)',
  '0xd526111a': 'the oracles’ values are too old (InvalidRewardsRoot)',
  '0x1613b7eb': 'the exit is not mature yet (ClaimTooEarly)',
  '0x96d80433': 'the vault has not enough free ETH (InsufficientAssets)',
  '0xce7e065e': 'there is no osToken position (InvalidPosition)',
  '0xd6bda275': 'the receiver does not take ETH (FailedCall)',
  '0x1425ea42': 'the receiver does not take ETH (FailedInnerCall)',
}
/** Solidity's arithmetic panic: more shares than there are. */
const UNDERFLOW = `0x4e487b71${'11'.padStart(64, '0')}`

/** A vault's refusal in words; null for what it does not know. @param data return data of the refused call */
export function explain(data: string): string | null {
  if (data === UNDERFLOW) return 'the address has not that many shares any more (panic 0x11)'
  return REFUSALS[data.slice(0, 10)] ?? null
}
