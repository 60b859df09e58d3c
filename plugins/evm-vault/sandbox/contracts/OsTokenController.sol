// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IOsTokenController, IOsTokenControllerControl} from "./IOsToken.sol";

/// Stand-in of the osToken controller: a price that grows every second, less the protocol's fee.
contract OsTokenController is IOsTokenController, IOsTokenControllerControl {
    uint256 private constant WAD = 1e18;
    uint64 public constant feePercent = 500;

    uint256 private storedAssets;
    uint256 private storedAt;
    uint256 private feePerShare;
    uint256 public totalShares;
    uint256 public avgRewardPerSecond;

    function totalAssets() public view returns (uint256) {
        uint256 profit = storedAssets * avgRewardPerSecond * (block.timestamp - storedAt) / WAD;
        return storedAssets + profit - profit * feePercent / 10_000;
    }

    function convertToAssets(uint256 shares) external view returns (uint256) {
        return totalShares == 0 ? shares : shares * totalAssets() / totalShares;
    }

    function convertToShares(uint256 assets) external view returns (uint256) {
        return totalShares == 0 ? assets : assets * totalShares / totalAssets();
    }

    function cumulativeFeePerShare() external view returns (uint256) {
        return feePerShare == 0 ? WAD : feePerShare;
    }

    // --- control ---

    function set(uint256 assets, uint256 shares, uint256 perSecond) external {
        (storedAssets, totalShares, avgRewardPerSecond, storedAt) = (assets, shares, perSecond, block.timestamp);
    }

    function setCumulativeFeePerShare(uint256 value) external {
        feePerShare = value;
    }
}
