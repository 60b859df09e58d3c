import t from 'tap'
import { keccak256 } from '../../src/bytes/keccak.ts'
import { decodeEvm, type EvmCraft, encodeCall } from '../../src/evm/index.ts'
import { argsOf, bytes, hex, transactions } from '../support/vectors.ts'
import { craftOf, fieldsOf } from '../support/write.ts'

const refused = { code: 'DECODE_FAILED' }
const [, delegate] = transactions as [unknown, (typeof transactions)[number]]
const { craft } = delegate
const methods = [delegate.call.method]

/** The same craft response with other bytes, hashed afresh. */
function serialized(data: Uint8Array): EvmCraft {
  return { ...craft, serialized_tx_hex: hex(data), unsigned_tx_hash_hex: hex(keccak256(data)) }
}

function withPayload(change: Readonly<Record<string, unknown>>): EvmCraft {
  return { ...craft, payload: { ...craft.payload, ...change } as EvmCraft['payload'] }
}

t.test('every vector is read as what it does', async (t) => {
  for (const { name, craft, chainId, maxFee, call } of transactions) {
    const decoded = decodeEvm(craft, [call.method, 'transfer(address to, uint256 amount)'])
    const { nonce, gasPrice, gasLimit } = fieldsOf(craft)
    t.strictSame(
      decoded,
      {
        chainId,
        signers: null,
        maxFee: BigInt(maxFee),
        calls: [{ target: call.target.toLowerCase(), method: call.method, args: argsOf(call.args), value: BigInt(call.value) }],
        terms: { nonce, gasPrice, gasLimit },
      },
      name,
    )
  }
})

t.test('the writer of these tests makes the same craft responses as the vectors', async (t) => {
  for (const { name, craft } of transactions) t.same(craftOf(fieldsOf(craft)), { ...craft, payload: { ...craft.payload } }, name)
})

t.test('hex of either case is read, in bytes, hash, address and quantities', async (t) => {
  const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
  const { payload } = craft
  const shouted: EvmCraft = {
    serialized_tx_hex: upper(craft.serialized_tx_hex),
    unsigned_tx_hash_hex: upper(craft.unsigned_tx_hash_hex),
    payload: { ...payload, to: upper(payload.to), data: upper(payload.data), gasPrice: upper(payload.gasPrice) },
  }
  t.strictSame(decodeEvm(shouted, methods), decodeEvm(craft, methods))
})

t.test('a call of a method that is not expected is shown as unknown, with its data', async (t) => {
  const [call] = decodeEvm(craft, ['claim()']).calls
  t.strictSame(call, {
    target: delegate.call.target,
    method: 'unknown 0x84994fec',
    args: { data: craft.payload.data },
    value: BigInt(delegate.call.value),
  })
  const short = decodeEvm(craftOf({ ...fieldsOf(craft), data: '0x8499' }), methods)
  t.equal(short.calls[0]?.method, 'unknown 0x8499')
})

t.test('no data is a plain transfer, and an empty method among the expected ones is that', async (t) => {
  const [call] = decodeEvm(craftOf({ ...fieldsOf(craft), data: '0x' }), ['', ...methods]).calls
  t.equal(call?.method, '')
  t.strictSame(call?.args, {})
})

t.test('calldata of an expected method must be canonical', async (t) => {
  const { data } = craft.payload
  t.throws(() => decodeEvm(craftOf({ ...fieldsOf(craft), data: `${data}00` }), methods), refused)
  t.throws(() => decodeEvm(craftOf({ ...fieldsOf(craft), data: `${data.slice(0, 10)}01${data.slice(12)}` }), methods), refused)
})

t.test('two methods with one selector are refused, the same method twice is not', async (t) => {
  t.throws(() => decodeEvm(craft, ['delegate(uint64 validator)', 'delegate(uint64 amount)']), refused)
  // Two unlike methods that happen to share the selector 0x42966c68.
  t.throws(() => decodeEvm(craft, ['burn(uint256 a)', 'collate_propagate_storage(bytes16 a)']), refused)
  t.ok(decodeEvm(craft, [...methods, ...methods]))
})

t.test('a method that is no signature is refused even when the data is empty', async (t) => {
  t.throws(() => decodeEvm(craftOf({ ...fieldsOf(craft), data: '0x' }), ['delegate(uint64)']), refused)
})

