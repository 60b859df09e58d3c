import { parseAbi } from '@svc/kit-evm'

const HARVEST_PARAMS = '(bytes32 rewardsRoot, int160 reward, uint160 unlockedMevReward, bytes32[] proof) harvestParams'

/** A vault's methods, called and read, and its events. @see https://github.com/stakewise/v3-core/tree/main/contracts/vaults (tags v1.0.0 to v4.0.1, read 2026-11-21) */
export const vaultAbi = parseAbi([
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
  'function implementation() view returns (address)',
  'function admin() view returns (address)',
  'function keysManager() view returns (address)',
  'function validatorsManager() view returns (address)',
  'function capacity() view returns (uint256)',
  'function totalAssets() view returns (uint256)',
  'function totalShares() view returns (uint256)',
  'function getShares(address account) view returns (uint256)',
  'function convertToShares(uint256 assets) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
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

/** Methods that are read of the contracts that vaults share. @see https://github.com/stakewise/v3-core (contracts/keeper, contracts/tokens; read 2026-11-21) */
export const sharedAbi = parseAbi([
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
  'function redeemer() view returns (address)',
  'function liquidator() view returns (address)',
])
