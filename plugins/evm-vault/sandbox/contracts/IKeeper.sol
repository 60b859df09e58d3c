// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What the oracles say of a vault: its cumulative reward, and the proof that it is in the tree under `rewardsRoot`.
struct HarvestParams {
    bytes32 rewardsRoot;
    int160 reward;
    uint160 unlockedMevReward;
    bytes32[] proof;
}

/// The Keeper's own calls, events and errors, as far as a vault and its users meet them.
interface IKeeper {
    event RewardsUpdated(
        address indexed caller,
        bytes32 indexed rewardsRoot,
        uint256 avgRewardPerSecond,
        uint64 updateTimestamp,
        uint64 nonce,
        string rewardsIpfsHash
    );
    event Harvested(address indexed vault, bytes32 indexed rewardsRoot, int256 totalAssetsDelta, uint256 unlockedMevDelta);

    error AccessDenied();
    error InvalidRewardsRoot();
    error InvalidProof();

    function harvest(HarvestParams calldata params)
        external
        returns (int256 totalAssetsDelta, uint256 unlockedMevDelta, bool harvested);
    function isHarvestRequired(address vault) external view returns (bool);
    function canHarvest(address vault) external view returns (bool);
    function isCollateralized(address vault) external view returns (bool);
    function rewardsRoot() external view returns (bytes32);
    function prevRewardsRoot() external view returns (bytes32);
    function rewardsNonce() external view returns (uint64);
    function rewards(address vault) external view returns (int192 assets, uint64 nonce);
    function unlockedMevRewards(address vault) external view returns (uint192 assets, uint64 nonce);
    function lastRewardsTimestamp() external view returns (uint64);
    function rewardsDelay() external view returns (uint256);
}

/// What oracles and validators do, as calls that anybody may make: only the stand-in has these.
interface IKeeperControl {
    function configure(address registry) external;
    /// A vault's first validator is registered.
    function collateralize(address vault) external;
    /// A vault is as if no validator of it had ever been registered: it has no queue, and pays exits at once.
    function uncollateralize(address vault) external;
    /// An oracle update. Its cadence is the caller's business.
    function publish(bytes32 root, uint256 avgRewardPerSecond, string calldata ipfsHash) external;
}
