import { check, type Effects } from '@svc/verify'
import { decodeEvm, type EvmCraft } from '@svc/verify/evm'
import { getAddress, keccak256, recoverAddress, Transaction } from 'ethers'
import t from 'tap'
import { evmFamily } from '../src/families/evm/family.ts'

const effects: Effects = {
  signers: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
  calls: [
    {
      target: '0x0000000000000000000000000000000000001000',
      method: 'pay(address to, uint256 amount, bytes[] calls)',
      args: { to: '0x1234567890123456789012345678901234567890', amount: 5n, calls: ['0x01', '0x0203'] },
      value: 7n,
    },
  ],
}

/** A transaction with an address, a number and a list in its call data, written by ethers. */
function crafted(): EvmCraft {
  const data = `0x${[
    keccak256(Buffer.from('pay(address,uint256,bytes[])')).slice(2, 10),
    '0000000000000000000000001234567890123456789012345678901234567890',
    '5'.padStart(64, '0'),
    '60'.padStart(64, '0'),
    '2'.padStart(64, '0'),
    '40'.padStart(64, '0'),
    '80'.padStart(64, '0'),
    '1'.padStart(64, '0'),
    '01'.padEnd(64, '0'),
    '2'.padStart(64, '0'),
    '0203'.padEnd(64, '0'),
  ].join('')}`
  const to = effects.calls[0]!.target
  const transaction = Transaction.from({ type: 0, chainId: 143n, nonce: 3, gasPrice: 100n, gasLimit: 21_000n, to, value: 7n, data })
  return {
    serialized_tx_hex: transaction.unsignedSerialized,
    unsigned_tx_hash_hex: transaction.unsignedHash,
    payload: { type: '0x0', nonce: '0x3', gasLimit: '0x5208', to, value: '0x7', data, gasPrice: '0x64', chainId: '0x8f' },
  }
}

const craft = crafted()
const bounds = { chainId: '143', maxFee: 10n ** 18n, terms: { nonce: 3n, gasPrice: 100n, gasLimit: 21_000n } }
const methods = effects.calls.map(({ method }) => method)
const forgeries = evmFamily.forgeries(craft, effects)

t.test('the transaction itself passes, so that a refusal means something', async (t) => {
  t.same(check(decodeEvm(craft, methods), effects, bounds), [])
})

t.test('every forgery is another transaction', async (t) => {
  const all = [...evmFamily.fields(craft), ...forgeries]
  for (const { name, unsigned } of all) t.notSame(unsigned, craft, name)
  t.equal(new Set(all.map(({ name }) => name)).size, all.length, 'names are unique, since an attack is found by its name')
})

t.test('a forgery agrees with itself: the hash is that of the bytes, and the payload says what they say', async (t) => {
  for (const { name, unsigned } of forgeries) {
    t.equal(unsigned.unsigned_tx_hash_hex, keccak256(unsigned.serialized_tx_hex), name)
    if (name.startsWith('format:')) continue
    const { payload } = unsigned
    const read = Transaction.from(unsigned.serialized_tx_hex)
    t.same(
      [read.nonce, read.gasPrice, read.gasLimit, read.to, read.value, read.data, read.chainId],
      [
        Number(payload.nonce),
        BigInt(payload.gasPrice),
        BigInt(payload.gasLimit),
        getAddress(payload.to),
        BigInt(payload.value),
        payload.data,
        BigInt(payload.chainId),
      ],
      name,
    )
  }
})

t.test('everything that a thief would change is among them', async (t) => {
  const names = forgeries.map(({ name }) => name)
  for (const name of [
    'to is somebody else',
    'value + 1',
    'value - 1',
    'nonce + 1',
    'gasPrice + 1',
    'gasLimit + 1',
    'chainId + 1',
    'word 0 + 1',
    'word 1 - 1',
    'words 0 and 1 swapped',
    "word 0 is somebody else's address",
    'another method',
    'data: a word appended',
    'data: the last word cut',
    'argument 2: an item appended',
    'argument 2: an item removed',
    'argument 2: its items turned round',
    'format: a tenth field',
    'format: six fields, valid on any chain',
  ])
    t.ok(names.includes(name), name)
  t.ok(forgeries.some(({ attack }) => attack))
})

