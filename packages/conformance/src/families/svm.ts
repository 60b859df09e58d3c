import type { SvmCraft } from '@svc/verify'
import type { Family, Wallet } from '../family.ts'
import { badPrepares, garble } from './svm-faults.ts'
import { fieldForgeries } from './svm-fields.ts'
import { forgeries } from './svm-forgeries.ts'
import { base58, type KeyPair, keyPair, readTransaction, writeMessage } from './svm-wire.ts'

export interface SvmWallet extends Wallet {
  readonly key: KeyPair
}

/** How long a transaction may take into a block of the local chain, in milliseconds. */
const LANDING_MS = 10_000

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
  async landed(rpcUrl, hash) {
    const until = Date.now() + LANDING_MS
    while (Date.now() < until) {
      const status = await statusOf(rpcUrl, hash)
      if (status && status.err !== null)
        throw new TransactionFailed(`transaction ${hash} is in slot ${status.slot} and failed there: ${JSON.stringify(status.err)}`)
      if (status && status.confirmationStatus !== 'processed') return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new TransactionFailed(`transaction ${hash} was not in a block within ${LANDING_MS} ms`)
  },
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
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu',
  ],
  badPrepares,
  fields: fieldForgeries,
  forgeries,
  garble,
}

class TransactionFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransactionFailed'
  }
}

interface Status {
  readonly slot: number
  readonly err: unknown
  readonly confirmationStatus: string
}

async function statusOf(url: string, hash: string): Promise<Status | null> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSignatureStatuses', params: [[hash], { searchTransactionHistory: true }] }),
  })
  const { result } = (await response.json()) as { result?: { value: readonly (Status | null)[] } }
  return result?.value[0] ?? null
}
