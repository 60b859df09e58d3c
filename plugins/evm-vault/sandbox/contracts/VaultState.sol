// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {HarvestParams, IKeeper} from "./IKeeper.sol";
import {IOsTokenConfig, IOsTokenController} from "./IOsToken.sol";
import {IVault} from "./IVault.sol";

/// State and arithmetic of the stand-in: shares and their price, rewards and the fee, the exit queue and its checkpoints.
abstract contract VaultState is IVault {
    // Constants of the protocol: its public contract sources (read 2026-11-21).
    uint256 internal constant WAD = 1e18;
    uint256 internal constant FULL_FEE = 10_000;
    address internal constant SHARED_MEV_ESCROW = 0x48319f97E5Da1233c21c48b80097c0FB7a20Ff86;

    struct Checkpoint {
        uint256 totalTickets;
        uint256 exitedAssets;
    }

    struct Position {
        uint128 shares;
        uint256 cumulativeFeePerShare;
    }

    IKeeper internal keeper;
    IOsTokenController internal controller;
    IOsTokenConfig internal config;
    uint256 internal claimDelay;
    uint256 public capacity;
    uint16 public feePercent;
    uint8 public version;
    string internal kind;

    uint256 public totalAssets;
    uint256 public totalShares;
    uint256 internal queued;
    uint256 internal unclaimed;
    mapping(address => uint256) internal shareOf;
    mapping(bytes32 => uint256) internal exitRequests;
    Checkpoint[] internal checkpoints;
    mapping(address => Position) internal positions;
    /// Exits of version 2: wei that are kept for them, their tickets, those of them that were paid, and the first one.
    uint256 internal exitingAssets;
    uint256 internal exitingTickets;
    uint256 internal paidTickets;
    uint256 internal firstFixed;
    mapping(address => bool) internal listed;
    address public admin;
    address public validatorsManager;
    address public feeRecipient;
    bool internal isToken;

    // --- shares ---

    function convertToShares(uint256 assets) public view returns (uint256) {
        return totalShares == 0 || totalAssets == 0 ? assets : assets * totalShares / totalAssets;
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return totalShares == 0 ? shares : shares * totalAssets / totalShares;
    }

    function mintFor(address receiver, uint256 assets) internal returns (uint256 shares) {
        shares = totalShares == 0 || totalAssets == 0 ? assets : (assets * totalShares + totalAssets - 1) / totalAssets;
        totalAssets += assets;
        totalShares += shares;
        shareOf[receiver] += shares;
        tellTransfer(address(0), receiver, shares);
    }

    /// Takes shares away for an amount, and pays it.
    function burnFor(address owner, address receiver, uint256 shares, uint256 assets) internal {
        shareOf[owner] -= shares;
        totalShares -= shares;
        totalAssets -= assets;
        tellTransfer(owner, address(0), shares);
        send(receiver, assets);
    }

    function send(address to, uint256 amount) internal {
        (bool sent,) = to.call{value: amount}("");
        if (!sent) revert FailedCall();
    }

    // --- rewards ---

    /// Takes what the oracles reported, and serves the queue; does nothing when that was done already.
    function harvest(HarvestParams calldata params) internal {
        (int256 delta,, bool harvested) = keeper.harvest(params);
        if (!harvested) return;
        if (delta < 0) takeLoss(uint256(-delta));
        if (delta > 0) takeProfit(uint256(delta));
        serveQueue();
    }

    function takeLoss(uint256 loss) private {
        uint256 theirs = exitingAssets == 0 ? 0 : loss * exitingAssets / (exitingAssets + totalAssets);
        exitingAssets -= theirs;
        totalAssets -= loss - theirs;
    }

    function takeProfit(uint256 profit) private {
        totalAssets += profit;
        uint256 feeAssets = profit * feePercent / FULL_FEE;
        if (feeAssets == 0) return;
        uint256 feeShares = totalShares == 0 ? feeAssets : feeAssets * totalShares / (totalAssets - feeAssets);
        totalShares += feeShares;
        shareOf[feeRecipient] += feeShares;
        tellTransfer(address(0), feeRecipient, feeShares);
        emit FeeSharesMinted(feeRecipient, feeShares, feeAssets);
    }

    // --- the exit queue ---

    function freeAssets() internal view returns (uint256) {
        return address(this).balance > unclaimed ? address(this).balance - unclaimed : 0;
    }

    function exitedTickets() internal view returns (uint256) {
        return checkpoints.length == 0 ? 0 : checkpoints[checkpoints.length - 1].totalTickets;
    }

    function serveQueue() private {
        if (version > 2 && exitingTickets > 0 && exitingAssets <= freeAssets()) serveFixed();
        if (queued == 0) return;
        uint256 wanted = convertToAssets(queued);
        uint256 available = freeAssets();
        uint256 exited = available < wanted ? available : wanted;
        if (exited == 0) return;
        uint256 burned = convertToShares(exited);
        if (burned == 0) return;
        checkpoints.push(Checkpoint(exitedTickets() + burned, exited));
        emit CheckpointCreated(burned, exited);
        queued -= burned;
        unclaimed += exited;
        totalShares -= burned;
        totalAssets -= exited;
        tellTransfer(address(this), address(0), burned);
    }

    // --- exits of version 2, whose value is fixed when they are requested ---

    /// What is left of them after an upgrade is one checkpoint.
    function serveFixed() private {
        checkpoints.push(Checkpoint(exitedTickets() + exitingTickets, exitingAssets));
        emit CheckpointCreated(exitingTickets, exitingAssets);
        unclaimed += exitingAssets;
        (exitingTickets, exitingAssets) = (0, 0);
    }

    function isFixed(uint256 ticket) internal view returns (bool) {
        return version == 2 && !is_("EthFoxVault") && ticket >= firstFixed;
    }

    function enterFixed(uint256 shares, address receiver) internal returns (uint256 ticket) {
        if (keeper.isHarvestRequired(address(this))) revert NotHarvested();
        uint256 assets = convertToAssets(shares);
        if (assets == 0) revert InvalidAssets();
        uint256 tickets = ticketsFor(assets);
        ticket = paidTickets + exitingTickets;
        exitRequests[requestKey(receiver, block.timestamp, ticket)] = tickets;
        shareOf[msg.sender] -= shares;
        totalShares -= shares;
        totalAssets -= assets;
        exitingTickets += tickets;
        exitingAssets += assets;
        emit V2ExitQueueEntered(msg.sender, receiver, ticket, shares, assets);
        tellTransfer(msg.sender, address(0), shares);
    }

    function ticketsFor(uint256 assets) private view returns (uint256) {
        return exitingTickets == 0 ? assets : assets * exitingTickets / exitingAssets;
    }

    /// As far as there is free ETH now.
    function exitFixed(uint256 ticket, uint256 tickets) private view returns (uint256 exited, uint256 assets) {
        uint256 reserved = convertToAssets(queued);
        uint256 available = freeAssets() > reserved ? freeAssets() - reserved : 0;
        uint256 end = paidTickets + (available < exitingAssets ? ticketsFor(available) : exitingTickets);
        if (end <= ticket) return (0, 0);
        exited = tickets < end - ticket ? tickets : end - ticket;
        assets = exitingTickets == 0 ? exited : exited * exitingAssets / exitingTickets;
    }

    function requestKey(address receiver, uint256 timestamp, uint256 ticket) internal pure returns (bytes32) {
        return keccak256(abi.encode(receiver, timestamp, ticket));
    }

    function getExitQueueIndex(uint256 ticket) public view returns (int256) {
        for (uint256 i = 0; i < checkpoints.length; i++) if (checkpoints[i].totalTickets > ticket) return int256(i);
        return -1;
    }

    function calculateExitedAssets(address receiver, uint256 ticket, uint256 timestamp, uint256 index)
        public
        view
        returns (uint256 left, uint256 exited, uint256 assets)
    {
        uint256 tickets = exitRequests[requestKey(receiver, timestamp, ticket)];
        if (tickets == 0) return (0, 0, 0);
        if (isFixed(ticket)) {
            if (block.timestamp < timestamp + claimDelay) return (tickets, 0, 0);
            (exited, assets) = exitFixed(ticket, tickets);
            return (tickets - exited, exited, assets);
        }
        (exited, assets) = walk(index, ticket, tickets);
        left = tickets - exited;
        if (left == 1 && version >= 5) (left, exited) = (0, exited + 1);
    }

    /// From the checkpoint that holds the ticket forward, until its tickets or the checkpoints end.
    function walk(uint256 index, uint256 ticket, uint256 tickets) private view returns (uint256 exited, uint256 assets) {
        if (index >= checkpoints.length) return (0, 0);
        uint256 from = index == 0 ? 0 : checkpoints[index - 1].totalTickets;
        if (ticket < from || ticket >= checkpoints[index].totalTickets) revert InvalidCheckpointIndex();
        for (uint256 next = ticket; index < checkpoints.length && exited < tickets; index++) {
            Checkpoint storage checkpoint = checkpoints[index];
            uint256 taken = checkpoint.totalTickets - next;
            if (taken > tickets - exited) taken = tickets - exited;
            assets += taken * checkpoint.exitedAssets / (checkpoint.totalTickets - from);
            exited += taken;
            (from, next) = (checkpoint.totalTickets, checkpoint.totalTickets);
        }
    }

    // --- kinds ---

    function is_(string memory name) internal view returns (bool) {
        return keccak256(bytes(kind)) == keccak256(bytes(name));
    }

    function isPrivate() internal view returns (bool) {
        return is_("EthPrivVault") || is_("EthPrivErc20Vault") || is_("EthPrivMetaVault");
    }

    function hasBlocklist() internal view returns (bool) {
        return is_("EthBlocklistVault") || is_("EthBlocklistErc20Vault") || is_("EthFoxVault");
    }

    function absent() internal pure {
        assembly {
            revert(0, 0)
        }
    }

    /// Kinds whose shares are a token tell of each move of theirs.
    function tellTransfer(address from, address to, uint256 shares) internal {
        if (isToken) emit Transfer(from, to, shares);
    }

    /// Who is on no whitelist, or on the blocklist, neither deposits nor moves shares.
    function checkListed(address one, address other) internal view {
        if (isPrivate() && !(listed[one] && listed[other])) revert AccessDenied();
        if (hasBlocklist() && (listed[one] || listed[other])) revert AccessDenied();
    }
}
