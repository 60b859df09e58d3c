import { encodeRlp, SigningKey, Transaction, toBeHex } from 'ethers'
import fc from 'fast-check'
import t from 'tap'
import { evm } from '../src/index.ts'
import { contextOf, silent } from './support/node.ts'
import { ORDER, vector } from './support/vector.ts'

const body = { serialized_tx_hex: vector.serialized, r: vector.r as string, s: vector.s as string, v: vector.v as number }
const ctx = contextOf(silent)
const prepare = (changes: Partial<typeof body> = {}, context = ctx) => evm.prepare(context, { ...body, ...changes } as typeof body)
const key = new SigningKey(vector.key)

t.teardown(() => ctx.client.destroy())

/** The transaction of the vector, with other members. */
function unsigned(changes: object = {}): Transaction {
  const from = {
    type: 0,
    chainId: 143n,
    nonce: 0,
    gasPrice: 112_200_000_000n,
    gasLimit: 282_054n,
    to: `0x${'0'.repeat(36)}1000`,
    value: 100n * 10n ** 18n,
    data: vector.data,
  }
  return Transaction.from({ ...from, ...changes })
}

t.test('the vector comes out exactly, for every way to write v', async (t) => {
  for (const v of [28, 1, 322]) t.same(await prepare({ v }), { signed_tx_hex: vector.signed }, `v ${v}`)
})

t.test('its names come from its bytes, and are the same before and after it is signed', async (t) => {
  const sixFields = encodeRlp(['0x', '0x1a1fa42200', '0x044dc6', `0x${'0'.repeat(36)}1000`, '0x056bc75e2d63100000', vector.data])
  for (const serialized_tx_hex of [vector.serialized, vector.serialized.slice(2).toUpperCase(), sixFields])
    t.equal(evm.names.unsigned({ ...body, serialized_tx_hex }, ctx.network), vector.hash)
  const names = { unsignedHash: vector.hash, txHash: vector.txHash }
  for (const signed_tx_hex of [vector.signed, vector.signed.slice(2).toUpperCase()])
    t.same(evm.names.signed({ signed_tx_hex }, ctx.network), names)
  t.throws(() => evm.names.unsigned({ ...body, serialized_tx_hex: vector.signed }, ctx.network), { code: 'TRANSACTION_INVALID' })
  t.throws(() => evm.names.signed({ signed_tx_hex: vector.serialized }, ctx.network), {
    code: 'TRANSACTION_INVALID',
    message: /not signed/,
  })
})

t.test('v may be a text, where it means one parity alone', async (t) => {
  const withText = (v: string) => prepare({ v: v as never })
  for (const v of ['28', '1', '01', '0x1c', '1C', '322', '0x142']) t.same(await withText(v), { signed_tx_hex: vector.signed }, v)
  for (const v of ['', '29', 'odd', '0x', '-1', '1.0', '99999999999999999999'])
    await t.rejects(withText(v), { statusCode: 400, code: 'SIGNATURE_INVALID' }, v)
})

t.test('a signature of another account than the bytes were crafted for is refused, whatever makes it one', async (t) => {
  const crafted = (changes: Partial<typeof body>, ...wallets: string[]) =>
    evm.prepare(ctx, { ...body, ...changes } as typeof body, async () => wallets)
  const other = `0x${'1'.repeat(40)}`
  t.same(await crafted({}, vector.address), { signed_tx_hex: vector.signed })
  t.same(await crafted({}, other, vector.address), { signed_tx_hex: vector.signed }, 'two wallets may have the same bytes')
  const high = `0x${(ORDER - BigInt(vector.s)).toString(16)}`
  t.same(await crafted({ s: high, v: 27 }, vector.address), { signed_tx_hex: vector.signed }, 'a high s with its own v')
  const parity = { statusCode: 400, code: 'SIGNATURE_INVALID', message: /whose signature it is with the other parity of v/ }
  await t.rejects(crafted({ v: 27 }, vector.address), parity, 'a wrong v')
  await t.rejects(crafted({ s: high }, vector.address), parity, 'a high s with the v of the low one')
  await t.rejects(crafted({}, other), { ...parity, message: new RegExp(`one of ${vector.address}, .* crafted for ${other}, .* with no v`) })
})

