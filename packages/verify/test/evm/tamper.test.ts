import t from 'tap'
import { keccak256 } from '../../src/bytes/keccak.ts'
import { decodeEvm, type EvmCraft, encodeCall, verifyEvm } from '../../src/evm/index.ts'
import type { Bounds, Effects, Value } from '../../src/index.ts'
import { argsOf, bytes, hex, type TransactionVector, transactions } from '../support/vectors.ts'
import { craftOf, type Fields, fieldsOf } from '../support/write.ts'

function promised({ call, chainId, maxFee }: TransactionVector): { effects: Effects; bounds: Bounds } {
  const effects = {
    signers: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
    calls: [{ target: call.target, method: call.method, args: argsOf(call.args), value: BigInt(call.value) }],
  }
  return { effects, bounds: { chainId, maxFee: BigInt(maxFee) } }
}

/** Terms as the caller would name them who chose them. */
function termed(bounds: Bounds, { nonce, gasPrice, gasLimit }: Fields): Bounds {
  return { ...bounds, terms: { nonce, gasPrice, gasLimit } }
}

function paths(craft: EvmCraft, effects: Effects, bounds: Bounds): readonly string[] {
  return verifyEvm(craft, effects, bounds).map(({ path }) => path)
}

t.test('every vector does what was promised, with its terms and without', async (t) => {
  for (const vector of transactions) {
    const { effects, bounds } = promised(vector)
    t.strictSame(verifyEvm(vector.craft, effects, bounds), [], vector.name)
    t.strictSame(verifyEvm(vector.craft, effects, termed(bounds, fieldsOf(vector.craft))), [])
  }
})

t.test('any other value of any byte is refused, with the hash as it was', async (t) => {
  for (const vector of transactions) {
    const { effects, bounds } = promised(vector)
    const data = bytes(vector.craft.serialized_tx_hex)
    let accepted = 0
    eachByte(data, [0x01, 0x80, 0xff], (changed) => {
      const craft = { ...vector.craft, serialized_tx_hex: hex(changed) }
      if (paths(craft, effects, bounds).join() !== 'bytes') accepted++
    })
    t.equal(accepted, 0, vector.name)
  }
})

t.test('any other value of any byte is refused, with the hash made to fit', async (t) => {
  for (const vector of transactions) {
    const { effects, bounds } = promised(vector)
    const data = bytes(vector.craft.serialized_tx_hex)
    let accepted = 0
    const changes = vector.name === 'Monad delegate' ? Array.from({ length: 255 }, (_, i) => i + 1) : [0x01, 0x80, 0xff]
    eachByte(data, changes, (changed) => {
      const craft = { ...vector.craft, serialized_tx_hex: hex(changed), unsigned_tx_hash_hex: hex(keccak256(changed)) }
      if (paths(craft, effects, bounds).join() !== 'bytes') accepted++
    })
    t.equal(accepted, 0, vector.name)
  }
})

t.test('any other digit of the hash or of the payload is refused', async (t) => {
  const vector = transactions[1]!
  const { effects, bounds } = promised(vector)
  const { craft } = vector
  let accepted = 0
  const other = (text: string, at: number) => `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`
  for (let at = 0; at < craft.unsigned_tx_hash_hex.length; at++) {
    const changed = { ...craft, unsigned_tx_hash_hex: other(craft.unsigned_tx_hash_hex, at) }
    if (paths(changed, effects, bounds).join() !== 'bytes') accepted++
  }
  for (const [name, text] of Object.entries(craft.payload)) {
    for (let at = 0; at < text.length; at++) {
      const changed = { ...craft, payload: { ...craft.payload, [name]: other(text, at) } }
      if (paths(changed, effects, bounds).join() !== 'bytes') accepted++
    }
  }
  t.equal(accepted, 0)
})

t.test('bytes, hash and payload cut off or continued are refused', async (t) => {
  for (const vector of transactions) {
    const { effects, bounds } = promised(vector)
    const data = bytes(vector.craft.serialized_tx_hex)
    for (const changed of [data.subarray(1), data.subarray(0, -1), Uint8Array.from([...data, 0]), Uint8Array.from([...data, ...data])]) {
      const craft = { ...vector.craft, serialized_tx_hex: hex(changed), unsigned_tx_hash_hex: hex(keccak256(changed)) }
      t.strictSame(paths(craft, effects, bounds), ['bytes'], vector.name)
    }
  }
})

