// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The calls of Magma's vault, which is the gMON token too, that a holder uses, with its events and errors.
interface IMagma {
    struct RedeemData {
        address owner;
        bool isGVault;
        uint256 shares;
        uint256 assets;
        uint256 claimableTime;
    }

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event DepositWithReferral(
        address indexed sender, address indexed owner, uint256 assets, uint256 shares, uint256 indexed referralId
    );
    event RedeemRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares
    );
    event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);
    event RedeemDelayUpdated(uint256 indexed newRedeemDelay);
    event OperatorSet(address indexed controller, address indexed operator, bool approved);

    error ErrRequestPending();
    error ErrRequestInexistent();
    error ErrZeroShares();
    error ErrNotAuthorized();
    error ErrInsufficientShares(uint256 requested, uint256 balance);
    error ErrZeroAddress();
    error ErrNativeTransferFailed();
    error ErrBelowMinWithdraw(uint256 min);
    error EnforcedPause();
    error ERC20InvalidReceiver(address receiver);
    error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed);

    function depositMON(address receiver, uint256 referralId) external payable returns (uint256 shares);
    function depositMONGVault(address receiver, uint64 valId, uint256 referralId) external payable returns (uint256 shares);
    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256 requestId);
    function requestRedeemGVault(uint256 shares, address controller, address owner, uint64 valId)
        external
        returns (uint256 requestId);
    function redeemMON(uint256 requestId, address controller, address receiver) external returns (uint256 assets);
    function setOperator(address operator, bool approved) external returns (bool);
    function transfer(address to, uint256 value) external returns (bool);

    function isOperator(address controller, address operator) external view returns (bool);
    function ownerRequestId(address owner) external view returns (uint256);
    function pendingRedeemRequestData(uint256 requestId, address controller) external view returns (RedeemData memory);
    function pendingRedeemRequest(uint256 requestId, address controller) external view returns (uint256 shares);
    function claimableRedeemRequest(uint256 requestId, address controller) external view returns (uint256 shares);
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
    function convertToAssets(uint256 shares) external view returns (uint256);
    function convertToShares(uint256 assets) external view returns (uint256);
    function previewDeposit(uint256 assets) external view returns (uint256);
    function totalAssets() external view returns (uint256);
    function totalSupply() external view returns (uint256);
    function paused() external view returns (bool);
    function rewardsFee() external view returns (uint256);
    function withdrawalFee() external view returns (uint256);
    function coreVault() external view returns (address);
    function gVault() external view returns (address);
    function asset() external view returns (address);
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
}
