// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What is read of the vault that spreads the pool's stake over validators, and the errors that come up through it.
interface ICoreVault {
    error ErrInsufficientDelegated(uint256 required, uint256 available);
    error ErrNoValidators();
    error ErrRewardsClaimOverdue();
    error EnforcedPause();

    function minUserWithdrawAmount() external view returns (uint256);
    function getValidators() external view returns (uint64[] memory);
    function paused() external view returns (bool);
    function lastRewardsClaimTimestamp() external view returns (uint256);
    function maxRewardsClaimDelay() external view returns (uint256);
}
