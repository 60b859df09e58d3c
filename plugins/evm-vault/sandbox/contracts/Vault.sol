// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {HarvestParams, IKeeper} from "./IKeeper.sol";
import {IOsTokenConfig, IOsTokenController} from "./IOsToken.sol";
import {IVault, IVaultControl} from "./IVault.sol";
import {VaultOsToken} from "./VaultOsToken.sol";

/// Stand-in of a vault. One code for every kind and for the versions 1 to 5; functions that a kind or version lacks revert
/// without a reason, as a missing selector does.
contract Vault is VaultOsToken, IVaultControl {
    /// Where a proxy keeps the code that it runs: https://eips.ethereum.org/EIPS/eip-1967 (read 2026-11-29).
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    receive() external payable {
        depositFor(msg.sender, address(0));
    }

    // --- what depositors call ---

    function deposit(address receiver, address referrer) external payable returns (uint256) {
        return depositFor(receiver, referrer);
    }

    function updateStateAndDeposit(address receiver, address referrer, HarvestParams calldata harvestParams)
        external
        payable
        returns (uint256)
    {
        harvest(harvestParams);
        return depositFor(receiver, referrer);
    }

    function updateState(HarvestParams calldata harvestParams) external {
        harvest(harvestParams);
    }

    function depositFor(address receiver, address referrer) private returns (uint256 shares) {
        checkListed(msg.sender, receiver);
        if (keeper.isHarvestRequired(address(this))) revert NotHarvested();
        if (receiver == address(0)) revert ZeroAddress();
        if (msg.value == 0) revert InvalidAssets();
        if (totalAssets + msg.value > capacity) revert CapacityExceeded();
        shares = mintFor(receiver, msg.value);
        emit Deposited(msg.sender, receiver, msg.value, shares, referrer);
    }

    function enterExitQueue(uint256 shares, address receiver) external returns (uint256 ticket) {
        if (shares == 0) revert InvalidShares();
        if (receiver == address(0)) revert ZeroAddress();
        if (version == 2 && !is_("EthFoxVault")) {
            ticket = enterFixed(shares, receiver);
        } else if (!keeper.isCollateralized(address(this))) {
            if (version == 1 && !is_("EthFoxVault")) revert NotCollateralized();
            payOut(shares, receiver);
            ticket = type(uint256).max;
        } else {
            ticket = exitedTickets() + exitingTickets + queued;
            exitRequests[requestKey(receiver, block.timestamp, ticket)] = shares;
            shareOf[msg.sender] -= shares;
            queued += shares;
            emit ExitQueueEntered(msg.sender, receiver, ticket, shares);
        }
        checkOsTokenPosition(msg.sender);
        // Told of what was paid at once too.
        if (!isFixed(ticket)) tellTransfer(msg.sender, address(this), shares);
    }

    /// Of kinds whose shares are a token.
    function transfer(address to, uint256 shares) external returns (bool) {
        if (!isToken) absent();
        checkListed(msg.sender, to);
        if (to == address(0)) revert ZeroAddress();
        shareOf[msg.sender] -= shares;
        shareOf[to] += shares;
        emit Transfer(msg.sender, to, shares);
        checkOsTokenPosition(msg.sender);
        return true;
    }

    function redeem(uint256 shares, address receiver) external returns (uint256 assets) {
        if (version != 1) absent();
        if (shares == 0) revert InvalidShares();
        if (receiver == address(0)) revert ZeroAddress();
        if (convertToAssets(shares) > freeAssets()) revert InsufficientAssets();
        assets = payOut(shares, receiver);
        checkOsTokenPosition(msg.sender);
    }

    function payOut(uint256 shares, address receiver) private returns (uint256 assets) {
        assets = convertToAssets(shares);
        if (assets == 0) revert InvalidAssets();
        burnFor(msg.sender, receiver, shares, assets);
        emit Redeemed(msg.sender, receiver, assets, shares);
    }

    function claimExitedAssets(uint256 ticket, uint256 timestamp, uint256 index) external {
        bool early = block.timestamp < timestamp + claimDelay;
        if (version == 1 && early) revert ClaimTooEarly();
        (uint256 left, uint256 exited, uint256 assets) = calculateExitedAssets(msg.sender, ticket, timestamp, index);
        if (early || exited == 0 || assets == 0) revert ExitRequestNotProcessed();
        delete exitRequests[requestKey(msg.sender, timestamp, ticket)];
        uint256 newTicket = 0;
        if (left > (version <= 2 ? 1 : 0)) {
            newTicket = ticket + exited;
            exitRequests[requestKey(msg.sender, timestamp, newTicket)] = left;
        }
        if (isFixed(ticket)) {
            if (keeper.isHarvestRequired(address(this))) revert NotHarvested();
            exitingAssets -= assets;
            exitingTickets -= exited;
            paidTickets += exited;
        } else {
            unclaimed -= assets;
        }
        send(msg.sender, assets);
        emit ExitedAssetsClaimed(msg.sender, ticket, newTicket, assets);
    }

    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool success, bytes memory result) = address(this).delegatecall(data[i]);
            if (!success) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }

    // --- reads ---

    function vaultId() external view returns (bytes32) {
        return keccak256(bytes(kind));
    }

    function getShares(address account) external view returns (uint256) {
        return shareOf[account];
    }

    function withdrawableAssets() external view returns (uint256) {
        uint256 owed = convertToAssets(queued);
        uint256 free = freeAssets();
        return free > owed ? free - owed : 0;
    }

    function isStateUpdateRequired() external view returns (bool) {
        return keeper.isHarvestRequired(address(this));
    }

    function mevEscrow() external pure returns (address) {
        return SHARED_MEV_ESCROW;
    }

    function osTokenPositions(address user) external view returns (uint128) {
        if (is_("EthFoxVault")) absent();
        return uint128(osTokenDebt(user));
    }

    function getExitQueueData() external view returns (uint128, uint128, uint128, uint128, uint256) {
        if (version < 5) absent();
        return (uint128(queued), uint128(unclaimed), uint128(exitingTickets), uint128(exitingAssets), exitedTickets());
    }

    function queuedShares() external view returns (uint128) {
        if (version >= 5) absent();
        return uint128(queued);
    }

    function totalExitingAssets() external view returns (uint128) {
        if (version < 2 || version >= 5) absent();
        return uint128(exitingAssets);
    }

    function whitelistedAccounts(address account) external view returns (bool) {
        if (!isPrivate()) absent();
        return listed[account];
    }

    function blockedAccounts(address account) external view returns (bool) {
        if (!hasBlocklist()) absent();
        return listed[account];
    }

    function getSubVaults() external view returns (address[] memory) {
        if (!is_("EthMetaVault") && !is_("EthPrivMetaVault")) absent();
        return new address[](0);
    }

    function implementation() external view returns (address code) {
        assembly {
            code := sload(IMPLEMENTATION_SLOT)
        }
    }

    // --- control ---

    function configure(
        address keeper_,
        address controller_,
        address config_,
        uint256 claimDelay_,
        uint256 capacity_,
        uint16 feePercent_
    ) external {
        (keeper, controller, config) = (IKeeper(keeper_), IOsTokenController(controller_), IOsTokenConfig(config_));
        (claimDelay, capacity, feePercent, version) = (claimDelay_, capacity_, feePercent_, 5);
        feeRecipient = 0x000000000000000000000000000000000000Fee5;
    }

    function setKind(string calldata kind_) external {
        kind = kind_;
        isToken = is_("EthErc20Vault") || is_("EthPrivErc20Vault") || is_("EthBlocklistErc20Vault");
    }

    function setVersion(uint8 version_, uint256 claimDelay_) external {
        if (version_ == 2 && version != 2) (firstFixed, paidTickets) = (exitedTickets() + queued, exitedTickets() + queued);
        // What version 2 paid has no checkpoint of its own.
        if (version == 2 && version_ > 2 && paidTickets > exitedTickets()) {
            emit CheckpointCreated(paidTickets - exitedTickets(), 0);
            checkpoints.push(Checkpoint(paidTickets, 0));
        }
        (version, claimDelay) = (version_, claimDelay_);
    }

    function setCapacity(uint256 capacity_) external {
        capacity = capacity_;
    }

    function setFeePercent(uint16 feePercent_) external {
        feePercent = feePercent_;
    }

    function setFeeRecipient(address feeRecipient_) external {
        feeRecipient = feeRecipient_;
    }

    function setPowers(address implementation_, address admin_, address validatorsManager_) external {
        assembly {
            sstore(IMPLEMENTATION_SLOT, implementation_)
        }
        (admin, validatorsManager) = (admin_, validatorsManager_);
    }

    function setListed(address account, bool listed_) external {
        listed[account] = listed_;
    }

    function setOsTokenPosition(address user, uint128 shares) external {
        positions[user] = Position(shares, controller.cumulativeFeePerShare());
        if (shares > 0) emit OsTokenMinted(user, user, controller.convertToAssets(shares), shares, address(0));
    }

    function setState(uint256 totalAssets_, uint256 totalShares_, address holder, uint256 shares) external {
        (totalAssets, totalShares) = (totalAssets_, totalShares_);
        shareOf[holder] = shares;
    }

    function fund() external payable {}

    function sweep() external {
        send(address(0), freeAssets());
    }
}
