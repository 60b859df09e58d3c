import { base58 } from '../bytes/base58.ts'
import { bytesOf, digitsOf } from '../bytes/hex.ts'
import { signatureForms } from '../bytes/signature-text.ts'
import { verifies } from '../curve/ed25519.ts'
import { Refused } from '../intent/refusal.ts'
import type { Signing } from '../intent/signing.ts'
import type { SvmCraft } from './decode.ts'
import { keyOf } from './derive.ts'
import { isFilled, readTransaction } from './message.ts'

const SIGNATURE = 64

/** Signing rules of Solana: the message is signed as it is. The wallet pays the fee, so that its signature is the first one, and names the transaction. */
export const signing: Signing = {
  request: (answer, { wallet_address }) => ({
    algorithm: 'ed25519',
    signer: String(wallet_address),
    payload: messageOf(transactionOf(answer)),
  }),
  async proven(answer) {
    const { accounts, signatures, message } = readTransaction(transactionOf(answer))
    for (const [i, signature] of signatures.entries()) {
      const account = accounts[i]
      if (!isFilled(signature) || (account && (await verifies(account.key, signature, message)))) continue
      return {
        path: `signatures[${i}]`,
        expected: `one by ${account?.address} over the message`,
        found: 'one by another key, or over something else',
      }
    }
    return null
  },
  async prepare(answer, { signer, payload }, given) {
    const signature = await readEd25519(given, signer, payload)
    const signed = transactionOf(answer)
    signed.set(signature, 1)
    return {
      body: { unsigned_tx_hex: (answer as SvmCraft).unsigned_tx_hex, signatures: [digitsOf(signature)] },
      expected: { signed_tx_hex: digitsOf(signed) },
      txHash: base58(signature),
    }
  },
}

/** A transaction of the service has few signers: their number is one byte. */
function messageOf(transaction: Uint8Array): Uint8Array {
  return transaction.slice(1 + SIGNATURE * (transaction[0] ?? 0))
}

/** Returns the transaction bytes of a craft, with empty signatures; no bytes where the craft has none that can be read. */
export function transactionOf(answer: unknown): Uint8Array {
  return bytesOf(`0x${(answer as SvmCraft).unsigned_tx_hex}`) ?? new Uint8Array()
}

async function readEd25519(input: unknown, signer: string, payload: Uint8Array): Promise<Uint8Array> {
  const forms = typeof input === 'string' ? signatureForms(input) : [input]
  const signatures = forms.filter((each): each is Uint8Array => each instanceof Uint8Array && each.length === SIGNATURE)
  if (signatures.length === 0)
    throw new Refused('signature', '64 bytes of Ed25519, or their hex, base64 or base58', String(input).slice(0, 100))
  for (const signature of signatures) if (await verifies(keyOf(signer), signature, payload)) return signature
  throw new Refused('signature', `one by ${signer} over the message as it is, not hashed`, 'one by another key, or over something else')
}
