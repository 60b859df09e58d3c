import t from 'tap'
import { move } from '../../src/move/index.ts'
import { bytes } from '../support/vectors.ts'
import { callsOf, MAINNET, type MoveVector, vectors } from './support/vectors.ts'

const terms = {
  chainId: 'mainnet',
  caip2: 'sui:mainnet',
  decimals: 9,
  symbol: 'SUI',
  max_fee: '1',
  chain_identifier: MAINNET.chainIdentifier,
}
const explain = async (text: string, vector: MoveVector) => {
  if (!move.explain) throw new Error('the family reads any transaction')
  return move.explain(text, { functions: callsOf(vector) }, terms, {})
}
const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const signedOf = ({ unsigned_tx_b64, signature }: MoveVector) => json({ bytes: unsigned_tx_b64, signatures: [signature] })

t.test('every vector, unsigned and signed, in base64 and hex', async (t) => {
  for (const vector of vectors) {
    const unsigned = await explain(vector.unsigned_tx_b64, vector)
    t.strictSame(
      [unsigned.form, unsigned.txHash, unsigned.unsigned.unsigned_tx_b64],
      ['unsigned', null, vector.unsigned_tx_b64],
      vector.name,
    )
    if (vector.intentHash !== undefined) t.equal(unsigned.hash, `0x${vector.intentHash}`)
    t.strictSame(
      unsigned.signers,
      vector.signers.map((address) => ({ address, signature: 'missing' })),
    )
    t.strictSame(unsigned.decoded.calls, callsOf(vector))
    t.strictSame(await explain(Buffer.from(vector.unsigned_tx_b64, 'base64').toString('hex'), vector), unsigned)

    const signed = await explain(signedOf(vector), vector)
    t.strictSame(signed.signers[0], { address: vector.signers[0], signature: 'right' })
    const whole = vector.signers.length === 1
    t.strictSame([signed.form, signed.txHash], whole ? ['signed', vector.digest] : ['unsigned', null])
    t.strictSame([signed.decoded, signed.hash], [unsigned.decoded, unsigned.hash])
  }
})

t.test('a signature over something else is wrong, and one by somebody else is refused', async (t) => {
  const [vector] = vectors
  if (!vector) throw new Error('there is a vector')
  const changed = Buffer.from(vector.signature, 'base64')
  changed[5] = (changed[5] ?? 0) ^ 1
  const { unsigned_tx_b64, signature } = vector
  const wrong = await explain(json({ bytes: unsigned_tx_b64, signatures: [changed.toString('base64')] }), vector)
  t.equal(wrong.signers[0]?.signature, 'wrong')
  const other = Buffer.from(vector.signature, 'base64')
  other[90] = (other[90] ?? 0) ^ 1
  const refused = (value: unknown, message: RegExp) => t.rejects(explain(json(value), vector), { code: 'DECODE_FAILED', message })
  await refused({ bytes: unsigned_tx_b64, signatures: [other.toString('base64')] }, /one by each of 0x1601.* is needed, and no other/)
  await refused({ bytes: unsigned_tx_b64, signatures: [signature, signature] }, /signature 1 is by/)
  await refused({ bytes: unsigned_tx_b64, signatures: [json('x')] }, /base64 of 97 bytes/)
  await refused({ bytes: unsigned_tx_b64, signatures: [signature], more: 1 }, /in another form/)
  await refused({ signatures: [signature] }, /without `bytes`/)
  await t.rejects(explain(Buffer.from('{"').toString('base64'), vector), { code: 'DECODE_FAILED', message: /as JSON does/ })
})

t.test('what is no transaction is refused with a sentence', async (t) => {
  const [vector] = vectors
  if (!vector) throw new Error('there is a vector')
  await t.rejects(explain('?', vector), { code: 'DECODE_FAILED', message: /must be hex or base64/ })
  await t.rejects(explain(Buffer.from([...bytes('010203')]).toString('base64'), vector), { code: 'DECODE_FAILED', message: /version 2/ })
  const data = Buffer.from(vector.unsigned_tx_b64, 'base64')
  await t.rejects(explain(Buffer.concat([data, Buffer.of(0)]).toString('base64'), vector), { code: 'DECODE_FAILED' })
})
