// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// A savings vault: deposits buy units, interest raises the price of a unit, and withdrawals sell them again.
/// It is put on the local chain as run-time code, so no constructor runs: storage of zeros is a vault that is open and empty.
contract Savings {
    uint256 private constant ONE = 1e18;

    /// Smallest deposit, in wei.
    uint256 public constant minimum = 0.01 ether;
    /// Interest of a day, in parts of 1e18.
    uint256 public constant dailyRate = 0.0001e18;

    mapping(address => uint256) public unitsOf;
    uint256 public totalUnits;
    bool public closed;
    uint256 private growth;

    event Deposited(address indexed saver, uint256 amount, uint256 units);
    event Withdrawn(address indexed saver, uint256 amount, uint256 units);

    /// Wei of 1e18 units.
    function price() public view returns (uint256) {
        return ONE + growth;
    }

    function balanceOf(address saver) external view returns (uint256) {
        return (unitsOf[saver] * price()) / ONE;
    }

    function deposit() external payable {
        require(!closed, "closed to deposits");
        require(msg.value >= minimum, "below the minimum");
        uint256 units = (msg.value * ONE) / price();
        unitsOf[msg.sender] += units;
        totalUnits += units;
        emit Deposited(msg.sender, msg.value, units);
    }

    /// Pays out an amount, for which as many units are sold as it takes, rounded up.
    function withdraw(uint256 amount) external {
        require(amount > 0, "nothing to withdraw");
        pay(amount, (amount * ONE + price() - 1) / price());
    }

    /// Sells units for what they are worth.
    function redeem(uint256 units) external {
        require(units > 0, "nothing to withdraw");
        pay((units * price()) / ONE, units);
    }

    /// What the keeper does: interest for everybody, and the doors.
    function payInterest() external payable {
        growth += (msg.value * ONE) / totalUnits;
    }

    function setClosed(bool value) external {
        closed = value;
    }

    function pay(uint256 amount, uint256 units) private {
        require(units <= unitsOf[msg.sender], "more than the balance");
        unitsOf[msg.sender] -= units;
        totalUnits -= units;
        emit Withdrawn(msg.sender, amount, units);
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent, "the saver takes no payment");
    }
}
