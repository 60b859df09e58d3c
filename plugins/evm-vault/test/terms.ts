import type { TermsTest } from '@svc/conformance'
import { implementation, operator, type World } from '../sandbox/index.ts'
import { reportMore } from './support.ts'

/** Slot of a proxy's implementation. @see https://eips.ethereum.org/EIPS/eip-1967 (read 2026-11-29) */
const SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const STRANGER = `0x${'f00d'.padStart(40, '0')}`
const VERSION = 5
const CLAIM_DELAY = 54_000

/** What the vault's admin, the protocol and who replaces its code do. */
export const terms = (world: () => World): TermsTest => ({
  reads: [
    ...['power implementation', 'power admin', 'power validators_manager', 'power os_token_redeemer', 'power os_token_liquidator'],
    ...['fee commission', 'rule version', 'rule os_token_loan_to_value'],
  ],
  changes: [
    {
      name: 'the code behind the vault is another, without a log',
      play: () => world().chain.rpc('anvil_setStorageAt', [world().vault, SLOT, `0x${'beef'.padStart(64, '0')}`]),
      told: ['protocol.control_changed implementation'],
    },
    {
      name: 'the oracles report, and somebody harvests',
      async play() {
        await reportMore(world())
        await world().harvest()
      },
      told: [],
    },
    {
      name: 'its admin and its validators manager become somebody else',
      play: () => world().control('vault', 'setPowers', implementation, STRANGER, STRANGER),
      told: ['protocol.control_changed admin', 'protocol.control_changed implementation', 'protocol.control_changed validators_manager'],
    },
    {
      name: 'its fee is raised to 12 %',
      play: () => world().control('vault', 'setFeePercent', 1_200),
      told: ['protocol.fee_changed commission'],
    },
    {
      name: 'somebody else may redeem, and less can be borrowed',
      async play() {
        await world().control('os_token_config', 'setTakers', STRANGER, operator)
        await world().control('os_token_config', 'setLtv', 8n * 10n ** 17n)
      },
      told: [
        'protocol.control_changed os_token_liquidator',
        'protocol.control_changed os_token_redeemer',
        'protocol.rule_changed os_token_loan_to_value',
      ],
    },
    {
      name: 'it is upgraded to a version that is not known here',
      async play() {
        await world().control('vault', 'setVersion', VERSION + 1, CLAIM_DELAY)
        await world().control('vault', 'setPowers', STRANGER, STRANGER, STRANGER)
      },
      told: ['protocol.control_changed implementation', 'protocol.rule_changed version'],
    },
    {
      name: 'the upgrade is taken back',
      play: () => world().control('vault', 'setVersion', VERSION, CLAIM_DELAY),
      told: ['protocol.rule_changed version'],
    },
    {
      name: 'all is as it was',
      async play() {
        await world().control('vault', 'setFeePercent', 1_000)
        await world().control('vault', 'setPowers', implementation, operator, operator)
        await world().control('os_token_config', 'setLtv', 9n * 10n ** 17n)
      },
      told: [
        ...['protocol.control_changed admin', 'protocol.control_changed implementation', 'protocol.control_changed validators_manager'],
        ...['protocol.fee_changed commission', 'protocol.rule_changed os_token_loan_to_value'],
      ],
    },
  ],
})
