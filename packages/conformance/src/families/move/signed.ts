import { itemsOf } from '@svc/contract'
import type { SignedForm } from '../../family.ts'

/** Form of this service's signed transactions for Sui: base64 of JSON with the data of the transaction and its signatures. */
export const signedForm: SignedForm = {
  join: ({ unsigned_tx_b64: bytes, signatures }) => written({ bytes, signatures }),
  chosen: { gasPrice: 'any', gasBudget: 'more' },
  attacks(signed) {
    const { bytes, signatures } = JSON.parse(Buffer.from(signed, 'base64').toString()) as { bytes: string; signatures: unknown }
    const own = Buffer.from(String(itemsOf(signatures)[0]), 'base64')
    const flipped = Buffer.from(own)
    flipped.writeUInt8(flipped.readUInt8(40) ^ 1, 40)
    const text = own.toString('base64')
    return [
      ['a bit of the signature', written({ bytes, signatures: [flipped.toString('base64')] })],
      ['no signature', written({ bytes, signatures: [] })],
      ['the signature twice', written({ bytes, signatures: [text, text] })],
      ['another scheme', written({ bytes, signatures: [Buffer.concat([Buffer.of(1), own.subarray(1)]).toString('base64')] })],
      ['a member more', written({ bytes, signatures: [text], more: 1 })],
      [
        'a member twice',
        Buffer.from(`{"bytes":${JSON.stringify(bytes)},${JSON.stringify({ bytes, signatures: [text] }).slice(1)}`).toString('base64'),
      ],
      ['the members in another order', written({ signatures: [text], bytes })],
      ['the data of the transaction alone', bytes],
      [
        'a byte behind it',
        written({ bytes: Buffer.concat([Buffer.from(bytes, 'base64'), Buffer.of(0)]).toString('base64'), signatures: [text] }),
      ],
      ['a megabyte of zeros', Buffer.alloc(1024 * 1024).toString('base64')],
    ]
  },
}

function written(content: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(content)).toString('base64')
}
