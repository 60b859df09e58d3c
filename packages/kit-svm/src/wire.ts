import { Type } from 'typebox'
import { SvmAddress } from './address.ts'

const hex = (description: string, example: string) => Type.String({ description, examples: [example] })

/** Deactivation of a stake account: one signature, which is zeros until prepare. */
const MESSAGE =
  '010003058a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b3940306466fe5211732ffecadba72c39be7bc8ce5bbc5f7126b2c439b3a4000000006a1d8179137542a983437bdfe2a7ab2557f535c8a78722b68a49dc00000000006a7d51718c774c928566398691d5eb68b5eb8a39b4b6d5c73555b210000000009090909090909090909090909090909090909090909090909090909090909090302000502204e000002000903e80300000000000003030104000405000000'
const SIGNATURE =
  '956f1e8734308ab8d99bc31c76c5591a5af805ad430059c0414d83e132cd929336f377bb2f6ff1f70dfee47e8f04efe48bd80b4566cfc545b3c9797c39b16f04'
const UNSIGNED = `01${'00'.repeat(64)}${MESSAGE}`
const SIGNED = `01${SIGNATURE}${MESSAGE}`

/** The shapes of the Solana family. */
export const svmWire = {
  address: SvmAddress,
  unsigned: Type.Object(
    {
      unsigned_tx_hex: hex(
        'Unsigned legacy transaction as it is sent, hex without 0x: a byte with the number of signatures, 64 bytes for each, zeros where it is still to be made, and the message, which is what is signed with ed25519.',
        UNSIGNED,
      ),
    },
    {
      title: 'SvmUnsignedTransaction',
      description: 'An unsigned transaction; a new stake account may have signed its own creation already.',
    },
  ),
  prepare: Type.Object({
    unsigned_tx_hex: hex('unsigned_tx_hex as crafted.', UNSIGNED),
    signatures: Type.Array(hex('An ed25519 signature over the message: 64 bytes, hex, with or without 0x.', SIGNATURE), {
      examples: [[SIGNATURE]],
      description:
        'Signatures that are still to be made, in any order: each is given to the signer whose key verifies it. One that is in its place already may be sent along.',
    }),
  }),
  signed: Type.Object(
    { signed_tx_hex: hex('Signed transaction, hex without 0x.', SIGNED) },
    { title: 'SvmSignedTransaction', description: 'A signed transaction, ready for broadcast.' },
  ),
  broadcast: Type.Object({ signed_tx_hex: hex('Signed transaction, hex, with or without 0x.', SIGNED) }),
}

export type SvmWire = typeof svmWire
