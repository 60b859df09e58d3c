// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What Magma's vault and its owner do to the real one: only the stand-in has these, and asks nobody who calls.
interface ICoreVaultControl {
    /// Refuses what the real one would refuse to stake.
    function checkDelegate() external view;
    /// Refuses what the real one would refuse to unstake.
    function checkUndelegate(uint256 assets) external view;
    /// The rewards of the validators were claimed now.
    function claimed() external;
    function setValidators(uint64[] calldata ids) external;
    function setMinUserWithdrawAmount(uint256 value) external;
    function setPaused(bool value) external;
    /// Active stake that can be undelegated now; without limit when it was never set.
    function setUndelegatable(uint256 value) external;
    function setMaxRewardsClaimDelay(uint256 value) external;
}
