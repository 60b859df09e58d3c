// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ICoreVault} from "./ICoreVault.sol";
import {ICoreVaultControl} from "./ICoreVaultControl.sol";

/// Stand-in of the vault behind Magma's: its limits and refusals, without the stake itself.
contract CoreVault is ICoreVault, ICoreVaultControl {
    uint64[] private validators;
    uint256 public minUserWithdrawAmount;
    bool public paused;
    uint256 public lastRewardsClaimTimestamp;
    /// No limit while it is zero.
    uint256 public maxRewardsClaimDelay;
    bool private limited;
    uint256 private undelegatable;

    function getValidators() external view returns (uint64[] memory) {
        return validators;
    }

    function checkDelegate() external view {
        if (paused) revert EnforcedPause();
        if (validators.length == 0) revert ErrNoValidators();
    }

    function checkUndelegate(uint256 assets) external view {
        if (paused) revert EnforcedPause();
        if (validators.length == 0) revert ErrNoValidators();
        if (maxRewardsClaimDelay != 0 && block.timestamp > lastRewardsClaimTimestamp + maxRewardsClaimDelay) {
            revert ErrRewardsClaimOverdue();
        }
        if (limited && assets > undelegatable) revert ErrInsufficientDelegated(assets, undelegatable);
    }

    function claimed() external {
        lastRewardsClaimTimestamp = block.timestamp;
    }

    function setValidators(uint64[] calldata ids) external {
        validators = ids;
    }

    function setMinUserWithdrawAmount(uint256 value) external {
        minUserWithdrawAmount = value;
    }

    function setPaused(bool value) external {
        paused = value;
    }

    function setUndelegatable(uint256 value) external {
        (limited, undelegatable) = (true, value);
    }

    function setMaxRewardsClaimDelay(uint256 value) external {
        maxRewardsClaimDelay = value;
    }
}
