import t from 'tap'
import { cosmos, namesIn } from '../../src/cosmos/index.ts'
import { bytes } from '../support/vectors.ts'
import { LAYOUTS } from './support/layouts.ts'
import { type CosmosVector, chainOf, craftOf, digits, keyed, send, vectors } from './support/vectors.ts'
import { writeTransaction } from './support/write.ts'

const explain = async ({ chain }: Pick<CosmosVector, 'chain'>, text: string, number?: string) => {
  const { chainId } = chain
  const family = cosmos(keyed(chain))
  if (!family.explain) throw new Error('the family reads any transaction')
  const terms = { chainId, caip2: `cosmos:${chainId}`, decimals: 6, symbol: 'ATOM', max_fee: '1' }
  return family.explain(text, { layouts: LAYOUTS }, terms, number === undefined ? {} : { 'x-account-number': number })
}
const signedOf = ({ body, authInfo }: CosmosVector, ...signatures: string[]) =>
  digits(writeTransaction(bytes(body), bytes(authInfo), ...signatures.map(bytes)))

t.test('every vector, unsigned and signed, in hex and base64', async (t) => {
  for (const vector of vectors) {
    const { accountNumber } = vector.chain
    const craft = craftOf(vector)
    const unsigned = await explain(vector, craft.unsigned_tx_hex, accountNumber)
    t.strictSame([unsigned.form, unsigned.hash, unsigned.txHash], ['unsigned', vector.hash, null], vector.name)
    t.strictSame(unsigned.signers, [{ address: vector.signer, signature: 'missing' }])
    t.strictSame(unsigned.unsigned, { ...craft })
    t.equal(unsigned.decoded.calls[0]?.method, vector.call.method)
    t.equal(unsigned.decoded.terms.accountNumber, chainOf(vector).accountNumber)

    const text = signedOf(vector, vector.signature)
    const signed = await explain(vector, text, accountNumber)
    t.strictSame([signed.form, signed.hash, signed.txHash], ['signed', vector.hash, vector.transactionHash.toUpperCase()])
    t.strictSame(signed.signers, [{ address: vector.signer, signature: 'right' }])
    t.strictSame([signed.decoded, signed.unsigned], [unsigned.decoded, unsigned.unsigned])
    t.strictSame(await explain(vector, Buffer.from(text, 'hex').toString('base64'), accountNumber), signed)
  }
})

t.test('without an account number neither hash nor signature can be told, and that is said', async (t) => {
  const [vector] = vectors
  if (!vector) throw new Error('there is a vector')
  const read = await explain(vector, signedOf(vector, vector.signature))
  t.equal(read.hash, null)
  t.strictSame(read.signers, [{ address: vector.signer, signature: 'unchecked' }])
  t.notOk('accountNumber' in read.decoded.terms)
  t.match(read.notes.join(' '), /account number/)
  t.equal(read.txHash, vector.transactionHash.toUpperCase())
})

t.test('a signature over something else, by another key, or with the upper s is wrong', async (t) => {
  const [vector] = vectors
  if (!vector) throw new Error('there is a vector')
  const { signature, chain } = vector
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const upper = signature.slice(0, 64) + (order - BigInt(`0x${signature.slice(64)}`)).toString(16).padStart(64, '0')
  const wrong = [{ address: vector.signer, signature: 'wrong' }]
  t.strictSame((await explain(vector, signedOf(vector, signature), '12')).signers, wrong, 'of another account')
  t.strictSame((await explain(vector, signedOf(vector, upper), chain.accountNumber)).signers, wrong, 'the upper s')
  t.strictSame((await explain(vector, signedOf(vector, `${'00'.repeat(63)}01`), chain.accountNumber)).signers, wrong, 'no signature')
  for (let at = 0; at < 64; at++) {
    const changed = Buffer.from(signature, 'hex')
    changed[at] = (changed[at] ?? 0) ^ 1
    t.strictSame((await explain(vector, signedOf(vector, changed.toString('hex')), chain.accountNumber)).signers, wrong, `byte ${at}`)
  }
})

t.test('what is no transaction is refused with a sentence', async (t) => {
  const [vector] = vectors
  if (!vector) throw new Error('there is a vector')
  const refused = (text: string, message: RegExp, number?: string) =>
    t.rejects(explain(vector, text, number), { code: 'DECODE_FAILED', message })
  await refused('!', /must be hex or base64/)
  await refused(signedOf(vector, vector.signature, vector.signature), /has 2 signatures; one key signs/)
  await refused(signedOf(vector, vector.signature.slice(2)), /has 63 bytes; it must have 64/)
  await refused(`${signedOf(vector, vector.signature)}22`, /the transaction/)
  await refused(signedOf(vector), /x-account-number/, 'three')
})

t.test('the bytes themselves name prefix and base unit, in passing', async (t) => {
  for (const vector of [...vectors, send]) {
    const { prefix, denom } = vector.chain
    t.strictSame(
      namesIn(digits(writeTransaction(bytes(vector.body), bytes(vector.authInfo)))),
      { prefix, denom, algorithm: 'secp256k1' },
      vector.name,
    )
  }
  const [vector] = vectors
  if (!vector) throw new Error('there is a vector')
  const mixed = digits(writeTransaction(bytes(send.body), bytes(vector.authInfo)))
  t.throws(() => namesIn(mixed), { code: 'DECODE_FAILED', message: /address of who signs is nowhere/ })
})
