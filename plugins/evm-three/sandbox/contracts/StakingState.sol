// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IStaking} from "./IStaking.sol";

/// State and arithmetic of the stand-in: validators, delegators, the accumulators recorded per epoch, and the epochs.
///
/// Rewards are shared by an accumulator per validator (reward per wei of stake, times 1e36). A stake that starts or stops
/// counting at an epoch needs the accumulator of that moment; it is recorded per (epoch, validator) and counted, so that
/// it can be dropped with its last user.
abstract contract StakingState {
    // Constants of the protocol: https://docs.monad.xyz/monad-arch/consensus/staking (read 2026-11-21); page sizes and the
    // scale of accumulators: the node's source code (state of August 2026).
    uint256 internal constant ACC_SCALE = 1e36;
    uint256 internal constant FULL_COMMISSION = 1e18;
    /// Least amount that can be delegated, in wei.
    uint256 internal constant DUST = 1e9;
    uint256 internal constant MIN_SELF_STAKE = 100_000 ether;
    uint256 internal constant MIN_ACTIVE_STAKE = 10_000_000 ether;
    uint256 internal constant SET_PAGE = 100;
    uint256 internal constant LIST_PAGE = 50;
    /// In whose name a block's rewards come.
    address internal constant SYSTEM_SENDER = 0x6f49a8F621353f12378d0046E7d7e4b9B249DC9e;
    /// Before the first member of a list.
    uint256 private constant ENDS = type(uint256).max;
    uint64 internal constant FLAG_STAKE_TOO_LOW = 1;
    uint64 internal constant FLAG_OWNER_WITHDREW = 2;

    struct Validator {
        address auth;
        uint64 flags;
        uint256 stake;
        uint256 acc;
        uint256 commission;
        /// Paid in by rewards and not yet credited to a delegator.
        uint256 unclaimed;
        uint256 consensusStake;
        uint256 consensusCommission;
        uint256 snapshotStake;
        uint256 snapshotCommission;
    }

    struct Delegator {
        uint256 stake;
        uint256 acc;
        uint256 rewards;
        uint256 delta;
        uint256 nextDelta;
        uint64 deltaEpoch;
        uint64 nextDeltaEpoch;
    }

    struct Request {
        uint256 amount;
        uint256 acc;
        uint64 epoch;
    }

    struct Recorded {
        uint256 acc;
        uint256 users;
    }

    /// Members that are linked both ways, from the end of the list (`ENDS`) on: the one that joined last comes first.
    struct List {
        mapping(uint256 => uint256) next;
        mapping(uint256 => uint256) previous;
    }

    uint64 private epochsPassed;
    bool internal inDelayPeriod;
    uint64[] internal validatorIds;
    uint64[] internal consensusSet;
    uint64[] internal snapshotSet;
    mapping(uint64 => Validator) internal validators;
    mapping(uint64 => mapping(address => Delegator)) internal delegators;
    mapping(uint64 => mapping(address => mapping(uint8 => Request))) internal requests;
    mapping(uint64 => mapping(uint64 => Recorded)) private recorded;
    mapping(uint64 => List) internal delegatorsOf;
    mapping(address => List) internal delegations;

    /// The first epoch is 1, from empty storage.
    function epoch() internal view returns (uint64) {
        return epochsPassed + 1;
    }

    /// When a stake that changes now starts, or stops, to count.
    function activationEpoch() internal view returns (uint64) {
        return inDelayPeriod ? epoch() + 2 : epoch() + 1;
    }

    function knownValidator(uint64 id) internal view returns (Validator storage validator) {
        validator = validators[id];
        if (validator.auth == address(0)) fail("unknown validator");
    }

    // --- a delegator's deltas and rewards ---

    function bringUpToDate(uint64 id, address owner) internal {
        Delegator storage d = delegators[id][owner];
        if (d.deltaEpoch == 0 && d.nextDeltaEpoch != 0 && d.nextDeltaEpoch <= epoch() + 1) shiftDeltas(d);

        bool deltaActive = isActive(d.deltaEpoch);
        if (isActive(d.nextDeltaEpoch)) fold(id, d);
        if (deltaActive) fold(id, d);

        if (d.stake > 0) settle(id, d, validators[id].acc);
    }

    function isActive(uint64 deltaEpoch) private view returns (bool) {
        return deltaEpoch != 0 && deltaEpoch <= epoch();
    }

    /// The delta becomes stake, with what the stake before it earned until that epoch.
    function fold(uint64 id, Delegator storage d) private {
        settle(id, d, release(d.deltaEpoch, id));
        d.stake += d.delta;
        shiftDeltas(d);
    }

    function shiftDeltas(Delegator storage d) private {
        (d.delta, d.deltaEpoch) = (d.nextDelta, d.nextDeltaEpoch);
        (d.nextDelta, d.nextDeltaEpoch) = (0, 0);
    }

    function settle(uint64 id, Delegator storage d, uint256 acc) private {
        uint256 earned = share(acc - d.acc, d.stake);
        deduct(id, earned);
        d.rewards += earned;
        d.acc = acc;
    }

    function share(uint256 perToken, uint256 amount) internal pure returns (uint256) {
        return perToken * amount / ACC_SCALE;
    }

    /// Takes what is credited to a delegator from what rewards paid in.
    function deduct(uint64 id, uint256 amount) internal {
        Validator storage validator = validators[id];
        if (validator.unclaimed < amount) fail("solvency error");
        validator.unclaimed -= amount;
    }

    // --- accumulators recorded per epoch ---

    function record(uint64 atEpoch, uint64 id) internal {
        Recorded storage entry = recorded[atEpoch][id];
        entry.users += 1;
        entry.acc = validators[id].acc;
    }

    function release(uint64 atEpoch, uint64 id) internal returns (uint256 acc) {
        Recorded storage entry = recorded[atEpoch][id];
        acc = entry.acc;
        if (entry.users == 1) delete recorded[atEpoch][id];
        else entry.users -= 1;
    }

    function refreshRecorded(uint64 atEpoch, uint64 id) private {
        Recorded storage entry = recorded[atEpoch][id];
        if (entry.users > 0) entry.acc = validators[id].acc;
    }

    // --- consensus: epochs, the set, rewards ---

    function addValidator(uint64 id, address auth, uint256 commission, uint256 stake) internal {
        if (id == 0 || auth == address(0) || validators[id].auth != address(0) || commission > FULL_COMMISSION) fail("invalid input");
        Validator storage validator = validators[id];
        (validator.auth, validator.commission, validator.stake) = (auth, commission, stake);
        delegators[id][auth].stake = stake;
        validatorIds.push(id);
        enlist(delegatorsOf[id], uint160(auth));
        enlist(delegations[auth], id);
        refreshFlags(id);
    }

    function snapshot() internal {
        if (inDelayPeriod) fail("internal error");
        inDelayPeriod = true;
        snapshotSet = consensusSet;
        delete consensusSet;
        for (uint256 i = 0; i < validatorIds.length; i++) {
            Validator storage v = validators[validatorIds[i]];
            (v.snapshotStake, v.snapshotCommission) = (v.consensusStake, v.consensusCommission);
            (v.consensusStake, v.consensusCommission) = v.flags == 0 ? (v.stake, v.commission) : (0, 0);
            if (v.flags == 0) consensusSet.push(validatorIds[i]);
        }
    }

    function epochChange() internal {
        if (!inDelayPeriod) fail("internal error");
        inDelayPeriod = false;
        epochsPassed += 1;
        for (uint256 i = 0; i < validatorIds.length; i++) {
            refreshRecorded(epoch(), validatorIds[i]);
            refreshRecorded(epoch() + 1, validatorIds[i]);
        }
        emit IStaking.EpochChanged(epoch() - 1, epoch());
    }

    /// The set that proposes in this epoch: the boundary block already names the next epoch's.
    function currentSet() private view returns (uint64[] storage) {
        return inDelayPeriod ? snapshotSet : consensusSet;
    }

    function currentStake(uint64 id) private view returns (uint256) {
        return inDelayPeriod ? validators[id].snapshotStake : validators[id].consensusStake;
    }

    function proposer() internal view returns (uint64) {
        uint64[] storage set = currentSet();
        return set.length == 0 ? 0 : set[block.number % set.length];
    }

    function rewardOne(uint64 id, uint256 amount) internal {
        Validator storage v = knownValidator(id);
        uint256 stake = currentStake(id);
        if (stake == 0) fail("not in validator set");
        uint256 commission = amount * (inDelayPeriod ? v.snapshotCommission : v.consensusCommission) / FULL_COMMISSION;
        delegators[id][v.auth].rewards += commission;
        v.acc += (amount - commission) * ACC_SCALE / stake;
        v.unclaimed += amount - commission;
        emit IStaking.ValidatorRewarded(id, SYSTEM_SENDER, amount - commission, epoch());
    }

    function rewardSet(uint256 amount) internal {
        uint64[] storage set = currentSet();
        uint256 total = 0;
        for (uint256 i = 0; i < set.length; i++) total += currentStake(set[i]);
        if (total == 0) fail("not in validator set");
        for (uint256 i = 0; i < set.length; i++) rewardOne(set[i], amount * currentStake(set[i]) / total);
    }

    function refreshFlags(uint64 id) internal {
        Validator storage v = validators[id];
        Delegator storage owner = delegators[id][v.auth];
        uint64 flags = v.stake < MIN_ACTIVE_STAKE ? FLAG_STAKE_TOO_LOW : 0;
        if (owner.stake + owner.delta + owner.nextDelta < MIN_SELF_STAKE) flags |= FLAG_OWNER_WITHDREW;
        if (flags == v.flags) return;
        v.flags = flags;
        emit IStaking.ValidatorStatusChanged(id, flags);
    }

    function healthyValidators() internal view returns (uint64[] memory ids) {
        ids = new uint64[](validatorIds.length);
        uint256 count = 0;
        for (uint256 i = 0; i < ids.length; i++) {
            if (validators[validatorIds[i]].flags == 0) ids[count++] = validatorIds[i];
        }
        assembly {
            mstore(ids, count)
        }
    }

    // --- lists and pages ---

    function enlist(List storage list, uint256 member) internal {
        if (list.previous[member] != 0) return;
        uint256 first = list.next[ENDS];
        if (first != 0) list.previous[first] = member;
        (list.previous[member], list.next[member], list.next[ENDS]) = (ENDS, first, member);
    }

    function delist(List storage list, uint256 member) internal {
        (uint256 before, uint256 behind) = (list.previous[member], list.next[member]);
        if (before == 0) return;
        list.next[before] = behind;
        if (behind != 0) list.previous[behind] = before;
        (list.previous[member], list.next[member]) = (0, 0);
    }

    /// A page from `start` on, which is a member, or 0 for the beginning; `next` is 0 after the last page. One that is no member is given back, as
    /// the end of a list without anybody.
    function listPage(List storage list, uint256 start) internal view returns (bool done, uint256 next, uint256[] memory page) {
        next = start == 0 ? list.next[ENDS] : start;
        if (list.previous[next] == 0) return (true, next, page);
        page = new uint256[](LIST_PAGE);
        uint256 count = 0;
        for (; next != 0 && count < LIST_PAGE; next = list.next[next]) page[count++] = next;
        assembly {
            mstore(page, count)
        }
        done = next == 0;
    }

    /// @return the encoded (isDone, nextIndex, ids)
    function setPage(uint64[] memory set, uint256 start) internal pure returns (bytes memory) {
        uint256 end = start + SET_PAGE < set.length ? start + SET_PAGE : set.length;
        uint64[] memory ids = new uint64[](start < end ? end - start : 0);
        for (uint256 i = 0; i < ids.length; i++) ids[i] = set[start + i];
        return abi.encode(end == set.length, start + ids.length, ids);
    }

    /// Reverts with the bare text, as the precompile does: no `Error(string)` around it.
    function fail(string memory text) internal pure {
        assembly {
            revert(add(text, 32), mload(text))
        }
    }
}