t.test('the other parity is another signer, in every way to write it', async (t) => {
  for (const v of [27, 0, 321]) {
    const { signed_tx_hex } = await prepare({ v })
    t.match(Transaction.from(signed_tx_hex), { chainId: 143n })
    t.not(Transaction.from(signed_tx_hex).from, vector.address)
  }
})

t.test('r and s may come without 0x, in upper case, and with leading zeros stripped or added', async (t) => {
  t.same(await prepare({ r: vector.r.slice(2), s: vector.s.slice(2) }), { signed_tx_hex: vector.signed })
  t.same(await prepare({ r: `0X${vector.r.slice(2).toUpperCase()}`, s: `0x${vector.s.slice(2).toUpperCase()}` }), {
    signed_tx_hex: vector.signed,
  })
  t.same(await prepare({ r: `0x0000${vector.r.slice(2)}` }), { signed_tx_hex: vector.signed })
  t.same(await prepare({ serialized_tx_hex: vector.serialized.slice(2).toUpperCase() as never }), { signed_tx_hex: vector.signed })
  // Signatures whose r, or s, begins with zeros, which some libraries leave out.
  let stripped = 0
  for (let nonce = 0; stripped < 3; nonce++) {
    const transaction = unsigned({ nonce })
    const { r, s, yParity } = key.sign(transaction.unsignedHash)
    if (!/^0x0/.test(r) && !/^0x0/.test(s)) continue
    stripped++
    const short = (hex: string) => `0x${BigInt(hex).toString(16)}`
    const { signed_tx_hex } = await prepare({
      serialized_tx_hex: transaction.unsignedSerialized as never,
      r: short(r),
      s: short(s),
      v: yParity,
    })
    t.equal(Transaction.from(signed_tx_hex).from, vector.address)
  }
})

t.test('a high s is normalised, and the signer stays the same', async (t) => {
  const high = toBeHex(ORDER - BigInt(vector.s), 32)
  for (const v of [27, 0, 321]) t.same(await prepare({ s: high, v }), { signed_tx_hex: vector.signed }, `v ${v}`)
})

t.test('the six-field form gets the chain of the network', async (t) => {
  const { nonce, gasPrice, gasLimit, to, value, data } = unsigned({ nonce: 5 })
  const fields = [nonce, gasPrice!, gasLimit].map((field) => (BigInt(field) === 0n ? '0x' : toBeHex(field)))
  const six = encodeRlp([...fields, to!, toBeHex(value), data])
  const { r, s, v } = key.sign(unsigned({ nonce: 5 }).unsignedHash)
  const { signed_tx_hex } = await prepare({ serialized_tx_hex: six as never, r, s, v })
  t.match(Transaction.from(signed_tx_hex), { from: vector.address, chainId: 143n, nonce: 5 })
})

