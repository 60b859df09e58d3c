// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IStaking} from "./IStaking.sol";
import {IStakingControl} from "./IStakingControl.sol";
import {StakingState} from "./StakingState.sol";

/// Stand-in of Monad's staking precompile: its calls, refusals and reward arithmetic, without its gas prices.
///
/// The dispatcher is written by hand because the precompile's own is unlike Solidity's: it wants exactly the calldata of
/// the ABI, ignores dirty high bits of a word, and reverts with bare ASCII. The code is put in place without a
/// constructor, so nothing here may need one.
contract Staking is StakingState {
    /// Where the precompile lives. Under a DELEGATECALL `address(this)` is another.
    address private constant SELF = 0x0000000000000000000000000000000000001000;

    fallback(bytes calldata input) external payable returns (bytes memory) {
        // A write to transient storage is what an EVM forbids in a static context, and it leaves no trace elsewhere.
        assembly {
            tstore(0, 1)
        }
        if (address(this) != SELF || input.length < 4) fail("method not supported");
        bytes4 selector = bytes4(input);

        if (selector == IStaking.delegate.selector) {
            takes(1);
            delegateTo(uint64(word(0)), msg.sender, msg.value);
            return abi.encode(true);
        }
        if (selector == IStakingControl.addValidator.selector) {
            takes(3);
            addValidator(uint64(word(0)), toAddress(word(1)), word(2), msg.value);
            return "";
        }
        if (selector == IStakingControl.reward.selector) {
            takes(1);
            rewardOne(uint64(word(0)), msg.value);
            return "";
        }
        if (selector == IStakingControl.rewardSet.selector) {
            takes(0);
            rewardSet(msg.value);
            return "";
        }
        return unpaid(selector);
    }

    /// Every call that takes no value.
    function unpaid(bytes4 selector) private returns (bytes memory) {
        if (selector == IStaking.undelegate.selector) {
            takesUnpaid(3);
            undelegate(uint64(word(0)), word(1), uint8(word(2)));
            return abi.encode(true);
        }
        if (selector == IStaking.withdraw.selector) {
            takesUnpaid(2);
            withdraw(uint64(word(0)), uint8(word(1)));
            return abi.encode(true);
        }
        if (selector == IStaking.claimRewards.selector) {
            takesUnpaid(1);
            claimRewards(uint64(word(0)));
            return abi.encode(true);
        }
        if (selector == IStaking.compound.selector) {
            takesUnpaid(1);
            compound(uint64(word(0)));
            return abi.encode(true);
        }
        if (selector == IStakingControl.setCommission.selector) {
            validators[uint64(word(0))].commission = word(1);
            return "";
        }
        if (selector == IStakingControl.snapshot.selector) {
            takesUnpaid(0);
            snapshot();
            return "";
        }
        if (selector == IStakingControl.epochChange.selector) {
            takesUnpaid(0);
            epochChange();
            return "";
        }
        return read(selector);
    }

    function read(bytes4 selector) private returns (bytes memory) {
        if (selector == IStaking.getEpoch.selector) {
            takesNoValue();
            return abi.encode(epoch(), inDelayPeriod);
        }
        if (selector == IStaking.getDelegator.selector) {
            takesUnpaid(2);
            return readDelegator(uint64(word(0)), toAddress(word(1)));
        }
        if (selector == IStaking.getWithdrawalRequest.selector) {
            takesUnpaid(3);
            Request storage request = requests[uint64(word(0))][toAddress(word(1))][uint8(word(2))];
            return abi.encode(request.amount, request.acc, request.epoch);
        }
        if (selector == IStaking.getValidator.selector) {
            takesUnpaid(1);
            return readValidator(uint64(word(0)));
        }
        if (selector == IStaking.getConsensusValidatorSet.selector) {
            takesUnpaid(1);
            return setPage(consensusSet, uint32(word(0)));
        }
        if (selector == IStaking.getSnapshotValidatorSet.selector) {
            takesUnpaid(1);
            return setPage(snapshotSet, uint32(word(0)));
        }
        if (selector == IStaking.getExecutionValidatorSet.selector) {
            takesUnpaid(1);
            return setPage(healthyValidators(), uint32(word(0)));
        }
        if (selector == IStaking.getDelegations.selector) {
            takesUnpaid(2);
            (bool done, uint256 next, uint256[] memory ids) = listPage(delegations[toAddress(word(0))], uint64(word(1)));
            return abi.encode(done, next, ids);
        }
        if (selector == IStaking.getDelegators.selector) {
            takesUnpaid(2);
            (bool done, uint256 next, uint256[] memory owners) = listPage(delegatorsOf[uint64(word(0))], uint160(word(1)));
            return abi.encode(done, next, owners);
        }
        if (selector == IStaking.getProposerValId.selector) {
            takesNoValue();
            return abi.encode(proposer());
        }
        fail("method not supported");
    }

    // --- what a delegator does ---

    /// The rest of delegate, and of compound, which takes the amount from rewards that are already here.
    function delegateTo(uint64 id, address owner, uint256 amount) private {
        if (amount == 0) return;
        Validator storage validator = knownValidator(id);
        if (amount < DUST) fail("delegation is too small");
        bringUpToDate(id, owner);

        Delegator storage delegator = delegators[id][owner];
        uint64 active = activationEpoch();
        if (inDelayPeriod) {
            if (delegator.nextDeltaEpoch == 0) record(active, id);
            delegator.nextDelta += amount;
            delegator.nextDeltaEpoch = active;
        } else {
            if (delegator.deltaEpoch == 0) record(active, id);
            delegator.delta += amount;
            delegator.deltaEpoch = active;
        }
        validator.stake += amount;
        enlist(delegatorsOf[id], uint160(owner));
        enlist(delegations[owner], id);
        refreshFlags(id);
        emit IStaking.Delegate(id, owner, amount, active);
    }

    function undelegate(uint64 id, uint256 amount, uint8 slot) private {
        if (amount == 0) return;
        Validator storage validator = knownValidator(id);
        Request storage request = requests[id][msg.sender][slot];
        if (request.amount != 0) fail("withdrawal id exists");
        bringUpToDate(id, msg.sender);

        Delegator storage delegator = delegators[id][msg.sender];
        if (delegator.stake < amount) fail("insufficient stake");
        // What would remain as dust leaves with the request, so that nobody is stuck with less than can be delegated.
        if (delegator.stake - amount < DUST) amount = delegator.stake;

        uint64 inactive = activationEpoch();
        (request.amount, request.acc, request.epoch) = (amount, delegator.acc, inactive);
        record(inactive, id);
        delegator.stake -= amount;
        validator.stake -= amount;
        if (delegator.stake == 0) delegator.acc = 0;
        if (delegator.stake + delegator.delta + delegator.nextDelta == 0) {
            delist(delegatorsOf[id], uint160(msg.sender));
            delist(delegations[msg.sender], id);
        }
        refreshFlags(id);
        emit IStaking.Undelegate(id, msg.sender, slot, amount, inactive);
    }

    function withdraw(uint64 id, uint8 slot) private {
        Request memory request = requests[id][msg.sender][slot];
        if (request.amount == 0) fail("unknown withdrawal id");
        // Stake that stopped counting in an epoch is free one epoch later.
        if (epoch() < request.epoch + 1) fail("withdrawal not ready");

        // The stake earned until it stopped counting.
        uint256 earned = share(release(request.epoch, id) - request.acc, request.amount);
        deduct(id, earned);
        delete requests[id][msg.sender][slot];
        emit IStaking.Withdraw(id, msg.sender, slot, request.amount + earned, epoch());
        pay(msg.sender, request.amount + earned);
    }

    function claimRewards(uint64 id) private {
        uint256 amount = takeRewards(id);
        if (amount > 0) pay(msg.sender, amount);
    }

    function compound(uint64 id) private {
        delegateTo(id, msg.sender, takeRewards(id));
    }

    function takeRewards(uint64 id) private returns (uint256 amount) {
        // Of one that is not there nobody has rewards, and the node says nothing else.
        if (validators[id].auth == address(0)) return 0;
        bringUpToDate(id, msg.sender);
        Delegator storage delegator = delegators[id][msg.sender];
        amount = delegator.rewards;
        if (amount == 0) return 0;
        delegator.rewards = 0;
        emit IStaking.ClaimRewards(id, msg.sender, amount, epoch());
    }

    function pay(address to, uint256 amount) private {
        (bool paid,) = to.call{value: amount}("");
        if (!paid) fail("internal error");
    }

    // --- reads ---

    function readDelegator(uint64 id, address owner) private returns (bytes memory) {
        bringUpToDate(id, owner);
        Delegator storage d = delegators[id][owner];
        return abi.encode(d.stake, d.acc, d.rewards, d.delta, d.nextDelta, d.deltaEpoch, d.nextDeltaEpoch);
    }

    function readValidator(uint64 id) private view returns (bytes memory) {
        Validator storage v = validators[id];
        // The keys are made up: nothing that is modelled here signs with them.
        bytes memory secp = abi.encodePacked(bytes1(0x02), keccak256(abi.encode("secp", id)));
        bytes memory bls = abi.encodePacked(keccak256(abi.encode("bls", id)), bytes16(keccak256(abi.encode("bls tail", id))));
        if (v.auth == address(0)) (secp, bls) = (new bytes(33), new bytes(48));
        return abi.encode(
            v.auth,
            v.flags,
            v.stake,
            v.acc,
            v.commission,
            v.unclaimed,
            v.consensusStake,
            v.consensusCommission,
            v.snapshotStake,
            v.snapshotCommission,
            secp,
            bls
        );
    }

    // --- calldata ---

    /// Refuses any calldata but a selector and `words` words.
    function takes(uint256 words) private pure {
        if (msg.data.length < 4 + 32 * words) fail("input too short");
        if (msg.data.length > 4 + 32 * words) fail("invalid input");
    }

    function takesUnpaid(uint256 words) private view {
        takesNoValue();
        takes(words);
    }

    /// A call without arguments does not look at what follows its selector.
    function takesNoValue() private view {
        if (msg.value != 0) fail("value is nonzero");
    }

    function word(uint256 index) private pure returns (uint256 value) {
        assembly {
            value := calldataload(add(4, mul(index, 32)))
        }
    }

    function toAddress(uint256 value) private pure returns (address) {
        return address(uint160(value));
    }
}
