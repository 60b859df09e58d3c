import type { TermsTest } from '@svc/conformance'
import { operatorName as validator } from '../sandbox/index.ts'

/** What the validator announces, and what comes of it. */
export const terms: TermsTest = {
  reads: ['fee commission', 'rule epoch_duration'],
  changes: [
    {
      name: 'a commission of 15 % is announced',
      play: ({ operate }) => operate('next-commission', { validator, bps: 1_500 }),
      told: ['validator.commission_changed commission ahead'],
    },
    { name: 'it counts', play: ({ advance }) => advance({ epochs: 1 }), told: [] },
    {
      name: 'another one is announced, and taken back before anybody reads it',
      async play({ operate }) {
        await operate('next-commission', { validator, bps: 2_000 })
        await operate('next-commission', { validator, bps: 1_500 })
      },
      told: [],
    },
    {
      name: 'the commission is another one at once',
      play: ({ operate }) => operate('commission', { validator, bps: 325 }),
      told: ['validator.commission_changed commission'],
    },
    {
      name: 'it is as it was',
      play: ({ operate }) => operate('commission', { validator, bps: 400 }),
      told: ['validator.commission_changed commission'],
    },
  ],
}