t.test('a call without arguments, and a plain transfer, are forged too', async (t) => {
  const rewritten = (data: string): EvmCraft => {
    const transaction = Transaction.from(craft.serialized_tx_hex)
    transaction.data = data
    return {
      serialized_tx_hex: transaction.unsignedSerialized,
      unsigned_tx_hash_hex: transaction.unsignedHash,
      payload: { ...craft.payload, data },
    }
  }
  for (const [data, method] of [
    [keccak256(Buffer.from('close()')).slice(0, 10), 'close()'],
    ['0x', ''],
  ] as const) {
    const bare = { ...effects, calls: [{ ...effects.calls[0]!, method, args: {} }] }
    t.same(check(decodeEvm(rewritten(data), [method]), bare, bounds), [], 'it passes itself')
    const through = evmFamily.forgeries(rewritten(data), bare).filter(({ unsigned }) => {
      try {
        return check(decodeEvm(unsigned, [method]), bare, bounds).length === 0
      } catch {
        return false
      }
    })
    t.same(
      through.map(({ name }) => name),
      [],
    )
  }
})

/** A decoder that is lenient in one way lets something through, which shows that each kind of forgery is needed. */
const LENIENT: Readonly<Record<string, (forged: EvmCraft) => EvmCraft>> = {
  'the hash': ({ serialized_tx_hex, payload }) => ({ serialized_tx_hex, payload, unsigned_tx_hash_hex: keccak256(serialized_tx_hex) }),
  'the payload': (forged) => ({ ...forged, payload: payloadOf(forged.serialized_tx_hex) }),
}

function payloadOf(bytes: string): EvmCraft['payload'] {
  const read = Transaction.from(bytes)
  const quantity = (value: bigint | number | null) => `0x${(value ?? 0).toString(16)}`
  return {
    type: '0x0',
    nonce: quantity(read.nonce),
    gasLimit: quantity(read.gasLimit),
    to: read.to ?? '',
    value: quantity(read.value),
    data: read.data,
    gasPrice: quantity(read.gasPrice),
    chainId: quantity(read.chainId),
  }
}

const passes = (forged: EvmCraft) => {
  try {
    return check(decodeEvm(forged, methods), effects, bounds).length === 0
  } catch {
    return false
  }
}

t.test('the decoder of @svc/verify refuses all of them', async (t) => {
  const through = [...evmFamily.fields(craft), ...forgeries].filter(({ unsigned }) => passes(unsigned)).map(({ name }) => name)
  t.same(through, [])
  t.ok(forgeries.length > 500, `${forgeries.length}`)
})

for (const [what, lenient] of Object.entries(LENIENT))
  t.test(`a decoder that does not look at ${what} lets a member changed alone through`, async (t) => {
    const changed =
      what === 'the hash' ? { ...craft, unsigned_tx_hash_hex: keccak256('0x') } : { ...craft, payload: { ...craft.payload, value: '0x0' } }
    t.notOk(passes(changed))
    t.ok(passes(lenient(changed)))
  })

t.test('a check without the terms lets another nonce through', async (t) => {
  const { terms: _, ...without } = bounds
  const nonce = forgeries.find(({ name }) => name === 'nonce + 1')!
  t.same(check(decodeEvm(nonce.unsigned, methods), effects, without), [])
  t.match(check(decodeEvm(nonce.unsigned, methods), effects, bounds), [{ path: nonce.at! }])
})

t.test('a wallet signs what was crafted, and no two wallets are the same', async (t) => {
  const [one, two] = [evmFamily.wallet(0), evmFamily.wallet(1)]
  t.not(one.address, two.address)
  t.equal(evmFamily.wallet(0).address, one.address)
  const { r, s, v, ...rest } = (await evmFamily.sign(craft, one)) as { r: string; s: string; v: number }
  t.equal(recoverAddress(craft.unsigned_tx_hash_hex, { r, s, v }), one.address)
  t.same(rest, craft)
  for (const { name, body } of evmFamily.badPrepares({ ...craft, r, s, v })) t.strictNotSame(body, { ...craft, r, s, v }, name)
})

t.test('garbled answers are JSON, and none is the good one', async (t) => {
  for (const good of [
    '{"jsonrpc":"2.0","id":1,"result":"0x1"}',
    '[{"jsonrpc":"2.0","id":1,"result":"0x1"},{"jsonrpc":"2.0","id":2,"result":"0x2"}]',
  ]) {
    const garbled = evmFamily.garble(good)
    t.ok(garbled.length > 10)
    for (const text of garbled) t.strictNotSame(JSON.parse(text), JSON.parse(good), text)
  }
})
