import { createHash } from 'node:crypto'
import t from 'tap'
import { svm } from '../../src/svm/index.ts'
import { LAYOUTS } from './support/layouts.ts'
import { callsOf, type SvmVector, vectors } from './support/vectors.ts'

const terms = { chainId: 'mainnet-beta', caip2: 'solana:x', decimals: 9, symbol: 'SOL', max_fee: '1' }
const explain = async (text: string) => {
  if (!svm.explain) throw new Error('the family reads any transaction')
  return svm.explain(text, { layouts: LAYOUTS }, terms, {})
}
/** The wallet's signature is the first, behind one byte with their number. */
const signedOf = ({ unsigned, walletSignature }: SvmVector) => unsigned.slice(0, 2) + walletSignature + unsigned.slice(130)

t.test('every vector, unsigned and signed, in hex and base64', async (t) => {
  for (const vector of vectors) {
    const unsigned = await explain(vector.unsigned)
    t.strictSame([unsigned.form, unsigned.hash, unsigned.txHash], ['unsigned', null, null], vector.name)
    t.strictSame(unsigned.signers[0], { address: vector.signers[0], signature: 'missing' })
    t.strictSame(
      unsigned.signers.slice(1),
      vector.signers.slice(1).map((address) => ({ address, signature: 'right' })),
      'a fresh account has signed',
    )
    t.strictSame(unsigned.decoded.calls, callsOf(vector))

    const text = signedOf(vector)
    const signed = await explain(text)
    t.strictSame([signed.form, signed.txHash], ['signed', vector.transactionHash])
    t.strictSame(
      signed.signers,
      vector.signers.map((address) => ({ address, signature: 'right' })),
    )
    t.strictSame(signed.decoded.calls, unsigned.decoded.calls)
    t.strictSame(await explain(Buffer.from(text, 'hex').toString('base64')), signed)
    const message = Buffer.from(text, 'hex').subarray(1 + 64 * vector.signers.length)
    t.equal(createHash('sha256').update(message).digest('hex'), vector.messageHash)
  }
})

t.test('a signature over something else is wrong', async (t) => {
  const [vector] = vectors
  if (!vector) throw new Error('there is a vector')
  const text = signedOf(vector)
  const changed = `${text.slice(0, 3)}${text[3] === '0' ? '1' : '0'}${text.slice(4)}`
  t.equal((await explain(changed)).signers[0]?.signature, 'wrong')
})

t.test('what is no legacy transaction is refused with a sentence', async (t) => {
  const [vector] = vectors
  if (!vector) throw new Error('there is a vector')
  const refused = (text: string, message: RegExp) => t.rejects(explain(text), { code: 'DECODE_FAILED', message })
  await refused('zz', /must be hex or base64/)
  await refused(vector.unsigned.slice(2), /./)
  await refused(`01${'00'.repeat(64)}80`, /version 0; it must be a message of the legacy format/)
  await refused(`${vector.unsigned}00`, /none may be left over/)
  await refused('00'.repeat(1233), /1232 bytes at most/)
})
