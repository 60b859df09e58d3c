import { Type } from 'typebox'
import { EvmAddress } from './address.ts'

const hex = (description: string, example: string) => Type.String({ description, examples: [example] })

const SERIALIZED =
  '0xf85380851a1fa4220083044dc694000000000000000000000000000000000000100089056bc75e2d63100000a484994fec000000000000000000000000000000000000000000000000000000000000000c818f8080'
const HASH = '0x8b4280caf61f3f490624bbe351613c193a369a5e06c1e651bbccd5fa72e296be'
const R = '0x7f0e73ea7b2abac33c1a7d1bf9eb603df05ee7fbc51536ea7825c300b7a776cf'
const S = '0x1b60f7cf4621260d286ab09d34a371d9f41148be46a5538696dcfc0496b19ede'
const SIGNED = `0xf89480851a1fa4220083044dc694000000000000000000000000000000000000100089056bc75e2d63100000a484994fec000000000000000000000000000000000000000000000000000000000000000c820142a0${R.slice(2)}a0${S.slice(2)}`

/** The shapes of the EVM family. Three forms of one transaction: for a library the bytes, for a custodian the hash, for a wallet the payload. */
export const evmWire = {
  address: EvmAddress,
  unsigned: Type.Object(
    {
      serialized_tx_hex: hex('Unsigned legacy transaction, EIP-155 form: RLP of nine fields, 0x-prefixed.', SERIALIZED),
      unsigned_tx_hash_hex: hex('Keccak-256 of those bytes: the hash to sign.', HASH),
      payload: Type.Object(
        {
          type: hex('Transaction type; 0x0, legacy.', '0x0'),
          nonce: hex("The signer's next nonce.", '0x0'),
          gasLimit: hex('Gas limit.', '0x44dc6'),
          to: hex('Contract called.', '0x0000000000000000000000000000000000001000'),
          value: hex('Native amount sent along, in wei.', '0x56bc75e2d63100000'),
          data: hex('Call data.', '0x84994fec000000000000000000000000000000000000000000000000000000000000000c'),
          gasPrice: hex('Gas price in wei.', '0x1a1fa42200'),
          chainId: hex('EIP-155 chain id.', '0x8f'),
        },
        { description: 'The same transaction, member by member, each a hex string.' },
      ),
    },
    { title: 'EvmUnsignedTransaction', description: 'An unsigned transaction in three equal forms.' },
  ),
  prepare: Type.Object({
    serialized_tx_hex: hex('serialized_tx_hex as crafted; the six-field form without a chain id is accepted too.', SERIALIZED),
    r: hex('r of the ECDSA signature over unsigned_tx_hash_hex, hex, with or without 0x.', R),
    s: hex('s of the signature, hex, with or without 0x; a high s is normalised.', S),
    v: Type.Unsafe<number | string>({
      type: 'integer',
      description:
        'Recovery value: 0 or 1, 27 or 28, or the EIP-155 form. Where the transaction was crafted here, a value that makes it one of another account than it was crafted for is refused; a text of the same, as custodians give it ("00", "1b"), is taken too.',
      minimum: 0,
      examples: [28],
      'x-texts': true,
    }),
  }),
  signed: Type.Object(
    { signed_tx_hex: hex('Signed transaction, 0x-prefixed.', SIGNED) },
    { title: 'EvmSignedTransaction', description: 'A signed transaction, ready for broadcast.' },
  ),
  broadcast: Type.Object({ signed_tx_hex: hex('Signed transaction, hex, with or without 0x.', SIGNED) }),
}
