// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IVaultsRegistry, IVaultsRegistryControl} from "./IVaultsRegistry.sol";

/// Stand-in of the registry: which addresses are vaults.
contract VaultsRegistry is IVaultsRegistry, IVaultsRegistryControl {
    mapping(address => bool) public vaults;

    function setVault(address vault, bool registered) external {
        vaults[vault] = registered;
        if (registered) emit VaultAdded(msg.sender, vault);
    }
}
