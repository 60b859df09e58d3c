import t from 'tap'
import { evm } from '../../src/evm/index.ts'
import type { NetworkTerms } from '../../src/intent/index.ts'
import { transactions } from '../support/vectors.ts'
import { writeRlp } from '../support/write.ts'

const terms: NetworkTerms = { chainId: '1', caip2: 'eip155:1', decimals: 18, symbol: 'ETH', max_fee: '1' }
const explain = async (text: string, methods: readonly string[] = []) => {
  if (!evm.explain) throw new Error('the family reads any transaction')
  return evm.explain(text, { methods }, terms, {})
}

/** The example of EIP-155, signed by the key 0x4646…46: https://eips.ethereum.org/EIPS/eip-155 (read 2026-11-22). */
const SIGNED =
  '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'
const SENDER = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const HASH = '0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53'
const [example, delegate] = transactions
if (!example || !delegate) throw new Error('the vectors begin with two transactions')

const R = `0x${SIGNED.slice(-130, -66)}`
const S = `0x${SIGNED.slice(-64)}`
const HEAD = ['0x09', '0x04a817c800', '0x5208', `0x${'35'.repeat(20)}`, '0x0de0b6b3a7640000', '0x']
const text = (...fields: readonly string[]) => Buffer.from(writeRlp(fields)).toString('hex')

t.test('an unsigned transaction says what it does, its hash, and not who signs', async (t) => {
  const read = await explain(example.craft.serialized_tx_hex)
  t.equal(read.form, 'unsigned')
  t.strictSame([read.signers, read.hash, read.txHash], [[], HASH, null])
  t.equal(read.decoded.signers, null)
  t.strictSame(read.decoded.calls, [{ target: `0x${'35'.repeat(20)}`, method: '', args: {}, value: 10n ** 18n }])
  t.equal(read.notes.length, 1)
})

t.test('a signed one has the same hash and calls, a sender and a name', async (t) => {
  const read = await explain(SIGNED)
  t.equal(read.form, 'signed')
  t.strictSame(read.signers, [{ address: SENDER, signature: 'right' }])
  t.strictSame(read.decoded.signers, [SENDER])
  t.equal(read.hash, HASH)
  t.equal(read.txHash, '0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788')
  t.equal(read.unsigned.serialized_tx_hex, example.craft.serialized_tx_hex)
  t.strictSame({ ...read.decoded, signers: null }, (await explain(example.craft.serialized_tx_hex)).decoded)
})

t.test('hex of either case, with and without 0x, and base64 are one transaction', async (t) => {
  const bytes = Buffer.from(SIGNED.slice(2), 'hex')
  const first = await explain(SIGNED)
  for (const text of [SIGNED.slice(2), `0x${SIGNED.slice(2).toUpperCase()}`, bytes.toString('base64'), ` ${SIGNED}\n`])
    t.strictSame(await explain(text), first)
})

t.test('methods are read by what is given, and any other is unknown', async (t) => {
  const { serialized_tx_hex } = delegate.craft
  t.equal((await explain(serialized_tx_hex, [delegate.call.method])).decoded.calls[0]?.method, delegate.call.method)
  t.match((await explain(serialized_tx_hex)).decoded.calls[0]?.method, /^unknown 0x/)
})

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HIGH_S = `0x${(order - BigInt(S)).toString(16).padStart(64, '0')}`

for (const [what, given, sentence] of [
  ['a typed transaction', '02f8', /type 2 \(EIP-1559\).*not one of its own/],
  ['a blob transaction', '03f8', /type 3 \(EIP-4844\)/],
  ['neither hex nor base64', 'hello?', /must be hex or base64/],
  ['base64 behind 0x', '0xG1', /must be hex or base64/],
  ['nothing', '0x', /must be hex or base64/],
  ['other bytes', 'aa', /begins with the byte 0xaa/],
  ['six fields', text(...HEAD), /has 6 fields/],
  ['a signature for any chain', text(...HEAD, '0x1b', R, S), /v is 27, so that the transaction would be valid on any chain/],
  ['an s in the upper half', text(...HEAD, '0x25', R, HIGH_S), /lower half/],
  ['an r of no point', text(...HEAD, '0x25', '0x05', S), /no key can have made/],
  ['an r with a leading zero', text(...HEAD, '0x25', `0x00${R.slice(2)}`, S), /leading zero|bits at most/],
  ['bytes behind it', `${SIGNED}00`, /nothing may follow/],
  ['a list for v', Buffer.from(writeRlp([...HEAD, [], R, S])).toString('hex'), /v is a list/],
] as const) {
  t.test(`${what}: refused with a sentence`, async (t) => {
    await t.rejects(explain(given), { code: 'DECODE_FAILED', message: sentence })
  })
}

t.test('every bit of a signed transaction matters', async (t) => {
  const bytes = Buffer.from(SIGNED.slice(2), 'hex')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    const read = await explain(changed.toString('hex')).catch(() => null)
    if (read) t.notSame(read.signers[0]?.address, SENDER, `byte ${at}`)
  }
})
