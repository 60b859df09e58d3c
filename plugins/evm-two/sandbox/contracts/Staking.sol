// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IStaking} from "./IStaking.sol";
import {IStakingControl} from "./IStakingControl.sol";
import {StakingState} from "./StakingState.sol";

/// Stand-in of Pharos's staking contract: the calls of a delegator, their refusals, and the arithmetic of rewards.
///
/// The real chain mints rewards when it sees `CoinMinted`; here they are paid from a balance that the contract was given. The code
/// is put in place without a constructor, so nothing here may need one.
contract Staking is IStaking, IStakingControl, StakingState {
    /// The system sender, which ends epochs. Public contract sources (read 2026-11-21).
    address private constant EPOCH_ADMIN = 0x1111111111111111111111111111111111111111;
    /// `reason` of a minted reward.
    uint8 private constant REWARD = 1;

    modifier whenNotPaused() {
        if (isPaused) revert EnforcedPause();
        _;
    }

    modifier nonReentrant() {
        bool entered;
        assembly {
            entered := tload(0)
            tstore(0, 1)
        }
        if (entered) revert ReentrancyGuardReentrantCall();
        _;
        assembly {
            tstore(0, 0)
        }
    }

    // --- what a delegator does ---

    function delegate(bytes32 poolId) external payable whenNotPaused nonReentrant {
        Pool storage pool = pools[poolId];
        bool isOwner = msg.sender == pool.owner;
        if (!isOwner) {
            require(pool.delegationEnabled, "Delegation disabled");
            require(pool.approver == address(0), "Approval required: use delegateWithApproval");
        }
        requireKnown(poolId);
        if (!isOwner) {
            require(pool.status != PoolStatus.PendingExit, "Validator is pending exit");
            require(pool.status == PoolStatus.Active || pool.status == PoolStatus.PendingAdd, "Validator status invalid");
        }
        uint256 left = room(poolId);
        require(left > 0, "Pool stake already at maximum");
        require(msg.value >= numberOf("staking.min_delegator_stake", 1 ether) || msg.value == left, "Insufficient stake");
        Delegator storage delegator = delegators[poolId][msg.sender];
        require(!delegator.isPendingUndelegate, "Cannot delegate while pending undelegate");
        settle(poolId, msg.sender);
        require(delegator.pendingStake == 0, "Cannot delegate while pending stake exists");

        uint256 amount = msg.value < left ? msg.value : left;
        delegator.principalStake += amount;
        emit StakeDelegated(msg.sender, poolId, amount, addPending(poolId, msg.sender, amount));
        if (msg.value > amount) pay(msg.sender, msg.value - amount);
    }

    function undelegate(bytes32 poolId) external whenNotPaused nonReentrant returns (uint256 amount, uint256 unlockEpoch) {
        requireKnown(poolId);
        Pool storage pool = pools[poolId];
        settle(poolId, msg.sender);
        Delegator storage delegator = delegators[poolId][msg.sender];
        require(delegator.pendingStake == 0, "delegator has pending stake, not allowed to undelegate");
        require(msg.sender != pool.owner, "Use exitValidator/withdrawStake instead");
        require(delegator.stake > 0, "No stake to undelegate");
        require(!delegator.isPendingUndelegate, "Already pending undelegate");

        amount = delegator.stake + delegator.rewards;
        uint256 window = withdrawWindow();
        unlockEpoch = epoch + window;
        undelegations[msg.sender].push(
            Undelegation({
                delegator: msg.sender,
                poolId: poolId,
                amount: amount,
                unlockEpoch: unlockEpoch,
                pendingWithdrawWindow: window,
                processed: false,
                principalAmount: delegator.principalStake,
                rewardAmount: amount - delegator.principalStake
            })
        );
        pool.totalStake -= delegator.stake;
        pool.delegators -= 1;
        (delegator.stake, delegator.rewards, delegator.principalStake) = (0, 0, 0);
        delegator.pendingWithdrawStake += amount;
        delegator.pendingWithdrawWindow = window;
        delegator.isPendingUndelegate = true;
        emit StakeUndelegated(msg.sender, poolId, amount, unlockEpoch);
    }

    function claimStake(bytes32 poolId) external nonReentrant {
        (uint256 principal, uint256 reward) = takeReady(poolId, msg.sender);
        uint256 amount = principal + reward;
        require(amount > 0, "No withdrawable stake");
        Delegator storage delegator = delegators[poolId][msg.sender];
        delegator.pendingWithdrawStake -= amount;
        if (delegator.pendingWithdrawStake == 0) (delegator.isPendingUndelegate, delegator.pendingWithdrawWindow) = (false, 0);
        pay(msg.sender, principal);
        if (reward > 0) mint(msg.sender, reward);
        emit DelegatorWithdrawClaimed(msg.sender, poolId, amount, epoch);
        emit StakeClaimed(msg.sender, amount);
    }

    function claimReward(bytes32 poolId) external whenNotPaused nonReentrant returns (uint256 amount) {
        settle(poolId, msg.sender);
        Delegator storage delegator = delegators[poolId][msg.sender];
        amount = delegator.rewards;
        require(amount > 0, "No rewards to claim");
        delegator.rewards = 0;
        delegator.totalRewardsClaimed += amount;
        emit RewardClaimed(msg.sender, poolId, amount);
        mint(msg.sender, amount);
    }

    function compoundRewards(bytes32 poolId) external whenNotPaused nonReentrant {
        requireKnown(poolId);
        settle(poolId, msg.sender);
        Delegator storage delegator = delegators[poolId][msg.sender];
        uint256 amount = delegator.rewards;
        require(amount > 0, "No rewards to compound");
        require(!delegator.isPendingUndelegate, "Cannot compound while pending undelegate");
        require(delegator.pendingStake == 0, "Cannot compound while pending stake exist");
        delegator.rewards = 0;
        addPending(poolId, msg.sender, amount);
        emit RewardsCompounded(msg.sender, poolId, amount);
    }

    function settleReward(bytes32 poolId) external whenNotPaused {
        settle(poolId, msg.sender);
    }

    function pay(address to, uint256 amount) private {
        (bool paid,) = to.call{value: amount}("");
        require(paid, "Transfer failed");
    }

    function mint(address to, uint256 amount) private {
        emit CoinMinted(to, REWARD, amount);
        pay(to, amount);
    }

    // --- what the chain does ---

    function advanceEpoch() external {
        require(msg.sender == EPOCH_ADMIN, "Only the epoch admin");
        bytes32[] memory active = nextEpoch();
        emit EpochChange(epoch, block.number, block.timestamp, stakeOfEpoch, active);
    }

    // --- control ---

    function addPool(bytes32 poolId, address owner, uint256 ownStake, uint256 commission) external {
        Pool storage pool = pools[poolId];
        require(pool.status == PoolStatus.Unknown, "The pool exists");
        poolIds.push(poolId);
        (pool.status, pool.owner, pool.commission) = (PoolStatus.Active, owner, commission);
        (pool.totalStake, pool.delegators, pool.delegationEnabled) = (ownStake, 1, true);
        (delegators[poolId][owner].stake, delegators[poolId][owner].principalStake) = (ownStake, ownStake);
    }

    function setStatus(bytes32 poolId, uint8 status) external {
        pools[poolId].status = PoolStatus(status);
    }

    function setOwner(bytes32 poolId, address owner) external {
        pools[poolId].owner = owner;
    }

    function setDelegationEnabled(bytes32 poolId, bool enabled) external {
        pools[poolId].delegationEnabled = enabled;
    }

    function setApprover(bytes32 poolId, address approver) external {
        pools[poolId].approver = approver;
    }

    function setCommission(bytes32 poolId, uint256 commission) external {
        pools[poolId].commission = commission;
    }

    function setContractOwner(address account) external {
        contractOwner = account;
    }

    function setPaused(bool value) external {
        isPaused = value;
    }

    function setInflation(uint256 supply, uint256 rate) external {
        (supplySnapshot, inflationRate) = (supply, rate);
    }

    function setKnowsApprovers(bool known) external {
        approversUnknown = !known;
    }

    // --- reads ---

    function getDelegator(bytes32 poolId, address delegator) external view returns (Delegator memory) {
        return delegators[poolId][delegator];
    }

    /// Without what matured stake earned that nobody has touched yet, as the real one.
    function getDelegatorReward(bytes32 poolId, address delegator) external view returns (uint256) {
        Delegator storage d = delegators[poolId][delegator];
        return d.rewards + earned(pools[poolId].accumulated, d.accumulatedRewardPerShare, d.stake);
    }

    function getPendingStakeInfo(bytes32 poolId, address delegator) external view returns (uint256, uint256, bool) {
        return (delegators[poolId][delegator].pendingStake, activationEpochs[poolId][delegator], hasMatured(poolId, delegator));
    }

    function pendingActivationEpoch(bytes32 poolId, address delegator) external view returns (uint256) {
        return activationEpochs[poolId][delegator];
    }

    /// What was paid stays in the list until the epoch ends, and is not shown.
    function getUserPendingUndelegations(address delegator) external view returns (Undelegation[] memory) {
        return unpaid(delegator);
    }

    function getValidator(bytes32 poolId) external view returns (Validator memory validator) {
        Pool storage pool = pools[poolId];
        if (pool.status == PoolStatus.Unknown) return validator;
        validator.description = "a pool of the sandbox";
        validator.status = uint8(pool.status);
        validator.poolId = poolId;
        validator.totalStake = pool.totalStake;
        validator.owner = pool.owner;
        validator.stakeSnapshot = pool.stakeSnapshot;
    }

    function getCommissionRate(bytes32 poolId) external view returns (uint256) {
        return pools[poolId].commission;
    }

    function accumulatedRewardPerShares(bytes32 poolId) external view returns (uint256) {
        return pools[poolId].accumulated;
    }

    function getHistoricalRPS(uint256 atEpoch, bytes32 poolId) external view returns (uint256, uint256) {
        Recorded storage entry = recorded[atEpoch][poolId];
        return (entry.rps, entry.refcount);
    }

    function delegationEnabledMapping(bytes32 poolId) external view returns (bool) {
        return pools[poolId].delegationEnabled;
    }

    function getDelegationApprover(bytes32 poolId) external view returns (address) {
        if (approversUnknown) {
            assembly {
                revert(0, 0)
            }
        }
        return pools[poolId].approver;
    }

    function isValidatorActive(bytes32 poolId) external view whenNotPaused returns (bool) {
        return pools[poolId].status == PoolStatus.Active;
    }

    function isValidatorPendingAdd(bytes32 poolId) external view whenNotPaused returns (bool) {
        return pools[poolId].status == PoolStatus.PendingAdd;
    }

    function isValidatorPendingExit(bytes32 poolId) external view whenNotPaused returns (bool) {
        return pools[poolId].status == PoolStatus.PendingExit;
    }

    function delegatorCounts(bytes32 poolId) external view returns (uint256) {
        return pools[poolId].delegators;
    }

    function currentEpoch() external view returns (uint256) {
        return epoch;
    }

    function totalStake() external view returns (uint256) {
        return stakeOfEpoch;
    }

    function currentInflationRate() external view returns (uint256) {
        return inflationRate;
    }

    function lastInflationTotalSupplySnapshot() external view returns (uint256) {
        return supplySnapshot;
    }

    function paused() external view returns (bool) {
        return isPaused;
    }

    function cfg() external pure returns (address) {
        return address(CONFIG);
    }
}
