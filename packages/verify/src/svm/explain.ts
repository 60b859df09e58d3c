import { base58 } from '../bytes/base58.ts'
import { digitsOf } from '../bytes/hex.ts'
import { bytesOfText } from '../bytes/text.ts'
import { verifies } from '../curve/ed25519.ts'
import type { Explanation, Signer } from '../intent/explained.ts'
import type { Effects } from '../types.ts'
import { readCalls } from './decode.ts'
import { type Account, isFilled, MAX_BYTES, readTransaction } from './message.ts'

/** Explains the effects of a legacy transaction, with signatures present, empty, or some of each. @throws DecodeError as `decodeSvm` does, but whoever has signed */
export async function explainSvm(text: string, programs: Effects['layouts']): Promise<Explanation> {
  const bytes = bytesOfText(text, MAX_BYTES)
  const transaction = readTransaction(bytes)
  const { accounts, signatures, message } = transaction
  const { decoded } = readCalls(transaction, programs)
  const [first] = signatures
  const judge = async ({ address, key }: Account, i: number): Promise<Signer> => {
    const signature = signatures[i]
    if (signature === undefined || !isFilled(signature)) return { address, signature: 'missing' }
    return { address, signature: (await verifies(key, signature, message)) ? 'right' : 'wrong' }
  }
  return {
    decoded,
    form: signatures.every(isFilled) ? 'signed' : 'unsigned',
    signers: await Promise.all(accounts.filter(({ signer }) => signer).map(judge)),
    unsigned: { unsigned_tx_hex: digitsOf(bytes) },
    hash: null,
    txHash: isFilled(first) && first ? base58(first) : null,
    notes: ['The bytes do not name the cluster.', 'No hash is signed, but the message as it is.'],
  }
}
