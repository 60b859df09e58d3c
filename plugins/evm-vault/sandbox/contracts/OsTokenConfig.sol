// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IOsTokenConfig, IOsTokenConfigControl} from "./IOsToken.sol";

/// Stand-in of the osToken settings, the same for every vault.
contract OsTokenConfig is IOsTokenConfig, IOsTokenConfigControl {
    uint64 private ltv;
    uint256 public ltvPercent;
    address public redeemer;
    address public liquidator;

    function getConfig(address) external view returns (Config memory) {
        return Config(1.01e18, 0.92e18, ltv);
    }

    // --- control ---

    function setLtv(uint64 ltv_) external {
        ltv = ltv_;
    }

    function setTakers(address redeemer_, address liquidator_) external {
        (redeemer, liquidator) = (redeemer_, liquidator_);
    }

    function setLtvV1(uint256 ltv_) external {
        ltvPercent = ltv_;
    }
}
