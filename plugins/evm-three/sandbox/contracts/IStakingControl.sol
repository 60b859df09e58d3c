// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What the real chain's consensus does by itself, as calls: only the stand-in has these.
interface IStakingControl {
    /// Registers a validator; the value becomes its auth account's stake, active at once.
    function addValidator(uint64 validatorId, address authAddress, uint256 commission) external payable;
    /// What `changeCommission` of its auth account does: it counts from the next snapshot on. 1e18 is all.
    function setCommission(uint64 validatorId, uint256 commission) external;
    /// The boundary block: the delay period begins, and the stakes of now will count from the next epoch on.
    function snapshot() external;
    /// The epoch ends: the next one begins, outside the delay period.
    function epochChange() external;
    /// Pays the value as block rewards of one validator.
    function reward(uint64 validatorId) external payable;
    /// Pays the value as block rewards of the whole set, in proportion to the stakes of this epoch.
    function rewardSet() external payable;
}
