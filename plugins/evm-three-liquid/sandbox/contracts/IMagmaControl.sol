// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What the vault's owner, or the chain, does to the real one, as calls that anybody may make: only the stand-in has these.
interface IMagmaControl {
    /// Where the vaults behind it are, and who owns it.
    function setVaults(address core, address perValidator, address owner) external;
    /// Pays the value as staking rewards: the fee on rewards stays aside, the rest raises the price of a share.
    function reward() external payable;
    /// Seconds from a request until it can be claimed.
    function setRedeemDelay(uint256 delay) external;
    /// Both in basis points.
    function setFees(uint256 onRewards, uint256 onWithdrawals) external;
    function setPaused(bool value) external;
    function setTotalAssets(uint256 value) external;
}
