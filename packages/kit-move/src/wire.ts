import { Type } from 'typebox'
import { MoveAddress } from './address.ts'

const UNSIGNED =
  'AAACAQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABQEAAAAAAAAAAQEAMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMMAAAAAAAAACADAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMKc3VpX3N5c3RlbRZyZXF1ZXN0X3dpdGhkcmF3X3N0YWtlAAIBAAABAQAWAXmhVl6nz/J+rSP1TMf1CJO/WBVc1yhRVuV6+jHDrAIREREREREREREREREREREREREREREREREREREREREREQcAAAAAAAAAIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIJAAAAAAAAACACAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAhYBeaFWXqfP8n6tI/VMx/UIk79YFVzXKFFW5Xr6McOs9AEAAAAAAAAALTEBAAAAAAA='
const SIGNATURE =
  'AHD6itud65PSJCWsvjQOlbBQt6P+s5L2NR5gFIxCAYWJmN5K1VNp4KGpPkDXAibou5eBZzShmHiD9W3Law6DQwkDoQe/884Qvh1w3RjnS8CZZ+TWMJulDV8d3IZkElUxuA=='
const SIGNED = Buffer.from(JSON.stringify({ bytes: UNSIGNED, signatures: [SIGNATURE] })).toString('base64')

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const unsignedText = (description: string) => text(description, UNSIGNED)
const signatures = Type.Array(Type.String({ examples: [SIGNATURE] }), {
  description:
    'One serialized signature for each signer, base64: flag, signature and public key. Signed is the BLAKE2b-256 hash of the bytes 00 00 00 and the transaction.',
  examples: [[SIGNATURE]],
})

/** The shapes of the Move family: BCS in base64. */
export const moveWire = {
  address: MoveAddress,
  unsigned: Type.Object(
    { unsigned_tx_b64: unsignedText('Unsigned transaction: BCS of TransactionData, base64.') },
    { title: 'MoveUnsignedTransaction', description: 'An unsigned transaction, ready to be signed.' },
  ),
  prepare: Type.Object({ unsigned_tx_b64: unsignedText('unsigned_tx_b64 as crafted.'), signatures }),
  signed: Type.Object(
    { signed_tx_b64: text('Signed transaction: base64 of a JSON object with the members bytes and signatures.', SIGNED) },
    { title: 'MoveSignedTransaction', description: 'A signed transaction, ready for broadcast.' },
  ),
  broadcast: Type.Object(
    {
      signed_tx_b64: Type.Optional(text('Signed transaction as prepare returned it.', SIGNED)),
      unsigned_tx_b64: Type.Optional(unsignedText('unsigned_tx_b64 as crafted; together with signatures.')),
      signatures: Type.Optional(signatures),
    },
    { description: 'signed_tx_b64, or unsigned_tx_b64 and signatures. Where all are given they must be of one transaction.' },
  ),
}

export type MoveWire = typeof moveWire
