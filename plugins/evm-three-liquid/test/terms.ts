import type { TermsTest } from '@svc/conformance'
import type { EvmChain } from '@svc/sandbox-evm'
import {
  control,
  coreControl,
  coreVaultAddress,
  drive,
  gVaultAddress,
  magmaAccount,
  minWithdrawal,
  redeemDelay,
  rewardsFee,
  vaultAddress,
  withdrawalFee,
} from '../sandbox/index.ts'

/** Slot of a proxy's implementation. @see https://eips.ethereum.org/EIPS/eip-1967 (read 2026-11-29) */
const SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const STRANGER = `0x${'f00d'.padStart(40, '0')}`

/** What the owner of the pool does, and who replaces its code. */
export const terms = (chain: () => EvmChain): TermsTest => ({
  reads: [
    ...['power implementation', 'power proxy_admin', 'power owner', 'power core_vault', 'power g_vault'],
    ...['fee commission', 'fee withdrawal_fee', 'rule redeem_delay', 'rule minimum_redemption'],
  ],
  changes: [
    {
      name: 'the code behind the vault is another',
      play: () => chain().rpc('anvil_setStorageAt', [vaultAddress, SLOT, `0x${'beef'.padStart(64, '0')}`]),
      told: ['protocol.control_changed implementation'],
    },
    { name: 'rewards of three epochs are paid', play: ({ advance }) => advance({ epochs: 3 }), told: [] },
    {
      name: 'it takes 30 % of the rewards and half a percent of an exit',
      play: () => drive(chain(), control('setFees', 3_000, 50)),
      told: ['protocol.fee_changed commission', 'protocol.fee_changed withdrawal_fee'],
    },
    {
      name: 'it takes what it took',
      play: () => drive(chain(), control('setFees', rewardsFee, withdrawalFee)),
      told: ['protocol.fee_changed commission', 'protocol.fee_changed withdrawal_fee'],
    },
    {
      name: 'its owner becomes somebody else',
      play: () => drive(chain(), control('setVaults', coreVaultAddress, gVaultAddress, STRANGER)),
      told: ['protocol.control_changed owner'],
    },
    {
      name: 'a redemption waits longer, and is of more',
      play: () => drive(chain(), control('setRedeemDelay', 7 * 3600), coreControl('setMinUserWithdrawAmount', 2n * 10n ** 18n)),
      told: ['protocol.rule_changed minimum_redemption', 'protocol.rule_changed redeem_delay'],
    },
    {
      name: 'all is as it was',
      play: () =>
        drive(
          chain(),
          control('setVaults', coreVaultAddress, gVaultAddress, magmaAccount),
          control('setRedeemDelay', redeemDelay),
          coreControl('setMinUserWithdrawAmount', minWithdrawal),
        ),
      told: ['protocol.control_changed owner', 'protocol.rule_changed minimum_redemption', 'protocol.rule_changed redeem_delay'],
    },
  ],
})
