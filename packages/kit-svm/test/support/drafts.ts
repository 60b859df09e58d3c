import { Authorized, Lockup, PublicKey, StakeProgram, SystemProgram, type TransactionInstruction } from '@svc/solana'
import type { SvmDraft } from '../../src/index.ts'
import { pair, transactions, wallet } from './vectors.ts'

const from = wallet.publicKey
const votePubkey = pair(3).publicKey
const nobody = new Lockup(0, 0, PublicKey.default)
const authorized = new Authorized(from, from)
const fromWallet = (instructions: readonly TransactionInstruction[], spends = 0n): SvmDraft => ({
  feePayer: from.toBase58(),
  instructions,
  unitLimit: 60_000,
  spends,
})

const seeded = new PublicKey('2pzMUyXtmL2mMo1229sWS38GnfdQjcTFuR5DkNAqv3Lr')
const nonceKey = new PublicKey(transactions.nonceAccount.address)

/** Drafts of the transactions among the vectors that every cluster can run. */
export const drafts = {
  stake: {
    ...fromWallet(
      [
        ...StakeProgram.createAccount({
          fromPubkey: from,
          stakePubkey: pair(2).publicKey,
          authorized,
          lockup: nobody,
          lamports: 1_502_282_880,
        }).instructions,
        ...StakeProgram.delegate({ stakePubkey: pair(2).publicKey, authorizedPubkey: from, votePubkey }).instructions,
      ],
      1_502_282_880n,
    ),
    ephemeral: pair(2),
  },
  seededStake: fromWallet(
    [
      ...StakeProgram.createAccountWithSeed({
        fromPubkey: from,
        basePubkey: from,
        stakePubkey: seeded,
        seed: 'stake:0',
        authorized,
        lockup: nobody,
        lamports: 1_002_282_880,
      }).instructions,
      ...StakeProgram.delegate({ stakePubkey: seeded, authorizedPubkey: from, votePubkey }).instructions,
    ],
    1_002_282_880n,
  ),
  unstake: fromWallet(StakeProgram.deactivate({ stakePubkey: pair(2).publicKey, authorizedPubkey: from }).instructions),
  withdraw: fromWallet(
    StakeProgram.withdraw({ stakePubkey: pair(2).publicKey, authorizedPubkey: from, toPubkey: from, lamports: 1_502_282_880 }).instructions,
  ),
  nonce: fromWallet(
    SystemProgram.createNonceAccount({
      fromPubkey: from,
      basePubkey: from,
      seed: 'nonce:0',
      noncePubkey: nonceKey,
      authorizedPubkey: from,
      lamports: 1_447_680,
    }).instructions,
    1_447_680n,
  ),
} satisfies Readonly<Record<string, SvmDraft>>
