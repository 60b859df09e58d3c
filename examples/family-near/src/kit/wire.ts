import { Type } from 'typebox'
import { NearAccount } from './account.ts'

const bytes = (description: string, example: string) => Type.String({ description, examples: [example] })

/** unstake_all with a pool. */
const UNSIGNED =
  '4000000032303761303637383932383231653235643737306631666261306334376331316666346238313365353431363265636539656238333965303736323331616236' +
  '00207a067892821e25d770f1fba0c47c11ff4b813e54162ece9eb839e076231ab603400f84b5a3000014000000706f6f6c2d6f6e652e706f6f6c76312e6e656172' +
  '496aca80e4d8f29fb8e8cd816c3afb48d3f103970b3a2ee1600c08ca67326dee01000000020b000000756e7374616b655f616c6c020000007b7d00d098d4af71000000000000000000000000000000000000'
const HASH = '240faf3de211a81390b14975a35360353ebb815d8052710759ef9bb56f0a21eb'
const SIGNATURE =
  '22af45fce89d6f0b4f62a60c67cd0c524d34f909ca6d436091edf8fcd6d673bd3cf9ca7cc4b0b90e50f5c6b15009c3431240d7332b828b5cceca088e8b137f08'
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

/** The shapes of the NEAR family. */
export const nearWire = {
  address: NearAccount,
  unsigned: Type.Object(
    {
      unsigned_tx_hex: bytes('The transaction in borsh, version 0, hex without 0x.', UNSIGNED),
      unsigned_tx_b64: bytes('The same in base64.', base64(UNSIGNED)),
      signing_hash_hex: bytes('SHA-256 of the transaction: what the key signs with Ed25519, as its message.', HASH),
      tx_hash: bytes(
        'The same hash in base58: by it the chain knows the transaction, and it is known before it is signed.',
        '3RmYpWHjh32ZUuAbuewLTyYRmaGeByEbgxFUfy8Fagv6',
      ),
    },
    { title: 'NearUnsignedTransaction', description: 'An unsigned transaction of NEAR: one function call.' },
  ),
  prepare: Type.Object({
    unsigned_tx_hex: bytes('unsigned_tx_hex as crafted.', UNSIGNED),
    signature_hex: bytes('An Ed25519 signature over signing_hash_hex: 64 bytes, hex, with or without 0x.', SIGNATURE),
  }),
  signed: Type.Object(
    { signed_tx_b64: bytes('Signed transaction in borsh, base64.', base64(`${UNSIGNED}00${SIGNATURE}`)) },
    { title: 'NearSignedTransaction', description: 'A signed transaction, ready for broadcast.' },
  ),
  broadcast: Type.Object({ signed_tx_b64: bytes('Signed transaction in borsh, base64.', base64(`${UNSIGNED}00${SIGNATURE}`)) }),
}

export type NearWire = typeof nearWire
