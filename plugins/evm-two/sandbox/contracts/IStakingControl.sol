// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What on the real chain validators, governance and upgrades do, as calls that anybody may make: only the stand-in has these.
interface IStakingControl {
    /// Registers a pool that is active and takes delegations; its stake counts from the next epoch on. A commission of 10000 is all.
    function addPool(bytes32 poolId, address owner, uint256 ownStake, uint256 commission) external;
    /// What `PoolStatus` numbers.
    function setStatus(bytes32 poolId, uint8 status) external;
    /// A change of owner, which the real chain does in two steps.
    function setOwner(bytes32 poolId, address owner) external;
    function setDelegationEnabled(bytes32 poolId, bool enabled) external;
    function setApprover(bytes32 poolId, address approver) external;
    function setPaused(bool paused) external;
    /// 10000 is all.
    function setCommission(bytes32 poolId, uint256 commission) external;
    /// Who owns the contract itself.
    function setContractOwner(address account) external;
    /// The supply and the yearly rate (100000 is all of it) that rewards follow from.
    function setInflation(uint256 supply, uint256 rate) external;
    /// An older version of the contract knows no approvers: asked for one, it reverts without a reason.
    function setKnowsApprovers(bool known) external;
}
