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
const text = (...fields: readonly (string | readonly string[])[]) => Buffer.from(writeRlp(fields)).toString('hex')

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

/** By ethers 6.17.0 with the key of the example above: the same transfer as types 1 and 2, and with an access list. */
const TYPE_1 =
  '0x01f86e01098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080c001a0a55f6a8616e3d6d2f09ee945cdad2a21a7d357225fcfc46df9e8421420954f43a01d7bd8c3892f4271f397c91e6c4216fb4284bc75c8d320b952bdb069aaa8120e'
const TYPE_2 =
  '0x02f86f0109018504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080c080a023ae460008bac5932aed69fdf19a799fb17db6bb8d679b1c4260aa49fd6f972aa05a3bcc0a454fc49b6a70b7d02e18f60887141c7500f37a16b21b067c1b15208a'
const WITH_LIST =
  '0x02f8860109018504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080d7d6943535353535353535353535353535353535353535c001a013d07134958fa8c5489d70960f1e3a22b88a20c7af183db0c3e2391c037984f3a030214e2438905a6ca44dbb9528a4d1fadc2f0c14ef58bd4d6d6e94b6492eaac7'
const HIGH_TYPED = (order - BigInt(`0x${TYPE_2.slice(-64)}`)).toString(16).padStart(64, '0')

t.test('what wallets make of it, types 1 and 2, is the same transaction', async (t) => {
  const legacy = await explain(SIGNED)
  for (const [signed, hash, txHash] of [
    [
      TYPE_1,
      '0xf9825220fb999f9c52f1edb0849af4a1c260f9574449070ce421ec3e90a2cc44',
      '0x360562adea4f3f676f51df0c929be94cf0ca646adfb8f3baf72c88a7df4f6f04',
    ],
    [
      TYPE_2,
      '0xcc6827a400f4dc45429d66fc5df7ceacf28cc171f08cab0a400d840ea7ba073f',
      '0xfda30dc0d75f6a0efe9820dea5d5a480e7cd724243ff258c3194da959839a6e3',
    ],
  ] as const) {
    const read = await explain(signed)
    t.strictSame(read.decoded, legacy.decoded)
    t.strictSame([read.signers, read.hash, read.txHash], [legacy.signers, hash, txHash])
    const unsigned = await explain(read.unsigned.serialized_tx_hex ?? '')
    t.strictSame([unsigned.form, unsigned.hash, unsigned.decoded.calls], ['unsigned', hash, legacy.decoded.calls])
  }
})

for (const [what, given, sentence] of [
  ['a blob transaction', '03f8', /type 3, which carries blobs \(EIP-4844\); it must be a legacy one, or of type 1 or 2/],
  ['one that lets code act for an account', '04f8', /type 4, which lets code act for accounts from then on \(EIP-7702\)/],
  ['a type that is none', 'aa', /type 170; it must be/],
  ['an access list with entries', WITH_LIST, /access list with entries/],
  ['a parity of 2', TYPE_2.replace('c080a023', 'c002a023'), /parity of y is 2/],
  ['an s of type 2 in the upper half', `${TYPE_2.slice(0, -64)}${HIGH_TYPED}`, /lower half/],
  ['a tip with a leading zero', `02${text('0x01', '0x09', '0x0001', ...HEAD.slice(1), [])}`, /the tip is 0x0001, with a leading zero/],
  ['neither hex nor base64', 'hello?', /must be hex or base64/],
  ['base64 behind 0x', '0xG1', /must be hex or base64/],
  ['nothing', '0x', /must be hex or base64/],
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
  for (const signed of [SIGNED, TYPE_1, TYPE_2]) {
    const bytes = Buffer.from(signed.slice(2), 'hex')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      const read = await explain(changed.toString('hex')).catch(() => null)
      if (read) t.notSame(read.signers[0]?.address, SENDER, `byte ${at}`)
    }
  }
})
