// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IChainConfig} from "./IChainConfig.sol";

/// Stand-in of Pharos's ChainConfig: keys and values, and no governance. The code is put in place without a constructor.
contract ChainConfig is IChainConfig {
    mapping(string => string) private values;

    function getConfig(string calldata key) external view returns (string memory) {
        return values[key];
    }

    function setConfig(string calldata key, string calldata value) external {
        values[key] = value;
    }
}
