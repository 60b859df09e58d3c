// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {HarvestParams} from "./IKeeper.sol";

/// A vault's own calls, events and errors, as far as its depositors meet them.
interface IVault {
    event Deposited(address indexed caller, address indexed receiver, uint256 assets, uint256 shares, address referrer);
    event Redeemed(address indexed owner, address indexed receiver, uint256 assets, uint256 shares);
    event ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares);
    event V2ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares, uint256 assets);
    event ExitedAssetsClaimed(address indexed receiver, uint256 prevPositionTicket, uint256 newPositionTicket, uint256 withdrawnAssets);
    event CheckpointCreated(uint256 shares, uint256 assets);
    event FeeSharesMinted(address receiver, uint256 shares, uint256 assets);
    event Transfer(address indexed from, address indexed to, uint256 value);
    event OsTokenLiquidated(
        address indexed caller, address indexed user, address receiver, uint256 osTokenShares, uint256 shares, uint256 receivedAssets
    );
    event OsTokenRedeemed(
        address indexed caller, address indexed user, address receiver, uint256 osTokenShares, uint256 shares, uint256 assets
    );
    event OsTokenMinted(address indexed caller, address receiver, uint256 assets, uint256 shares, address referrer);

    error NotHarvested();
    error CapacityExceeded();
    error InvalidAssets();
    error InvalidShares();
    error ZeroAddress();
    error AccessDenied();
    error LowLtv();
    error ExitRequestNotProcessed();
    error InvalidCheckpointIndex();
    error NotCollateralized();
    error InvalidProof();
    error InvalidRewardsRoot();
    error ClaimTooEarly();
    error InsufficientAssets();
    error InvalidPosition();
    error InvalidReceivedAssets();
    error InvalidHealthFactor();
    error FailedCall();

    function deposit(address receiver, address referrer) external payable returns (uint256 shares);
    function updateStateAndDeposit(address receiver, address referrer, HarvestParams calldata harvestParams)
        external
        payable
        returns (uint256 shares);
    function updateState(HarvestParams calldata harvestParams) external;
    function enterExitQueue(uint256 shares, address receiver) external returns (uint256 positionTicket);
    function claimExitedAssets(uint256 positionTicket, uint256 timestamp, uint256 exitQueueIndex) external;
    function multicall(bytes[] calldata data) external returns (bytes[] memory results);
    function redeem(uint256 shares, address receiver) external returns (uint256 assets);
    function transfer(address to, uint256 shares) external returns (bool);
    function redeemOsToken(uint256 osTokenShares, address owner, address receiver) external;
    function liquidateOsToken(uint256 osTokenShares, address owner, address receiver) external;

    function version() external view returns (uint8);
    function vaultId() external view returns (bytes32);
    function feeRecipient() external view returns (address);
    function implementation() external view returns (address);
    function admin() external view returns (address);
    function validatorsManager() external view returns (address);
    function feePercent() external view returns (uint16);
    function capacity() external view returns (uint256);
    function totalAssets() external view returns (uint256);
    function totalShares() external view returns (uint256);
    function getShares(address account) external view returns (uint256);
    function convertToShares(uint256 assets) external view returns (uint256);
    function convertToAssets(uint256 shares) external view returns (uint256);
    function withdrawableAssets() external view returns (uint256);
    function isStateUpdateRequired() external view returns (bool);
    function mevEscrow() external view returns (address);
    function osTokenPositions(address user) external view returns (uint128);
    function getExitQueueIndex(uint256 positionTicket) external view returns (int256);
    function calculateExitedAssets(address receiver, uint256 positionTicket, uint256 timestamp, uint256 exitQueueIndex)
        external
        view
        returns (uint256 leftTickets, uint256 exitedTickets, uint256 exitedAssets);
    function getExitQueueData()
        external
        view
        returns (
            uint128 queuedShares,
            uint128 unclaimedAssets,
            uint128 totalExitingTickets,
            uint128 totalExitingAssets,
            uint256 totalTickets
        );
    function queuedShares() external view returns (uint128);
    function totalExitingAssets() external view returns (uint128);
    function whitelistedAccounts(address account) external view returns (bool);
    function blockedAccounts(address account) external view returns (bool);
    function getSubVaults() external view returns (address[] memory);
}

/// What admins, validators and upgrades do, as calls that anybody may make: only the stand-in has these.
interface IVaultControl {
    function configure(address keeper, address controller, address config, uint256 claimDelay, uint256 capacity, uint16 feePercent)
        external;
    /// The name that `vaultId` is the hash of: EthVault, EthPrivVault, …
    function setKind(string calldata kind) external;
    function setVersion(uint8 version, uint256 claimDelay) external;
    function setCapacity(uint256 capacity) external;
    function setFeePercent(uint16 feePercent) external;
    /// Who gets the shares that are the fee.
    function setFeeRecipient(address feeRecipient) external;
    /// Who has power over it: the code behind the proxy, its admin, and who may register validators.
    function setPowers(address implementation, address admin, address validatorsManager) external;
    /// Whether an account is on the whitelist, or on the blocklist, of the kind.
    function setListed(address account, bool listed) external;
    /// An osToken debt without the tokens.
    function setOsTokenPosition(address user, uint128 shares) external;
    /// Totals and one holder's shares, for figures that come from elsewhere.
    function setState(uint256 totalAssets, uint256 totalShares, address holder, uint256 shares) external;
    /// ETH that arrives from validators.
    function fund() external payable;
    /// ETH that leaves for validators: all that is not owed to finished exits.
    function sweep() external;
}