t.test('whatever was signed comes out with its signer, and can be read by another library', async (t) => {
  const transactions = fc.record({
    nonce: fc.nat(),
    gasPrice: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    gasLimit: fc.bigInt({ min: 21_000n, max: 30_000_000n }),
    value: fc.bigInt({ min: 0n, max: 1n << 128n }),
    data: fc.uint8Array({ maxLength: 120 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  })
  const secrets = fc.bigInt({ min: 1n, max: ORDER - 1n })
  await fc.assert(
    fc.asyncProperty(transactions, secrets, fc.constantFrom(0, 27, 321), fc.boolean(), async (fields, secret, base, high) => {
      const signer = new SigningKey(toBeHex(secret, 32))
      const transaction = unsigned(fields)
      const signature = signer.sign(transaction.unsignedHash)
      const { signed_tx_hex } = await prepare({
        serialized_tx_hex: transaction.unsignedSerialized as never,
        r: signature.r,
        s: high ? toBeHex(ORDER - BigInt(signature.s), 32) : signature.s,
        v: base + (high ? 1 - signature.yParity : signature.yParity),
      })
      transaction.signature = signature
      return signed_tx_hex === transaction.serialized
    }),
    { numRuns: 40 },
  )
  t.pass('40 transactions')
})

t.test('a v that belongs to another chain, or to none, is refused', async (t) => {
  for (const v of [2, 26, 29, 35, 36, 37, 38, 320, 323, 2 ** 53]) {
    await t.rejects(
      prepare({ v }),
      { statusCode: 400, code: 'SIGNATURE_INVALID', message: /does not belong to chain 143: it is 0 or 1, 27 or 28, or 321 or 322/ },
      `v ${v}`,
    )
  }
})

t.test('numbers that are no part of a signature are refused by name', async (t) => {
  const outside = { statusCode: 400, code: 'SIGNATURE_INVALID' }
  for (const scalar of ['0x0', toBeHex(ORDER, 32), `0x${'f'.repeat(64)}`, `0x${'f'.repeat(80)}`]) {
    await t.rejects(prepare({ r: scalar }), { ...outside, message: /^r is not part/ })
    await t.rejects(prepare({ s: scalar }), { ...outside, message: /^s is not part/ })
  }
  for (const text of ['', '0x', 'zz', '-1', '0x 1', '1.5'])
    await t.rejects(prepare({ r: text }), { statusCode: 400, code: 'HEX_INVALID', message: /^r is not hexadecimal/ }, text)
})

t.test('a signature from which no address can be recovered is refused', async (t) => {
  // 5³ + 7 is no square modulo the field's prime, so that no point of the curve has the x coordinate 5.
  await t.rejects(prepare({ r: '0x5' }), { statusCode: 400, code: 'SIGNATURE_INVALID', message: /No address can be recovered/ })
})

t.test("another chain's transaction is refused", async (t) => {
  const foreign = unsigned({ chainId: 1n })
  await t.rejects(prepare({ serialized_tx_hex: foreign.unsignedSerialized as never }), {
    statusCode: 400,
    code: 'CHAIN_ID_MISMATCH',
    message: 'serialized_tx_hex is for chain 1; this request goes to chain 143.',
  })
})

t.test('a transaction that is signed already, or typed, is refused', async (t) => {
  const refused = { statusCode: 400, code: 'TRANSACTION_INVALID' }
  await t.rejects(prepare({ serialized_tx_hex: vector.signed as never }), { ...refused, message: /signed already/ })
  const typed = unsigned({ type: 2, gasPrice: null, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })
  await t.rejects(prepare({ serialized_tx_hex: typed.unsignedSerialized as never }), { ...refused, message: /type 2.*type 0/ })
  const listed = unsigned({ type: 1 })
  await t.rejects(prepare({ serialized_tx_hex: listed.unsignedSerialized as never }), { ...refused, message: /type 1/ })
})

t.test('bytes that are no transaction, or not the one that was crafted, are refused', async (t) => {
  const refused = { statusCode: 400, code: 'TRANSACTION_INVALID' }
  const cut = (serialized: string) => prepare({ serialized_tx_hex: serialized as never })
  await t.rejects(cut(vector.serialized.slice(0, -1)), { ...refused, message: /odd number of digits/ })
  await t.rejects(cut(vector.serialized.slice(0, -2)), refused, 'truncated')
  await t.rejects(cut(`${vector.serialized}00`), refused, 'with a byte behind it')
  await t.rejects(cut('0xc0'), refused, 'an empty list')
  await t.rejects(cut('0x00'), refused, 'no list')
  await t.rejects(cut(vector.hash), refused, 'its hash')
  // The nonce 0 written as the byte 00 instead of the empty string: a different encoding, hence a different hash.
  await t.rejects(cut(vector.serialized.replace('0xf85380', '0xf85300')), { ...refused, message: /canonical|cannot be read/ })
  await t.rejects(cut('0xzz'), { statusCode: 400, code: 'HEX_INVALID' })
  await t.rejects(cut(`0x${'00'.repeat(131_073)}`), { statusCode: 400, code: 'HEX_INVALID', message: /longer than 131072 bytes/ })
})

t.test('every cut and every changed byte of the vector is refused or is another transaction, never a fault', async (t) => {
  const bytes = Buffer.from(vector.serialized.slice(2), 'hex')
  for (let at = 0; at < bytes.length; at++) {
    for (const changed of [bytes.subarray(0, at), Buffer.from(bytes).fill(bytes[at]! ^ 0xff, at, at + 1)]) {
      try {
        const { signed_tx_hex } = await prepare({ serialized_tx_hex: `0x${changed.toString('hex')}` as never })
        if (Transaction.from(signed_tx_hex).unsignedSerialized !== `0x${changed.toString('hex')}`)
          t.fail(`byte ${at}: other bytes were signed`)
      } catch (error) {
        if ((error as { statusCode?: number }).statusCode !== 400) t.fail(`byte ${at}: ${error}`)
      }
    }
  }
  t.pass('all looked at')
})

t.test('prepare asks the chain nothing', async (t) => {
  t.same(silent.asked, [])
})