t.test('a change of a field in all three representations is reported where it is', async (t) => {
  for (const vector of transactions) {
    const { effects, bounds } = promised(vector)
    const fields = fieldsOf(vector.craft)
    const cases: readonly (readonly [Partial<Fields>, readonly string[], readonly string[]])[] = [
      [{ to: `0x${'66'.repeat(20)}` }, ['calls[0].target'], ['calls[0].target']],
      [{ value: fields.value + 1n }, ['calls[0].value'], ['calls[0].value']],
      [{ chainId: fields.chainId + 1n }, ['chainId'], ['chainId']],
      [{ nonce: fields.nonce + 1n }, [], ['terms.nonce']],
      [{ gasPrice: fields.gasPrice + 1n }, ['maxFee'], ['maxFee', 'terms.gasPrice']],
      [{ gasLimit: fields.gasLimit + 1n }, ['maxFee'], ['maxFee', 'terms.gasLimit']],
      [{ gasPrice: fields.gasPrice - 1n }, [], ['terms.gasPrice']],
      [{ gasLimit: fields.gasLimit - 1n }, [], ['terms.gasLimit']],
    ]
    for (const [change, without, withTerms] of cases) {
      const craft = craftOf({ ...fields, ...change })
      const name = `${vector.name}: ${Object.keys(change).join()}`
      t.strictSame(paths(craft, effects, bounds), without, name)
      t.strictSame(paths(craft, effects, termed(bounds, fields)), withTerms, `${name}, with terms`)
    }
  }
})

t.test('another argument, encoded properly, is reported by its name', async (t) => {
  for (const vector of transactions) {
    const { effects, bounds } = promised(vector)
    const args = argsOf(vector.call.args)
    for (const [name, value] of Object.entries(args)) {
      const data = encodeCall(vector.call.method, { ...args, [name]: otherValue(value) })
      const craft = craftOf({ ...fieldsOf(vector.craft), data })
      t.strictSame(paths(craft, effects, bounds), [`calls[0].args.${name}`], `${vector.name}: ${name}`)
    }
  }
})

t.test('another method is reported, expected somewhere else or nowhere', async (t) => {
  const vector = transactions[1]!
  const { effects, bounds } = promised(vector)
  const data = encodeCall('undelegate(uint64 validator, uint256 amount, uint8 slot)', { validator: 12n, amount: 1n, slot: 0n })
  const craft = craftOf({ ...fieldsOf(vector.craft), data })
  t.strictSame(paths(craft, effects, bounds), ['calls[0].method', 'calls[0].args.validator', 'calls[0].args.data'])
  t.strictSame(verifyEvm(craft, effects, bounds)[0], {
    path: 'calls[0].method',
    expected: 'delegate(uint64 validator)',
    found: 'unknown 0x5cf41514',
  })
  const transfer = craftOf({ ...fieldsOf(vector.craft), data: '0x' })
  t.strictSame(paths(transfer, effects, bounds), ['calls[0].method', 'calls[0].args.validator'])
})

t.test('a second promised call that is not in the bytes is reported', async (t) => {
  const vector = transactions[1]!
  const { effects, bounds } = promised(vector)
  t.strictSame(paths(vector.craft, { ...effects, calls: [...effects.calls, ...effects.calls] }, bounds), ['calls[1]'])
  t.strictSame(paths(vector.craft, { ...effects, calls: [] }, bounds), ['calls[0]'])
})

t.test('effects of another shape never pass and never throw', async (t) => {
  const vector = transactions[1]!
  const { bounds } = promised(vector)
  for (const effects of [undefined, null, {}, { calls: null }, { calls: [null] }, { calls: [{}] }, { calls: [{ method: 12 }] }]) {
    t.not(verifyEvm(vector.craft, effects as unknown as Effects, bounds).length, 0)
  }
})

t.test('an unreadable answer is one mismatch that carries the reason', async (t) => {
  const vector = transactions[1]!
  const { effects, bounds } = promised(vector)
  const craft = { ...vector.craft, unsigned_tx_hash_hex: `0x${'00'.repeat(32)}` }
  let message = ''
  try {
    decodeEvm(craft, [])
  } catch (error) {
    message = (error as Error).message
  }
  t.match(message, /^unsigned_tx_hash_hex is /)
  t.strictSame(verifyEvm(craft, effects, bounds), [
    { path: 'bytes', expected: 'one unsigned transaction in canonical form', found: message },
  ])
})

function eachByte(data: Uint8Array, changes: readonly number[], visit: (changed: Uint8Array) => void): void {
  for (let at = 0; at < data.length; at++) {
    for (const change of changes) {
      const changed = data.slice()
      changed[at] = changed[at]! ^ change
      visit(changed)
    }
  }
}

function otherValue(value: Value): Value {
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}`
  return value.map(otherValue)
}
