// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IChainConfig} from "./IChainConfig.sol";
import {IStaking} from "./IStaking.sol";

/// State and arithmetic of the stand-in: pools, delegators, parameters, epochs and their rewards.
///
/// A pool's accumulator is reward per wei of stake, times 1e27. A delegation counts from the epoch after it; the accumulator
/// of that moment is recorded when the epoch begins, so that the record can be brought up to date whenever somebody touches it.
abstract contract StakingState {
    // Constants of the protocol: its public contract sources and the mainnet genesis (read 2026-11-21).
    uint256 internal constant PRECISION = 1e27;
    uint256 internal constant FULL_COMMISSION = 10_000;
    uint256 private constant FULL_INFLATION = 100_000;
    uint256 private constant YEAR_SECONDS = 31_536_000;
    uint256 private constant DEFAULT_EPOCH_MS = 14_400_000;
    IChainConfig internal constant CONFIG = IChainConfig(0x3100000000000000000000000000000000000000);

    /// The numbers are the stand-in's own.
    enum PoolStatus {
        Unknown,
        PendingAdd,
        Active,
        PendingExit,
        Inactive
    }

    struct Pool {
        PoolStatus status;
        address owner;
        uint256 commission;
        /// With what begins to count in the next epoch.
        uint256 totalStake;
        /// What counts in this epoch.
        uint256 stakeSnapshot;
        uint256 accumulated;
        bool delegationEnabled;
        address approver;
        uint256 delegators;
        /// A delegation of this epoch needs the accumulator of the next one's beginning.
        bool toRecord;
    }

    struct Recorded {
        uint256 rps;
        uint256 refcount;
    }

    uint256 internal epoch;
    /// When the epoch began; 0 before the first.
    uint256 private epochBegan;
    uint256 internal stakeOfEpoch;
    uint256 internal supplySnapshot;
    uint256 internal inflationRate;
    bool internal isPaused;
    address internal contractOwner;
    bool internal approversUnknown;
    bytes32[] internal poolIds;
    mapping(bytes32 => Pool) internal pools;
    mapping(bytes32 => mapping(address => IStaking.Delegator)) internal delegators;
    mapping(bytes32 => mapping(address => uint256)) internal activationEpochs;
    mapping(uint256 => mapping(bytes32 => Recorded)) internal recorded;
    mapping(address => IStaking.Undelegation[]) internal undelegations;
    /// Who was paid in this epoch: the paid entries leave the lists when the next begins.
    address[] private paidOut;

    // --- a delegator's record ---

    /// Activates what has reached its epoch, and adds what was earned since the last time.
    function settle(bytes32 poolId, address owner) internal {
        IStaking.Delegator storage d = delegators[poolId][owner];
        uint256 acc = pools[poolId].accumulated;
        if (d.stake > 0) {
            d.rewards += earned(acc, d.accumulatedRewardPerShare, d.stake);
            d.accumulatedRewardPerShare = acc;
        }
        if (!hasMatured(poolId, owner)) return;
        d.rewards += earned(acc, release(activationEpochs[poolId][owner], poolId), d.pendingStake);
        d.accumulatedRewardPerShare = acc;
        d.stake += d.pendingStake;
        d.pendingStake = 0;
        delete activationEpochs[poolId][owner];
    }

    function hasMatured(bytes32 poolId, address owner) internal view returns (bool) {
        return delegators[poolId][owner].pendingStake > 0 && epoch >= activationEpochs[poolId][owner];
    }

    function earned(uint256 acc, uint256 since, uint256 stake) internal pure returns (uint256) {
        return acc > since ? (acc - since) * stake / PRECISION : 0;
    }

    /// A new part of the stake, from a deposit or from rewards; the record has been settled.
    function addPending(bytes32 poolId, address owner, uint256 amount) internal returns (uint256 activation) {
        Pool storage pool = pools[poolId];
        IStaking.Delegator storage d = delegators[poolId][owner];
        activation = epoch + 1;
        if (d.stake == 0) pool.delegators += 1;
        d.pendingStake += amount;
        activationEpochs[poolId][owner] = activation;
        recorded[activation][poolId].refcount += 1;
        pool.toRecord = true;
        pool.totalStake += amount;
    }

    function release(uint256 atEpoch, bytes32 poolId) private returns (uint256 rps) {
        Recorded storage entry = recorded[atEpoch][poolId];
        rps = entry.rps;
        if (entry.refcount == 1) delete recorded[atEpoch][poolId];
        else entry.refcount -= 1;
    }

    /// Marks the caller's ready entries of a pool as paid, in their order, up to the first that is locked.
    function takeReady(bytes32 poolId, address owner) internal returns (uint256 principal, uint256 reward) {
        IStaking.Undelegation[] storage entries = undelegations[owner];
        for (uint256 i = 0; i < entries.length; i++) {
            IStaking.Undelegation storage entry = entries[i];
            if (entry.poolId != poolId || entry.processed) continue;
            if (epoch < entry.unlockEpoch) break;
            entry.processed = true;
            principal += entry.principalAmount;
            reward += entry.rewardAmount;
            paidOut.push(owner);
        }
    }

    function unpaid(address owner) internal view returns (IStaking.Undelegation[] memory open) {
        IStaking.Undelegation[] storage all = undelegations[owner];
        open = new IStaking.Undelegation[](all.length);
        uint256 count = 0;
        for (uint256 i = 0; i < all.length; i++) if (!all[i].processed) open[count++] = all[i];
        assembly {
            mstore(open, count)
        }
    }

    function requireKnown(bytes32 poolId) internal view {
        require(pools[poolId].status != PoolStatus.Unknown, "Validator does not exist");
    }

    // --- parameters ---

    function numberOf(string memory key, uint256 otherwise) internal view returns (uint256 value) {
        bytes memory digits = bytes(CONFIG.getConfig(key));
        if (digits.length == 0) return otherwise;
        for (uint256 i = 0; i < digits.length; i++) value = value * 10 + uint8(digits[i]) - 48;
    }

    function withdrawWindow() internal view returns (uint256) {
        return numberOf("staking.delegation_withdraw_effective_epoch", 84);
    }

    function room(bytes32 poolId) internal view returns (uint256) {
        uint256 most = numberOf("staking.max_staking_pool_value", 50_000_000 ether);
        uint256 total = pools[poolId].totalStake;
        return most > total ? most - total : 0;
    }

    function epochMs() private view returns (uint256 ms) {
        ms = numberOf("chain.epoch_duration", DEFAULT_EPOCH_MS);
        if (ms < 1000) ms = DEFAULT_EPOCH_MS;
    }

    function rewardsPaid() private view returns (bool) {
        bytes32 value = keccak256(bytes(CONFIG.getConfig("chain.enable_pos_staking")));
        return value != keccak256("false") && value != keccak256("False");
    }

    // --- epochs ---

    /// Ends the epoch: its rewards are paid, what was delegated in it begins to count, and what was paid out is forgotten.
    function nextEpoch() internal returns (bytes32[] memory active) {
        uint256 duration = epochMs() / 1000;
        require(block.timestamp >= epochBegan + duration, "The epoch is not over");
        epochBegan = epochBegan == 0 ? block.timestamp : epochBegan + duration;

        uint256 reward = rewardsPaid() ? supplySnapshot * inflationRate / FULL_INFLATION * duration / YEAR_SECONDS : 0;
        uint256 total = 0;
        uint256 count = 0;
        active = new bytes32[](poolIds.length);
        for (uint256 i = 0; i < poolIds.length; i++) {
            bytes32 poolId = poolIds[i];
            Pool storage pool = pools[poolId];
            if (pool.stakeSnapshot > 0) payRewards(poolId, reward * pool.stakeSnapshot / stakeOfEpoch);
            if (pool.toRecord) {
                recorded[epoch + 1][poolId].rps = pool.accumulated;
                pool.toRecord = false;
            }
            pool.stakeSnapshot = pool.status == PoolStatus.Active ? pool.totalStake : 0;
            total += pool.stakeSnapshot;
            if (pool.status == PoolStatus.Active) active[count++] = poolId;
        }
        assembly {
            mstore(active, count)
        }
        stakeOfEpoch = total;
        epoch += 1;
        forgetPaid();
    }

    function payRewards(bytes32 poolId, uint256 reward) private {
        Pool storage pool = pools[poolId];
        uint256 toDelegators = reward * (FULL_COMMISSION - pool.commission) / FULL_COMMISSION;
        delegators[poolId][pool.owner].rewards += reward - toDelegators;
        pool.accumulated += toDelegators * PRECISION / pool.stakeSnapshot;
    }

    function forgetPaid() private {
        for (uint256 i = 0; i < paidOut.length; i++) {
            IStaking.Undelegation[] storage entries = undelegations[paidOut[i]];
            uint256 kept = 0;
            for (uint256 j = 0; j < entries.length; j++) {
                if (entries[j].processed) continue;
                if (kept != j) entries[kept] = entries[j];
                kept++;
            }
            while (entries.length > kept) entries.pop();
        }
        delete paidOut;
    }

    /// `owner()`, a name that many arguments here have.
    fallback(bytes calldata input) external returns (bytes memory) {
        if (bytes4(input) != 0x8da5cb5b) revert();
        return abi.encode(contractOwner);
    }
}
