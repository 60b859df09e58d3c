// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What is read of Monad's staking precompile, for a chain on which nobody else put it: three validators with four billion
/// MON each and a commission of a tenth, and epochs that follow the clock. It keeps nothing, so that it can be replaced.
contract Validators {
    uint256 private constant STAKE = 4_000_000_000 ether;
    uint256 private constant COMMISSION = 0.1 ether;
    /// 50,000 blocks of 0.3 seconds, and of these the last tenth.
    uint256 private constant EPOCH_SECONDS = 15_000;
    uint256 private constant DELAY_STARTS_AFTER = 13_500;

    function getEpoch() external view returns (uint64 epoch, bool inEpochDelayPeriod) {
        return (uint64(block.timestamp / EPOCH_SECONDS), block.timestamp % EPOCH_SECONDS >= DELAY_STARTS_AFTER);
    }

    /// In the order of the precompile: authAddress, flags, stake, accRewardPerToken, commission, unclaimedRewards,
    /// consensusStake, consensusCommission, snapshotStake, snapshotCommission, secpPubkey, blsPubkey. Zeros for an id unknown.
    function getValidator(uint64 id)
        external
        pure
        returns (
            address,
            uint64,
            uint256,
            uint256,
            uint256,
            uint256,
            uint256,
            uint256,
            uint256,
            uint256,
            bytes memory,
            bytes memory
        )
    {
        if (id < 11 || id > 15) return (address(0), 0, 0, 0, 0, 0, 0, 0, 0, 0, "", "");
        address auth = address(uint160(0xa11da70000 + id));
        // Two more that are registered: one is outside the set, the other leaves it.
        if (id == 14) return (auth, 0, STAKE, 0, COMMISSION, 0, 0, 0, 0, 0, "", "");
        if (id == 15) return (auth, 1, 1 ether, 0, COMMISSION, 0, STAKE, COMMISSION, STAKE, COMMISSION, "", "");
        return (auth, 0, STAKE, 0, COMMISSION, 0, STAKE, COMMISSION, STAKE, COMMISSION, "", "");
    }

    function getConsensusValidatorSet(uint32) external pure returns (bool isDone, uint32 nextIndex, uint64[] memory ids) {
        return set();
    }

    function getSnapshotValidatorSet(uint32) external pure returns (bool isDone, uint32 nextIndex, uint64[] memory ids) {
        return set();
    }

    function set() private pure returns (bool, uint32, uint64[] memory ids) {
        ids = new uint64[](3);
        (ids[0], ids[1], ids[2]) = (11, 12, 13);
        return (true, 3, ids);
    }
}
