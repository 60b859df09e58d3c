import type { TermsTest } from '@svc/conformance'
import { PublicKey } from '@svc/solana'
import { type Behind, WITHDRAW_AUTHORITY, withWithdrawAuthority } from './chain.ts'

const SOMEBODY = new PublicKey('mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v').toBuffer()
const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111'
/** Where a pool's account has its manager, its staker, its fee of an epoch, and the fee of an epoch to come while nothing is announced. */
const [MANAGER, STAKER, EPOCH_FEE, NEXT_EPOCH_FEE] = [1, 33, 330, 346]
/** A fee that waits for two updates of an epoch. */
const TWO_UPDATES = 2

/** Writes a key at a place of the pool. */
const withKey = (at: number) => (data: Buffer) => Buffer.concat([data.subarray(0, at), SOMEBODY, data.subarray(at + 32)])

/** Removes an optional key. */
const withoutKey = (at: number) => (data: Buffer) =>
  Buffer.concat([data.subarray(0, at), Buffer.alloc(1), data.subarray(at + 33), Buffer.alloc(32)]).subarray(0, data.length)

/** Announces a fee of so many hundredths. */
const announced = (numerator: bigint) => (data: Buffer) => {
  const fee = Buffer.alloc(17)
  fee.writeUInt8(TWO_UPDATES, 0)
  fee.writeBigUInt64LE(100n, 1)
  fee.writeBigUInt64LE(numerator, 9)
  return Buffer.concat([data.subarray(0, NEXT_EPOCH_FEE), fee, data.subarray(NEXT_EPOCH_FEE + 1)]).subarray(0, data.length)
}

/** The account that holds a program, as the loader writes its head. */
function deployed({ svm, settings }: Behind, slot: bigint, authority: Buffer | null): void {
  const [address] = PublicKey.findProgramAddressSync([new PublicKey(settings.program).toBuffer()], new PublicKey(LOADER))
  const head = Buffer.alloc(64)
  head.writeUInt32LE(3, 0)
  head.writeBigUInt64LE(slot, 4)
  head.writeUInt8(authority === null ? 0 : 1, 12)
  authority?.copy(head, 13)
  svm.setAccount(address.toBase58(), { lamports: 10_000_000_000n, owner: LOADER, data: head })
}

/** What the pool's manager does, and who may replace its program. */
export const terms = (chain: () => Behind): TermsTest => ({
  reads: [
    ...['power manager', 'power staker', 'power reserve', 'power fee_account', 'power stake_deposit_authority'],
    ...['power sol_deposit_authority', 'power sol_withdraw_authority', 'fee commission', 'fee sol_deposit_fee'],
    ...['fee sol_withdrawal_fee', 'fee stake_deposit_fee', 'fee stake_withdrawal_fee'],
  ],
  changes: [
    {
      name: 'its manager becomes somebody else',
      play: async () => chain().change(withKey(MANAGER)),
      told: ['protocol.control_changed manager'],
    },
    { name: 'an epoch ends and its books are made up', play: ({ advance }) => advance({ epochs: 1 }), told: [] },
    {
      name: 'its staker becomes somebody else',
      play: async () => chain().change(withKey(STAKER)),
      told: ['protocol.control_changed staker'],
    },
    {
      name: 'a fee of 10 % is announced',
      play: async () => chain().change(announced(10n)),
      told: ['protocol.fee_changed commission ahead'],
    },
    { name: 'it counts', play: ({ advance }) => advance({ epochs: 2 }), told: [] },
    {
      name: 'the fee is another one at once',
      play: async () =>
        chain().change((data) => {
          data.writeBigUInt64LE(7n, EPOCH_FEE + 8)
          return data
        }),
      told: ['protocol.fee_changed commission'],
    },
    {
      name: 'somebody has to sign withdrawals of SOL',
      play: async () => chain().change(withWithdrawAuthority('mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v')),
      told: ['protocol.control_changed sol_withdraw_authority'],
    },
    { name: 'its program can be seen to be replaceable for the first time', play: async () => deployed(chain(), 5n, SOMEBODY), told: [] },
    {
      name: 'its program is replaced, for good',
      play: async () => deployed(chain(), 6n, null),
      told: ['protocol.control_changed implementation', 'protocol.control_changed upgrade_authority'],
    },
    {
      name: 'fee and withdrawals are as they were',
      play: async () =>
        chain().change((data) => {
          data.writeBigUInt64LE(5n, EPOCH_FEE + 8)
          return withoutKey(WITHDRAW_AUTHORITY)(data)
        }),
      told: ['protocol.control_changed sol_withdraw_authority', 'protocol.fee_changed commission'],
    },
  ],
})
