import { itemsOf } from '@svc/contract'
import type { SignedForm } from '../../family.ts'
import { readTransaction, writeTransaction } from './wire.ts'

const SIGNATURE = 64

/** Form of Solana's signed transactions: the wallet, which pays, signs first. */
export const signedForm: SignedForm = {
  join({ unsigned_tx_hex: text, signatures }) {
    const transaction = readTransaction(String(text))
    const [own, ...others] = itemsOf(signatures).map((each) => Buffer.from(String(each), 'hex'))
    if (own?.length !== SIGNATURE || others.length > 0) return null
    return writeTransaction({ ...transaction, signatures: transaction.signatures.with(0, own) })
  },
  chosen: { unitPrice: 'any', unitLimit: 'more' },
  attacks(signed) {
    const { message, signatures } = readTransaction(signed)
    const written = (list: readonly Buffer[]) => writeTransaction({ message, signatures: list })
    const flipped = Buffer.from(signatures[0] ?? [])
    flipped.writeUInt8(flipped.readUInt8(40) ^ 1, 40)
    const digits = 2 * (1 + SIGNATURE * signatures.length)
    return [
      ['a bit of the signature', written(signatures.with(0, flipped))],
      ['no signature', written(signatures.with(0, Buffer.alloc(SIGNATURE)))],
      ['no room for signatures', written([])],
      ['a signature more', written([...signatures, signatures[0] ?? flipped])],
      ['the last signature is one over something else', written(signatures.with(-1, flipped))],
      ['version 0', `${signed.slice(0, digits)}80${signed.slice(digits)}00`],
      ['the number of signatures in a longer form than the shortest', `8${signed.slice(1, 2)}00${signed.slice(2)}`],
      ['a byte behind it', `${signed}00`],
      ['a byte less', signed.slice(0, -2)],
      ['a megabyte of zeros', '00'.repeat(1024 * 1024)],
    ]
  },
}
