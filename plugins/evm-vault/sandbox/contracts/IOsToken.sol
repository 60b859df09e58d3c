// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The osToken controller's own calls, as far as a vault's users need them.
interface IOsTokenController {
    function convertToAssets(uint256 shares) external view returns (uint256);
    function convertToShares(uint256 assets) external view returns (uint256);
    function totalAssets() external view returns (uint256);
    function totalShares() external view returns (uint256);
    function avgRewardPerSecond() external view returns (uint256);
    function cumulativeFeePerShare() external view returns (uint256);
    function feePercent() external view returns (uint64);
}

/// Only the stand-in has this.
interface IOsTokenControllerControl {
    /// Totals as of this block, in wei, and what a token earns in a second, where 1e18 is all of it.
    function set(uint256 assets, uint256 shares, uint256 avgRewardPerSecond) external;
    /// Where 1e18 is none.
    function setCumulativeFeePerShare(uint256 value) external;
}

/// The osToken settings of a vault: those of version 2, and of version 1 for vaults that never were upgraded.
interface IOsTokenConfig {
    struct Config {
        uint128 liqBonusPercent;
        uint64 liqThresholdPercent;
        uint64 ltvPercent;
    }

    function getConfig(address vault) external view returns (Config memory);
    function ltvPercent() external view returns (uint256);
    function redeemer() external view returns (address);
    function liquidator() external view returns (address);
}

/// Only the stand-in has these.
interface IOsTokenConfigControl {
    /// Where 1e18 is all of it.
    function setLtv(uint64 ltv) external;
    /// Version 1, where 10000 is all of it.
    function setLtvV1(uint256 ltv) external;
    /// Who may redeem and liquidate positions with a debt.
    function setTakers(address redeemer, address liquidator) external;
}
