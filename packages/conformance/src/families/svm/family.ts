import type { SvmCraft } from '@svc/verify/svm'
import type { Family } from '../../family.ts'
import { awaitLanding, callOf } from '../../landing.ts'
import { base58 } from '../shared/base58.ts'
import { foreignAddresses } from '../shared/foreign.ts'
import { badPrepares, garble } from './faults.ts'
import { fieldForgeries } from './fields.ts'
import { forgeries } from './forgeries.ts'
import { hiddenInstructions, walletChanges } from './hidden.ts'
import { liar } from './lies.ts'
import { svmScenes } from './life.ts'
import { signedForm } from './signed.ts'
import type { SvmWallet } from './wallet.ts'
import { keyPair, readTransaction, writeMessage } from './wire.ts'

export { stakeChanges, stakeLies } from './control.ts'
export { tokenChanges, tokenLies } from './token-control.ts'
export type { SvmWallet }

/** Driver of the Solana family: legacy transactions, ed25519, JSON-RPC. It shares no code with the kit, nor its library. */
export const svmFamily: Family<SvmCraft, SvmWallet> = {
  family: 'svm',
  otherChainId: 'testnet',
  wallet(index) {
    const key = keyPair(`conformance wallet ${index}`)
    const address = base58(key.publicKey)
    return { address, signer: address, key }
  },
  async sign(unsigned, { key }) {
    const message = writeMessage(readTransaction(unsigned.unsigned_tx_hex).message)
    return { ...unsigned, signatures: [key.sign(message).toString('hex')] }
  },
  landed: (rpcUrl, hash) =>
    awaitLanding(hash, async () => {
      const params = [[hash], { searchTransactionHistory: true }]
      const [status] = (await callOf<{ value: readonly (Status | null)[] }>(rpcUrl, 'getSignatureStatuses', params))?.value ?? []
      if (status && status.err !== null) return { failed: `is in slot ${status.slot} and failed there: ${JSON.stringify(status.err)}` }
      return status && status.confirmationStatus !== 'processed' ? 'landed' : null
    }),
  // Base58 of 32 bytes has one spelling.
  spellings: () => [],
  malformedAddresses: [
    '1',
    '1'.repeat(31),
    '1'.repeat(33),
    // 31 and 33 bytes.
    base58(Buffer.alloc(31, 0x11)),
    base58(Buffer.alloc(33, 0x11)),
    // Digits that base58 leaves out: 0, O, I and l.
    'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ0',
    'OKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9',
    'IKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9',
    'lKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9',
    ' AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9',
    'z'.repeat(44),
    '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c',
    ...foreignAddresses('svm'),
  ],
  badPrepares,
  fields: fieldForgeries,
  forgeries,
  hidden: hiddenInstructions,
  additions: walletChanges,
  signed: signedForm,
  thefts: ['call', 'amount', 'fee', 'custodian', 'customer'],
  garble,
  liar,
  life: svmScenes,
}

interface Status {
  readonly slot: number
  readonly err: unknown
  readonly confirmationStatus: string
}
