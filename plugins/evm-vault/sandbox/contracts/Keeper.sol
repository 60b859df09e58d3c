// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {HarvestParams, IKeeper, IKeeperControl} from "./IKeeper.sol";
import {IVaultsRegistry} from "./IVaultsRegistry.sol";

/// Stand-in of the Keeper: roots, nonces and proofs. A nonce of 0 stands for the first, so that storage of zeros is a valid start.
contract Keeper is IKeeper, IKeeperControl {
    struct Reward {
        int192 assets;
        uint64 nonce;
    }

    struct Unlocked {
        uint192 assets;
        uint64 nonce;
    }

    bytes32 public rewardsRoot;
    bytes32 public prevRewardsRoot;
    mapping(address => Reward) public rewards;
    mapping(address => Unlocked) public unlockedMevRewards;
    uint64 public lastRewardsTimestamp;
    uint256 public constant rewardsDelay = 43_200;
    uint64 private updates;
    IVaultsRegistry private registry;

    function rewardsNonce() public view returns (uint64) {
        return updates + 1;
    }

    function isCollateralized(address vault) external view returns (bool) {
        return rewards[vault].nonce != 0;
    }

    function canHarvest(address vault) external view returns (bool) {
        uint64 nonce = rewards[vault].nonce;
        return nonce != 0 && nonce < rewardsNonce();
    }

    function isHarvestRequired(address vault) external view returns (bool) {
        uint64 nonce = rewards[vault].nonce;
        return nonce != 0 && nonce + 1 < rewardsNonce();
    }

    function harvest(HarvestParams calldata params) external returns (int256 delta, uint256 unlockedDelta, bool harvested) {
        if (!registry.vaults(msg.sender)) revert AccessDenied();
        uint64 nonce = rewardsNonce();
        if (params.rewardsRoot != rewardsRoot) {
            if (params.rewardsRoot != prevRewardsRoot) revert InvalidRewardsRoot();
            nonce -= 1;
        }
        bytes32 node = keccak256(bytes.concat(keccak256(abi.encode(msg.sender, params.reward, params.unlockedMevReward))));
        for (uint256 i = 0; i < params.proof.length; i++) {
            bytes32 other = params.proof[i];
            node = node < other ? keccak256(bytes.concat(node, other)) : keccak256(bytes.concat(other, node));
        }
        if (node != params.rewardsRoot) revert InvalidProof();
        Reward storage last = rewards[msg.sender];
        if (nonce <= last.nonce) return (0, 0, false);
        delta = int256(params.reward) - last.assets;
        unlockedDelta = params.unlockedMevReward - unlockedMevRewards[msg.sender].assets;
        rewards[msg.sender] = Reward(params.reward, nonce);
        unlockedMevRewards[msg.sender] = Unlocked(params.unlockedMevReward, nonce);
        emit Harvested(msg.sender, params.rewardsRoot, delta, unlockedDelta);
        return (delta, unlockedDelta, true);
    }

    // --- control ---

    function configure(address registry_) external {
        registry = IVaultsRegistry(registry_);
    }

    function collateralize(address vault) external {
        rewards[vault].nonce = rewardsNonce();
    }

    function uncollateralize(address vault) external {
        rewards[vault].nonce = 0;
    }

    function publish(bytes32 root, uint256 avgRewardPerSecond, string calldata ipfsHash) external {
        (prevRewardsRoot, rewardsRoot) = (rewardsRoot, root);
        updates += 1;
        lastRewardsTimestamp = uint64(block.timestamp);
        emit RewardsUpdated(msg.sender, root, avgRewardPerSecond, uint64(block.timestamp), rewardsNonce(), ipfsHash);
    }
}
