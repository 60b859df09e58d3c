// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What a delegator uses of Pharos's staking contract: its calls, records, events and errors.
interface IStaking {
    struct Delegator {
        /// Deposits still in the position, without compounded rewards.
        uint256 principalStake;
        /// Active and earning, with compounded rewards.
        uint256 stake;
        /// Where the pool's accumulator stood when `rewards` was last settled.
        uint256 accumulatedRewardPerShare;
        uint256 rewards;
        /// Waits for its epoch, or has reached it without anybody having touched the record since.
        uint256 pendingStake;
        uint256 pendingWithdrawStake;
        uint256 pendingWithdrawWindow;
        uint256 totalRewardsClaimed;
        bool isPendingUndelegate;
    }

    struct Undelegation {
        address delegator;
        bytes32 poolId;
        uint256 amount;
        /// First epoch in which it is paid.
        uint256 unlockEpoch;
        uint256 pendingWithdrawWindow;
        /// Paid, and listed until the next epoch begins.
        bool processed;
        uint256 principalAmount;
        uint256 rewardAmount;
    }

    struct Validator {
        string description;
        string publicKey;
        string publicKeyPop;
        string blsPublicKey;
        string blsPublicKeyPop;
        string endpoint;
        uint8 status;
        bytes32 poolId;
        uint256 totalStake;
        address owner;
        uint256 stakeSnapshot;
        uint256 pendingWithdrawStake;
        uint8 pendingWithdrawWindow;
        address pendingOwner;
    }

    event StakeDelegated(address indexed delegator, bytes32 indexed poolId, uint256 amount, uint256 effectiveEpoch);
    event StakeUndelegated(address indexed delegator, bytes32 indexed poolId, uint256 amount, uint256 unlockEpoch);
    event RewardClaimed(address indexed delegator, bytes32 indexed poolId, uint256 amount);
    event RewardsCompounded(address indexed delegator, bytes32 indexed poolId, uint256 amount);
    event CoinMinted(address indexed beneficiary, uint8 indexed reason, uint256 amount);
    event DelegatorWithdrawClaimed(address indexed delegator, bytes32 indexed poolId, uint256 amount, uint256 indexed epochNumber);
    event StakeClaimed(address indexed user, uint256 amount);
    event EpochChange(
        uint256 indexed epochNumber, uint256 indexed blockNumber, uint256 timestamp, uint256 totalStake, bytes32[] activeValidators
    );

    error EnforcedPause();
    error ReentrancyGuardReentrantCall();

    function delegate(bytes32 poolId) external payable;
    function undelegate(bytes32 poolId) external returns (uint256 amount, uint256 unlockEpoch);
    function claimStake(bytes32 poolId) external;
    function claimReward(bytes32 poolId) external returns (uint256 amount);
    function compoundRewards(bytes32 poolId) external;
    function settleReward(bytes32 poolId) external;
    function advanceEpoch() external;

    function getDelegator(bytes32 poolId, address delegator) external view returns (Delegator memory);
    function getDelegatorReward(bytes32 poolId, address delegator) external view returns (uint256);
    function getPendingStakeInfo(bytes32 poolId, address delegator)
        external
        view
        returns (uint256 pendingAmount, uint256 activationEpoch, bool canActivateNow);
    function pendingActivationEpoch(bytes32 poolId, address delegator) external view returns (uint256);
    function getUserPendingUndelegations(address delegator) external view returns (Undelegation[] memory);

    function getValidator(bytes32 poolId) external view returns (Validator memory);
    function getCommissionRate(bytes32 poolId) external view returns (uint256);
    function accumulatedRewardPerShares(bytes32 poolId) external view returns (uint256);
    function getHistoricalRPS(uint256 epoch, bytes32 poolId) external view returns (uint256 rps, uint256 refcount);
    function delegationEnabledMapping(bytes32 poolId) external view returns (bool);
    function getDelegationApprover(bytes32 poolId) external view returns (address);
    function isValidatorActive(bytes32 poolId) external view returns (bool);
    function isValidatorPendingAdd(bytes32 poolId) external view returns (bool);
    function isValidatorPendingExit(bytes32 poolId) external view returns (bool);
    function delegatorCounts(bytes32 poolId) external view returns (uint256);

    function currentEpoch() external view returns (uint256);
    function totalStake() external view returns (uint256);
    function currentInflationRate() external view returns (uint256);
    function lastInflationTotalSupplySnapshot() external view returns (uint256);
    function paused() external view returns (bool);
    function cfg() external view returns (address);
}
