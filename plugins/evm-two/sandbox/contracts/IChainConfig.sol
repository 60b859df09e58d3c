// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Pharos's parameters, texts by text.
interface IChainConfig {
    /// The value of a key; empty for one that is not set.
    function getConfig(string calldata key) external view returns (string memory);
    /// Only the stand-in has this: anybody may set a key.
    function setConfig(string calldata key, string calldata value) external;
}