t.test('a craft response has its three members and no others', async (t) => {
  for (const response of [
    undefined,
    null,
    'text',
    [],
    {},
    { ...craft, more: '0x' },
    { ...craft, payload: undefined },
    { ...craft, payload: [] },
    { serialized_tx_hex: craft.serialized_tx_hex, payload: craft.payload },
    { payload: craft.payload, unsigned_tx_hash_hex: craft.unsigned_tx_hash_hex },
    Object.create(craft),
    { ...craft, serialized_tx_hex: 12 },
    { ...craft, serialized_tx_hex: craft.serialized_tx_hex.slice(2) },
    { ...craft, serialized_tx_hex: `${craft.serialized_tx_hex}0` },
    { ...craft, serialized_tx_hex: '0xzz' },
    { ...craft, serialized_tx_hex: '0x' },
    { ...craft, unsigned_tx_hash_hex: '0x' },
    { ...craft, unsigned_tx_hash_hex: `${craft.unsigned_tx_hash_hex}00` },
  ]) {
    t.throws(() => decodeEvm(response as EvmCraft, methods), refused)
  }
})

t.test('a payload has its eight members and no others', async (t) => {
  for (const name of Object.keys(craft.payload)) {
    const { [name as 'to']: _, ...rest } = craft.payload
    t.throws(() => decodeEvm({ ...craft, payload: rest as EvmCraft['payload'] }, methods), refused, `without ${name}`)
    t.throws(() => decodeEvm(withPayload({ [name]: undefined }), methods), refused)
    t.throws(() => decodeEvm(withPayload({ [name]: 0 }), methods), refused)
    t.throws(() => decodeEvm(withPayload({ [name]: '' }), methods), refused)
  }
  for (const name of ['from', 'accessList', 'maxFeePerGas', '__proto__x']) {
    t.throws(() => decodeEvm(withPayload({ [name]: '0x0' }), methods), refused, `with ${name}`)
  }
})

t.test('quantities are minimal hex', async (t) => {
  t.ok(decodeEvm(withPayload({ nonce: '0x0' }), methods))
  for (const nonce of ['0x', '0x00', '0', '0X0', ' 0x0', '0x0 ', '-0x0', '0x0n', '0b0', `0x${'0'.repeat(70)}`]) {
    t.throws(() => decodeEvm(withPayload({ nonce }), methods), refused, nonce)
  }
  t.throws(() => decodeEvm(withPayload({ gasLimit: craft.payload.gasLimit.replace('0x', '0x0') }), methods), refused)
})

t.test('a payload that says something else than the bytes is refused, member by member', async (t) => {
  for (const [name, value] of Object.entries({
    type: '0x2',
    nonce: '0x1',
    gasLimit: '0x44dc7',
    to: '0x0000000000000000000000000000000000001001',
    value: '0x56bc75e2d63100001',
    data: craft.payload.data.replace(/c$/, 'd'),
    gasPrice: '0x1a1fa42201',
    chainId: '0x90',
  })) {
    t.throws(() => decodeEvm(withPayload({ [name]: value }), methods), refused, name)
  }
  // A test of wording.
  t.throws(() => decodeEvm(withPayload({ nonce: '0x1' }), methods), {
    message: 'payload.nonce is "0x1" where serialized_tx_hex says "0x0"; both must say the same',
  })
})

t.test('the published signed transaction is not taken for an unsigned one', async (t) => {
  // From EIP-155, https://eips.ethereum.org/EIPS/eip-155 (read 2026-11-21).
  const signed =
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'
  t.throws(() => decodeEvm(serialized(bytes(signed)), []), refused)
})

t.test('transactions beyond 128 KiB are not read', async (t) => {
  const method = 'post(bytes data)'
  const large = (size: number) => craftOf({ ...fieldsOf(craft), data: encodeCall(method, { data: `0x${'ab'.repeat(size)}` }) })
  t.equal(decodeEvm(large(120_000), [method]).calls.length, 1)
  t.throws(() => decodeEvm(large(132_000), [method]), refused)
})

t.test('a member that answers differently each time is read once', async (t) => {
  let reads = 0
  const twofaced = {
    ...craft,
    get serialized_tx_hex() {
      return reads++ === 0 ? craft.serialized_tx_hex : '0x00'
    },
  }
  t.strictSame(decodeEvm(twofaced, methods), decodeEvm(craft, methods))
  t.equal(reads, 1)
})

t.test('a message never repeats a long value', async (t) => {
  const long = `0x${'zz'.repeat(50_000)}`
  t.throws(() => decodeEvm({ ...craft, serialized_tx_hex: long }, methods), { message: /^.{1,400}$/ })
  t.throws(() => decodeEvm(withPayload({ data: `0x${'ab'.repeat(50_000)}` }), methods), { message: /^.{1,400}$/ })
})
