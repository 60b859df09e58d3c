// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The registry's own call and event.
interface IVaultsRegistry {
    event VaultAdded(address indexed caller, address indexed vault);

    function vaults(address vault) external view returns (bool);
}

/// Only the stand-in has this.
interface IVaultsRegistryControl {
    function setVault(address vault, bool registered) external;
}
