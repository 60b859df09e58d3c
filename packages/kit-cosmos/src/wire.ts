import { Type } from 'typebox'
import { addressSchema } from './address.ts'
import type { ChainAccounts } from './chain.ts'

const hex = (description: string, example: string) => Type.String({ description, examples: [example] })

const BODY =
  '0a9e010a232f636f736d6f732e7374616b696e672e763162657461312e4d736744656c656761746512770a2d636f736d6f73316d6e796e37783234786a3676726178656571353664666b7861303039747668676b6e686d30341234636f736d6f7376616c6f706572317967337a7967337a7967337a7967337a7967337a7967337a7967337a7967337a743578336b741a100a057561746f6d120731353030303030'
const AUTH_INFO =
  '0a500a460a1f2f636f736d6f732e63727970746f2e736563703235366b312e5075624b657912230a21034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff12040a020801180712130a0d0a057561746f6d12043135303010e0a712'
const UNSIGNED = `0aa101${BODY}1267${AUTH_INFO}`
const HASH = '6959552a75541c2c4521357ad80c688c69a77087414e134debb66c054bc72c08'
const SIGNATURE =
  'c9c18f84d76cabd525f0fbb73e555cea873878b6bbe3899985b2cf7ae774ddb666446128707c350682090c8dfab9318a04d12a57f7d18e30325b5af64158ab0d'
const SIGNED = `${UNSIGNED}1a40${SIGNATURE}`

const unsignedWith = (hash: 'SHA-256' | 'keccak-256') =>
  Type.Object(
    {
      unsigned_tx_hex: hex(
        'Unsigned transaction: protobuf TxRaw with body and auth info and without signatures, hex without 0x.',
        UNSIGNED,
      ),
      tx_auth_info_hex: hex('The AuthInfo within it: public key, sequence, gas limit and fee.', AUTH_INFO),
      unsigned_tx_hash_hex: hex(
        `${hash} of the SignDoc, which binds the transaction to its chain and account number: the hash to sign with secp256k1.`,
        HASH,
      ),
    },
    {
      title: hash === 'SHA-256' ? 'CosmosUnsignedTransaction' : 'CosmosKeccakUnsignedTransaction',
      description: 'An unsigned transaction in SIGN_MODE_DIRECT, and the hash to sign.',
    },
  )

const prepare = Type.Object({
  tx_body_hex: hex('unsigned_tx_hex as crafted, or the TxBody within it.', UNSIGNED),
  tx_auth_info_hex: hex(
    'tx_auth_info_hex as crafted. Where a hardware wallet has signed the amino JSON of the transaction, with the sign mode 127 in it in place of 1.',
    AUTH_INFO,
  ),
  signature_hex: hex(
    'ECDSA signature over unsigned_tx_hash_hex: 64 bytes, r and s, hex, with or without 0x. DER, a recovery byte at either end, and base64 are accepted too; a high s is normalised.',
    SIGNATURE,
  ),
})

const signed = Type.Object(
  { signed_tx_hex: hex('Signed transaction: protobuf TxRaw, hex without 0x.', SIGNED) },
  { title: 'CosmosSignedTransaction', description: 'A signed transaction, ready for broadcast.' },
)

const broadcast = Type.Object({ signed_tx_hex: hex('Signed transaction, hex, with or without 0x.', SIGNED) })

/** Makes the schemas of the Cosmos family. They are the same on every chain, up to the prefix of addresses and the name of the hash that is signed. */
export function cosmosWire({ prefix, algorithm }: ChainAccounts, exampleAddress: string) {
  const unsigned = algorithm === 'secp256k1' ? unsignedWith('SHA-256') : unsignedWith('keccak-256')
  return { address: addressSchema(prefix, exampleAddress), unsigned, prepare, signed, broadcast }
}

export type CosmosWire = ReturnType<typeof cosmosWire>
