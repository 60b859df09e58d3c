// What hardware wallets sign, against documents and signatures of @cosmjs.
import t from 'tap'
import { aminoBytes, aminoDocument } from '../../src/cosmos/amino.ts'
import { aminoDocumentOf, type CosmosCraft, cosmos, writeAminoSigned } from '../../src/cosmos/index.ts'
import { bytes, readVectors } from '../support/vectors.ts'
import { LAYOUTS } from './support/layouts.ts'
import { type CosmosVector, chainOf, craftOf, digits, ethereum, keyed, send, vectors } from './support/vectors.ts'
import { any, field, join, writeTransaction } from './support/write.ts'

const signed = readVectors<{
  vectors: readonly { readonly name: string; readonly memo: string; readonly document: string; readonly signature: string }[]
}>('cosmos-amino').vectors.map((each) => ({ ...each, vector: vectorOf(each.name) }))

function vectorOf(name: string): CosmosVector {
  const vector = vectors.find((each) => each.name === name)
  if (!vector) throw new Error(`${name} is a vector`)
  return vector
}

/** A craft of a vector with a memo. */
function crafted({ body, authInfo, hash }: CosmosVector, memo = ''): CosmosCraft {
  const bodyBytes = join(bytes(body), field(2, memo))
  return { ...craftOf({ body, authInfo, hash }), unsigned_tx_hex: digits(writeTransaction(bodyBytes, bytes(authInfo))) }
}

const explain = (
  { chain }: Pick<CosmosVector, 'chain'>,
  text: string,
  { memo = '', number = chain.accountNumber as string | null } = {},
) => {
  const { chainId } = chain
  const terms = { chainId, caip2: `cosmos:${chainId}`, decimals: 6, symbol: 'ATOM', max_fee: '1', memo }
  return cosmos(keyed(chain)).explain!(text, { layouts: LAYOUTS }, terms, number === null ? {} : { 'x-account-number': number })
}

t.test('the document of each craft is the one that another writer makes, and its signature is read', async (t) => {
  t.equal(signed.length, 8)
  for (const { vector, memo, document, signature } of signed) {
    const craft = crafted(vector, memo)
    const own = aminoDocumentOf(craft, chainOf(vector))
    t.strictSame(own, JSON.parse(document), vector.name)
    t.equal(Buffer.from(aminoBytes(own)).toString(), document, 'with the members in their order, and escaped')

    const text = writeAminoSigned(craft, own, bytes(signature))
    const read = await explain(vector, text, { memo })
    t.strictSame([read.form, read.signers], ['signed', [{ address: vector.signer, signature: 'right' }]])
    t.equal(read.decoded.terms.signMode, 'SIGN_MODE_LEGACY_AMINO_JSON')
    t.equal(read.decoded.calls[0]?.method, vector.call.method)
    t.equal(read.decoded.terms.fee, BigInt(vector.fee))
    t.equal((await explain(vector, text, { memo, number: '1' })).signers[0]?.signature, 'wrong', 'for another account')
    t.equal((await explain(vector, text, { memo, number: null })).signers[0]?.signature, 'unchecked')
  }
})

t.test('a signature of one mode is none of the other', async (t) => {
  const [{ vector, signature, document } = signed[1]!] = signed
  const direct = digits(writeTransaction(bytes(vector.body), bytes(vector.authInfo), bytes(signature)))
  t.equal((await explain(vector, direct)).signers[0]?.signature, 'wrong')
  const amino = writeAminoSigned(craftOf(vector), JSON.parse(document), bytes(vector.signature))
  t.equal((await explain(vector, amino)).signers[0]?.signature, 'wrong')
})

t.test('a document with another fee, gas or memo than the bytes have is not what was signed', async (t) => {
  const [{ vector, signature, document } = signed[1]!] = signed
  const { fee } = JSON.parse(document)
  for (const change of [{ gas: '300001' }, { amount: [{ denom: 'uatom', amount: '1501' }] }, { amount: [] }]) {
    const text = writeAminoSigned(craftOf(vector), { fee: { ...fee, ...change } }, bytes(signature))
    t.equal((await explain(vector, text)).signers[0]?.signature, 'wrong', JSON.stringify(change))
  }
  const noted = writeAminoSigned(crafted(vector, 'a memo'), { fee }, bytes(signature))
  t.equal((await explain(vector, noted, { memo: 'a memo' })).signers[0]?.signature, 'wrong')
  for (const gas of ['', '-1', '0', '1.5', '1e9', '9'.repeat(20)])
    t.throws(() => writeAminoSigned(craftOf(vector), { fee: { ...fee, gas } }, bytes(signature)), {
      code: 'DECODE_FAILED',
      message: /^fee.gas is /,
    })
})

t.test('what has no such document is refused with a sentence: other messages, keys of Ethereum', async (t) => {
  t.throws(() => aminoDocumentOf(craftOf(send), chainOf(send)), {
    code: 'DECODE_FAILED',
    message: /is of the type "\/cosmos.bank.v1beta1.MsgSend", whose form in amino JSON is not known here; it must be one of \/cosmos/,
  })
  const [vector] = ethereum
  const own = aminoDocumentOf(craftOf(vector!), chainOf(vector!))
  await t.rejects(explain(vector!, writeAminoSigned(craftOf(vector!), own, bytes(vector!.signature))), { message: /EIP-712/ })
})

t.test('separators that end a line of JavaScript are escaped as Go does', async (t) => {
  const { chainId } = vectors[0]!.chain
  const document = aminoDocument({
    bodyBytes: join(
      field(1, any('/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', join(field(1, 'a'), field(2, 'b')))),
      field(2, 'a\u2028b\u2029'),
    ),
    authInfoBytes: bytes(vectors[0]!.authInfo),
    chainId,
    accountNumber: 0n,
  })
  t.match(Buffer.from(aminoBytes(document)).toString(), '"memo":"a\\u2028b\\u2029"')
})
