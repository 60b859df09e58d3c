// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ICoreVaultControl} from "./ICoreVaultControl.sol";
import {ICoreVault} from "./ICoreVault.sol";
import {IMagma} from "./IMagma.sol";
import {IMagmaControl} from "./IMagmaControl.sol";

/// Stand-in of Magma's vault: its share arithmetic, its requests, its checks in their order, and the two gates of a claim.
///
/// The MON stays here instead of being staked. What staking brings and withholds is modelled: rewards are paid in by a
/// control call, and a request is released by the epochs of the staking precompile as the real one's stake is.
/// The code is put in place without a constructor, so nothing here may need one.
contract Magma is IMagma, IMagmaControl {
    /// Of https://github.com/monad-crypto/protocols (read 2026-11-21).
    address private constant WMON = 0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A;
    address private constant STAKING = 0x0000000000000000000000000000000000001000;
    /// Where the real contract keeps the delay: the fifth member of its ERC-7201 struct "storage.Magma".
    bytes32 private constant REDEEM_DELAY_SLOT = 0xe12a3c9ed0954edf986cec381af8403b24a0b0b94ceba99e0d4e9dd1e2aec504;
    uint256 private constant BASIS_POINTS = 10_000;
    /// The staking precompile's: a request is released one epoch after its stake stopped counting.
    uint64 private constant WITHDRAWAL_DELAY = 1;
    uint64 private constant NO_EPOCH = type(uint64).max;

    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;
    uint256 public totalAssets;
    bool public paused;
    uint256 public rewardsFee;
    uint256 public withdrawalFee;
    address public coreVault;
    address public gVault;
    address private vaultOwner;

    uint256 private lastRequestId;
    mapping(address => uint256) public ownerRequestId;
    /// By controller and id.
    mapping(address => mapping(uint256 => RedeemData)) private requests;
    /// By id: the epoch from which the precompile hands the stake out.
    mapping(uint256 => uint64) private releaseEpoch;
    /// Requests whose stake may still earn, and by id what it has earned since the request.
    uint256[] private leaving;
    mapping(uint256 => uint256) private leavingAssets;
    mapping(uint256 => uint256) private earnedLeaving;
    mapping(address => mapping(address => bool)) public isOperator;

    // --- what a holder does ---

    function depositMON(address receiver, uint256 referralId) external payable returns (uint256 shares) {
        if (paused) revert EnforcedPause();
        ICoreVaultControl(coreVault).checkDelegate();
        return mint(receiver, referralId);
    }

    function depositMONGVault(address receiver, uint64, uint256 referralId) external payable returns (uint256 shares) {
        if (paused) revert EnforcedPause();
        return mint(receiver, referralId);
    }

    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256 requestId) {
        uint256 assets = redeemable(shares, controller, owner);
        uint256 min = ICoreVault(coreVault).minUserWithdrawAmount();
        if (assets < min) revert ErrBelowMinWithdraw(min);
        ICoreVaultControl(coreVault).checkUndelegate(assets);
        return open(shares, assets, controller, owner, false);
    }

    function requestRedeemGVault(uint256 shares, address controller, address owner, uint64)
        external
        returns (uint256 requestId)
    {
        return open(shares, redeemable(shares, controller, owner), controller, owner, true);
    }

    function redeemMON(uint256 requestId, address controller, address receiver) external returns (uint256 assets) {
        if (paused) revert EnforcedPause();
        RedeemData memory request = requests[controller][requestId];
        if (request.claimableTime > block.timestamp) revert ErrRequestPending();
        if (request.claimableTime == 0) revert ErrRequestInexistent();
        if (receiver == address(0)) revert ErrZeroAddress();
        bool known = msg.sender == controller || msg.sender == request.owner || msg.sender == vaultOwner
            || isOperator[controller][msg.sender] || isOperator[request.owner][msg.sender];
        if (!known) revert ErrNotAuthorized();

        delete requests[controller][requestId];
        delete ownerRequestId[request.owner];
        (uint64 epoch,) = stakingEpoch();
        if (epoch < releaseEpoch[requestId]) failAsPrecompile("withdrawal not ready");

        // What the stake earned until it stopped counting comes with it.
        uint256 arrived = request.assets + earnedLeaving[requestId];
        assets = arrived - (arrived * withdrawalFee + BASIS_POINTS - 1) / BASIS_POINTS;
        emit Withdraw(msg.sender, receiver, request.owner, assets, request.shares);
        (bool paid,) = receiver.call{value: assets}("");
        if (!paid) revert ErrNativeTransferFailed();
    }

    function setOperator(address operator, bool approved) external returns (bool) {
        isOperator[msg.sender][operator] = approved;
        emit OperatorSet(msg.sender, operator, approved);
        return true;
    }

    /// As of an ERC-20 token of OpenZeppelin's: https://github.com/OpenZeppelin/openzeppelin-contracts (5.x, read 2026-11-29).
    function transfer(address to, uint256 value) external returns (bool) {
        if (to == address(0)) revert ERC20InvalidReceiver(to);
        uint256 balance = balanceOf[msg.sender];
        if (balance < value) revert ERC20InsufficientBalance(msg.sender, balance, value);
        balanceOf[msg.sender] = balance - value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    // --- views ---

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function asset() external pure returns (address) {
        return WMON;
    }

    /// ERC-165 and the asynchronous redemption of ERC-7540.
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == 0x01ffc9a7 || interfaceId == 0x620ee8e4;
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return assets * (totalSupply + 1) / (totalAssets + 1);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return shares * (totalAssets + 1) / (totalSupply + 1);
    }

    function previewDeposit(uint256 assets) external view returns (uint256) {
        return convertToShares(assets);
    }

    function pendingRedeemRequestData(uint256 requestId, address controller) external view returns (RedeemData memory) {
        return requests[controller][requestId];
    }

    function pendingRedeemRequest(uint256 requestId, address controller) external view returns (uint256 shares) {
        RedeemData storage request = requests[controller][requestId];
        return request.claimableTime > block.timestamp ? request.shares : 0;
    }

    function claimableRedeemRequest(uint256 requestId, address controller) external view returns (uint256 shares) {
        RedeemData storage request = requests[controller][requestId];
        return request.claimableTime > block.timestamp ? 0 : request.shares;
    }

    /// `owner()`, a name that many arguments here have.
    fallback(bytes calldata input) external returns (bytes memory) {
        if (bytes4(input) != 0x8da5cb5b) revert();
        return abi.encode(vaultOwner);
    }

    // --- controls ---

    function setVaults(address core, address perValidator, address owner) external {
        (coreVault, gVault, vaultOwner) = (core, perValidator, owner);
    }

    function reward() external payable {
        uint256 own = msg.value - rewardLeaving(msg.value);
        totalAssets += own - own * rewardsFee / BASIS_POINTS;
        ICoreVaultControl(coreVault).claimed();
    }

    function setRedeemDelay(uint256 delay) external {
        assembly {
            sstore(REDEEM_DELAY_SLOT, delay)
        }
        emit RedeemDelayUpdated(delay);
    }

    function setFees(uint256 onRewards, uint256 onWithdrawals) external {
        (rewardsFee, withdrawalFee) = (onRewards, onWithdrawals);
    }

    function setPaused(bool value) external {
        paused = value;
    }

    function setTotalAssets(uint256 value) external {
        totalAssets = value;
    }

    // --- inside ---

    function mint(address receiver, uint256 referralId) private returns (uint256 shares) {
        shares = convertToShares(msg.value);
        if (shares == 0) revert ErrZeroShares();
        balanceOf[receiver] += shares;
        totalSupply += shares;
        totalAssets += msg.value;
        emit Transfer(address(0), receiver, shares);
        emit Deposit(msg.sender, receiver, msg.value, shares);
        emit DepositWithReferral(msg.sender, receiver, msg.value, shares, referralId);
    }

    /// The checks of a request in the real contract's order.
    function redeemable(uint256 shares, address controller, address owner) private view returns (uint256 assets) {
        if (paused) revert EnforcedPause();
        if (controller == address(0)) revert ErrZeroAddress();
        if (ownerRequestId[owner] != 0) revert ErrRequestPending();
        if (shares == 0) revert ErrZeroShares();
        if (msg.sender != owner && !isOperator[owner][msg.sender]) revert ErrNotAuthorized();
        if (shares > balanceOf[owner]) revert ErrInsufficientShares(shares, balanceOf[owner]);
        return convertToAssets(shares);
    }

    function open(uint256 shares, uint256 assets, address controller, address owner, bool isGVault)
        private
        returns (uint256 id)
    {
        id = ++lastRequestId;
        uint256 delay;
        assembly {
            delay := sload(REDEEM_DELAY_SLOT)
        }
        requests[controller][id] = RedeemData(owner, isGVault, shares, assets, block.timestamp + delay);
        ownerRequestId[owner] = id;
        // In the last part of an epoch everything counts one epoch later.
        (uint64 epoch, bool inDelayPeriod) = stakingEpoch();
        if (epoch != NO_EPOCH) releaseEpoch[id] = epoch + (inDelayPeriod ? 2 : 1) + WITHDRAWAL_DELAY;
        leaving.push(id);
        leavingAssets[id] = assets;

        balanceOf[owner] -= shares;
        totalSupply -= shares;
        totalAssets -= assets;
        emit Transfer(owner, address(0), shares);
        emit RedeemRequest(controller, owner, id, msg.sender, shares);
    }

    /// The part of rewards that goes to stake which was requested and still counts, in proportion.
    function rewardLeaving(uint256 value) private returns (uint256 paid) {
        (uint64 epoch,) = stakingEpoch();
        uint256 base = totalAssets;
        for (uint256 i = 0; i < leaving.length;) {
            uint256 id = leaving[i];
            if (epoch == NO_EPOCH || epoch + WITHDRAWAL_DELAY >= releaseEpoch[id]) {
                leaving[i] = leaving[leaving.length - 1];
                leaving.pop();
            } else {
                base += leavingAssets[id];
                i++;
            }
        }
        for (uint256 i = 0; i < leaving.length; i++) {
            uint256 part = value * leavingAssets[leaving[i]] / base;
            earnedLeaving[leaving[i]] += part;
            paid += part;
        }
    }

    /// A plain CALL, since the precompile answers no other. Where there is none, no epoch withholds anything.
    function stakingEpoch() private returns (uint64 epoch, bool inDelayPeriod) {
        (bool ok, bytes memory answer) = STAKING.call(abi.encodeWithSignature("getEpoch()"));
        if (ok && answer.length == 64) return abi.decode(answer, (uint64, bool));
        return (NO_EPOCH, false);
    }

    /// The bare text, as the precompile's refusal comes up through the vault.
    function failAsPrecompile(string memory text) private pure {
        assembly {
            revert(add(text, 32), mload(text))
        }
    }
}
