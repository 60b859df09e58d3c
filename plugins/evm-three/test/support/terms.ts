import type { TermsTest } from '@svc/conformance'
import type { EvmChain } from '@svc/sandbox-evm'
import { delayStartsAfter, drive, epochSeconds, setCommission, validatorId } from '../../sandbox/index.ts'

const MON = 10n ** 18n

/** What the validator's account does, before the last part of an epoch and in it. */
export const terms = (chain: () => EvmChain): TermsTest => ({
  reads: ['power auth_address', 'fee commission'],
  changes: [
    {
      name: 'the validator announces a commission of 15 %',
      play: () => drive(chain(), setCommission(validatorId, (15n * MON) / 100n)),
      told: ['validator.commission_changed commission ahead'],
    },
    { name: 'it counts', play: ({ advance }) => advance({ epochs: 2 }), told: [] },
    {
      name: 'another is announced in the last part of an epoch',
      async play({ advance }) {
        await advance({ seconds: delayStartsAfter + 60 })
        await drive(chain(), setCommission(validatorId, MON / 20n))
      },
      told: ['validator.commission_changed commission ahead'],
    },
    { name: 'the next epoch begins', play: ({ advance }) => advance({ seconds: epochSeconds - delayStartsAfter }), told: [] },
    {
      name: 'it is taken back',
      play: () => drive(chain(), setCommission(validatorId, (15n * MON) / 100n)),
      told: ['validator.commission_changed commission'],
    },
    {
      name: 'the first one is announced again',
      play: () => drive(chain(), setCommission(validatorId, MON / 10n)),
      told: ['validator.commission_changed commission ahead'],
    },
    { name: 'it counts', play: ({ advance }) => advance({ epochs: 2 }), told: [] },
  ],
})
