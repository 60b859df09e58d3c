import type { SignedForm } from '../../family.ts'
import { present } from '../../present.ts'
import { bytesAt, readFields, writeFields } from '../shared/protobuf.ts'
import { signedBody } from './hidden.ts'
import { bytesOf, hexOf } from './wire.ts'

/** Order of secp256k1: chains take an s below its half. @see https://www.secg.org/sec2-v2.pdf section 2.4.1 (read 2026-11-21) */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const SIGNATURE = 3

/** Form of signed transactions on Cosmos chains: `TxRaw`. */
export const signedForm: SignedForm = {
  join: (body) => String(signedBody(body).signed_tx_hex),
  chosen: { fee: 'any', gasLimit: 'more' },
  attacks(signed) {
    const bytes = bytesOf(signed)
    const own = bytesAt(bytes, [SIGNATURE])
    const [r, s] = [own.slice(0, 32), own.slice(32)]
    const parts = readFields(bytes).filter(({ number }) => number !== SIGNATURE)
    const signedBy = (...signatures: readonly Uint8Array[]) =>
      hexOf(writeFields([...parts, ...signatures.map((value) => ({ number: SIGNATURE, value }))]))
    const high = (ORDER - BigInt(`0x${hexOf(s)}`)).toString(16).padStart(64, '0')
    const [body, auth] = [present(parts[0], 'a body'), present(parts[1], 'an auth info')]
    const written = hexOf(writeFields([auth, body]))
    return [
      ['an s in the upper half', signedBy(Uint8Array.from([...r, ...bytesOf(high)]))],
      ['a bit of the signature', signedBy(own.with(40, (own[40] ?? 0) ^ 1))],
      ['a signature of zeros', signedBy(new Uint8Array(64))],
      ['a byte less of the signature', signedBy(own.slice(0, 63))],
      ['a byte more of the signature', signedBy(Uint8Array.from([...own, 0]))],
      ['no signature', signedBy()],
      ['the signature twice', signedBy(own, own)],
      ['a field that nobody knows', `${signed}7a00`],
      ['auth info before the body', `${written}1a40${hexOf(own)}`],
      ['a length in a longer form than the shortest', `${signed.slice(0, -132)}1ac000${hexOf(own)}`],
      ['a byte behind it', `${signed}00`],
      ['a byte less', signed.slice(0, -2)],
      ['a megabyte of zeros', '00'.repeat(1024 * 1024)],
    ]
  },
}
