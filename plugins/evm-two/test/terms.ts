import type { TermsTest } from '@svc/conformance'
import type { EvmChain } from '@svc/sandbox-evm'
import { ZeroAddress } from 'ethers'
import { configure, control, poolId, poolOwners, stakingAddress } from '../sandbox/index.ts'

/** Slot of a proxy's implementation. @see https://eips.ethereum.org/EIPS/eip-1967 (read 2026-11-29) */
const SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const STRANGER = `0x${'f00d'.padStart(40, '0')}`

/** What governance, upgrades and the pool's owner do. */
export const terms = (chain: () => EvmChain): TermsTest => ({
  reads: [
    ...['power implementation', 'power proxy_admin', 'power owner', 'power pool_owner', 'power approver', 'fee commission'],
    ...['rule exit_window', 'rule epoch_duration', 'rule minimum_delegation', 'rule pool_cap'],
  ],
  changes: [
    {
      name: 'the code behind the contract is another, without a log',
      play: () => chain().rpc('anvil_setStorageAt', [stakingAddress, SLOT, `0x${'beef'.padStart(64, '0')}`]),
      told: ['protocol.control_changed implementation'],
    },
    { name: 'an epoch ends', play: ({ advance }) => advance({ epochs: 1 }), told: [] },
    {
      name: 'contract and pool have other owners',
      async play() {
        await control(chain(), 'setContractOwner', STRANGER)
        await control(chain(), 'setOwner', poolId, STRANGER)
      },
      told: ['protocol.control_changed owner', 'protocol.control_changed pool_owner'],
    },
    {
      name: 'somebody has to approve delegations',
      play: () => control(chain(), 'setApprover', poolId, STRANGER),
      told: ['protocol.control_changed approver'],
    },
    {
      name: 'the pool takes more',
      play: () => control(chain(), 'setCommission', poolId, 1_550),
      told: ['validator.commission_changed commission'],
    },
    {
      name: 'an exit waits longer, and the least delegation is more',
      async play() {
        await configure(chain(), 'staking.delegation_withdraw_effective_epoch', '500')
        await configure(chain(), 'staking.min_delegator_stake', String(2n * 10n ** 18n))
      },
      told: ['protocol.rule_changed exit_window', 'protocol.rule_changed minimum_delegation'],
    },
    {
      name: 'all is as it was',
      async play() {
        await configure(chain(), 'staking.delegation_withdraw_effective_epoch', '')
        await configure(chain(), 'staking.min_delegator_stake', String(10n ** 18n))
        await control(chain(), 'setCommission', poolId, 1_000)
        await control(chain(), 'setApprover', poolId, ZeroAddress)
        await control(chain(), 'setOwner', poolId, poolOwners[0])
        await control(chain(), 'setContractOwner', ZeroAddress)
      },
      told: [
        ...['protocol.control_changed approver', 'protocol.control_changed owner', 'protocol.control_changed pool_owner'],
        ...['protocol.rule_changed exit_window', 'protocol.rule_changed minimum_delegation', 'validator.commission_changed commission'],
      ],
    },
  ],
})
