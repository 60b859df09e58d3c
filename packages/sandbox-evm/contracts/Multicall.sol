// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Answers to the selectors of Multicall3 that staking clients use. Its code is put at Multicall3's canonical address.
/// Every sub-call is a plain CALL, never a STATICCALL: contracts that refuse a static context can be read through it.
contract Multicall {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            Call3 calldata one = calls[i];
            (results[i].success, results[i].returnData) = one.target.call(one.callData);
            require(results[i].success || one.allowFailure, "Multicall3: call failed");
        }
    }

    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        uint256 spent = 0;
        for (uint256 i = 0; i < calls.length; i++) {
            Call3Value calldata one = calls[i];
            spent += one.value;
            (results[i].success, results[i].returnData) = one.target.call{value: one.value}(one.callData);
            require(results[i].success || one.allowFailure, "Multicall3: call failed");
        }
        require(msg.value == spent, "Multicall3: value mismatch");
    }

    function getEthBalance(address account) external view returns (uint256 balance) {
        return account.balance;
    }

    function getBlockNumber() external view returns (uint256 blockNumber) {
        return block.number;
    }

    function getCurrentBlockTimestamp() external view returns (uint256 timestamp) {
        return block.timestamp;
    }
}
