import type { TermsTest } from '@svc/conformance'
import type { SvmChain } from '@svc/sandbox-svm'
import { PublicKey } from '@svc/solana'

const SOMEBODY = new PublicKey('mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v').toBuffer()
/** Where a vote account has its withdrawer, and in version 4 its commission on blocks' revenue. */
const [WITHDRAWER, BLOCK_COMMISSION] = [36, 134]

/** What the operator of the validator does, and the chain. */
export const terms = (chain: () => SvmChain, vote: () => string): TermsTest => {
  const change = (edit: (data: Buffer) => void) => {
    const data = Buffer.from(chain().account(vote())!.data)
    edit(data)
    chain().setAccount(vote(), { data })
  }
  return {
    reads: [
      ...['power withdrawer', 'power voter', 'fee block_revenue_commission'],
      ...['rule minimum_delegation', 'rule stake_account_rent'],
    ],
    changes: [
      {
        name: 'the withdrawer of its vote account becomes somebody else',
        play: async () => change((data) => SOMEBODY.copy(data, WITHDRAWER)),
        told: ['protocol.control_changed withdrawer'],
      },
      { name: 'an epoch ends and pays rewards', play: ({ advance }) => advance({ epochs: 1 }), told: [] },
      {
        name: 'its voter becomes somebody else',
        play: async () =>
          change((data) => {
            // The identity votes, and stands in the account more than once: its last place is that of the voter.
            const identity = Buffer.from(data.subarray(4, 36))
            SOMEBODY.copy(data, data.lastIndexOf(identity))
          }),
        told: ['protocol.control_changed voter'],
      },
      {
        name: 'it takes 7.25 % of the inflation, and 50 % of the blocks',
        async play({ operate }) {
          await operate('validator', { vote: vote(), commission_bps: 725 })
          change((data) => data.writeUInt16LE(5_000, BLOCK_COMMISSION))
        },
        told: ['protocol.fee_changed block_revenue_commission', 'validator.commission_changed commission'],
      },
      {
        name: 'the rent is lowered, and more has to be delegated',
        async play({ operate }) {
          await operate('rent', { lamports_per_byte: 6_333 })
          await operate('minimum-delegation', { amount: '2' })
        },
        told: ['protocol.rule_changed minimum_delegation', 'protocol.rule_changed stake_account_rent'],
      },
      {
        name: 'all is as it was',
        async play({ operate }) {
          await operate('rent', { lamports_per_byte: 6_960 })
          await operate('minimum-delegation', { amount: '1' })
          await operate('validator', { vote: vote(), commission_bps: 500 })
        },
        told: [
          ...['protocol.rule_changed minimum_delegation', 'protocol.rule_changed stake_account_rent'],
          'validator.commission_changed commission',
        ],
      },
    ],
  }
}
