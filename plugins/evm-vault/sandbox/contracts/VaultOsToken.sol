// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IOsTokenConfig} from "./IOsToken.sol";
import {VaultState} from "./VaultState.sol";

/// What a debt in osToken limits, and how shares are taken for it. The tokens that are burned for a debt are not here: only the debt is.
abstract contract VaultOsToken is VaultState {
    function redeemOsToken(uint256 osTokenShares, address owner, address receiver) external {
        if (msg.sender != config.redeemer()) revert AccessDenied();
        (uint256 shares, uint256 assets) = takeShares(osTokenShares, owner, receiver, WAD);
        emit OsTokenRedeemed(msg.sender, owner, receiver, osTokenShares, shares, assets);
    }

    /// By anybody, as soon as the shares do not cover the debt well enough.
    function liquidateOsToken(uint256 osTokenShares, address owner, address receiver) external {
        IOsTokenConfig.Config memory terms = config.getConfig(address(this));
        uint256 minted = controller.convertToAssets(osTokenDebt(owner));
        uint256 covered = convertToAssets(shareOf[owner]) * terms.liqThresholdPercent;
        if (minted > 0 && covered / minted >= WAD) revert InvalidHealthFactor();
        (uint256 shares, uint256 assets) = takeShares(osTokenShares, owner, receiver, terms.liqBonusPercent);
        emit OsTokenLiquidated(msg.sender, owner, receiver, osTokenShares, shares, assets);
    }

    /// Shares for osToken, at a part of their worth where WAD is all of it.
    function takeShares(uint256 osTokenShares, address owner, address receiver, uint256 part)
        private
        returns (uint256 shares, uint256 assets)
    {
        if (receiver == address(0)) revert ZeroAddress();
        if (keeper.isHarvestRequired(address(this))) revert NotHarvested();
        uint256 debt = osTokenDebt(owner);
        if (debt == 0) revert InvalidPosition();
        assets = controller.convertToAssets(osTokenShares) * part / WAD;
        uint256 owed = convertToAssets(queued);
        uint256 free = freeAssets() > owed ? freeAssets() - owed : 0;
        if (assets > convertToAssets(shareOf[owner]) || assets > free) revert InvalidReceivedAssets();
        positions[owner] = Position(uint128(debt - osTokenShares), controller.cumulativeFeePerShare());
        shares = convertToShares(assets);
        burnFor(owner, receiver, shares, assets);
    }

    function osTokenDebt(address user) internal view returns (uint256) {
        if (is_("EthFoxVault")) return 0;
        Position storage position = positions[user];
        if (position.shares == 0) return 0;
        return uint256(position.shares) * controller.cumulativeFeePerShare() / position.cumulativeFeePerShare;
    }

    function checkOsTokenPosition(address user) internal view {
        uint256 debt = osTokenDebt(user);
        if (debt == 0) return;
        if (keeper.isHarvestRequired(address(this))) revert NotHarvested();
        uint256 assets = convertToAssets(shareOf[user]);
        if (version == 1) {
            if (assets * config.ltvPercent() / FULL_FEE < controller.convertToAssets(debt)) revert LowLtv();
        } else if (controller.convertToShares(assets * config.getConfig(address(this)).ltvPercent / WAD) < debt) {
            revert LowLtv();
        }
    }
}
