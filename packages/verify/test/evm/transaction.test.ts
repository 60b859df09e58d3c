import t from 'tap'
import { readTransaction } from '../../src/evm/transaction.ts'
import { bytes, hex, transactions } from '../support/vectors.ts'
import { fieldsOf, type Item, writeRlp } from '../support/write.ts'

const to = '0x0000000000000000000000000000000000001000'
const fields = ['0x', '0x1a1fa42200', '0x044dc6', to, '0x056bc75e2d63100000', '0x12345678', '0x8f', '0x', '0x'] as const

function changed(at: number, item: Item): Item {
  return fields.map((field, i) => (i === at ? item : field))
}

t.test('every vector is read field by field', async (t) => {
  for (const { name, craft } of transactions) {
    const { data, ...rest } = readTransaction(bytes(craft.serialized_tx_hex))
    const { data: expected, to, ...others } = fieldsOf(craft)
    t.strictSame({ ...rest, data: hex(data) }, { ...others, to: to.toLowerCase(), data: expected }, name)
  }
})

t.test('the widest values that a chain takes are read', async (t) => {
  t.equal(readTransaction(writeRlp(changed(0, '0xfffffffffffffffe'))).nonce, 2n ** 64n - 2n)
  t.equal(readTransaction(writeRlp(changed(4, `0x${'ff'.repeat(32)}`))).value, 2n ** 256n - 1n)
})

t.test('whatever else is no unsigned transaction for one chain is refused with its reason', async (t) => {
  t.ok(readTransaction(writeRlp(fields)), 'the fields themselves are right')
  const cases: readonly (readonly [string, Item, RegExp])[] = [
    ['six fields', fields.slice(0, 6), /has 6 fields/],
    ['eight fields', fields.slice(0, 8), /has 8 fields/],
    ['ten fields', [...fields, '0x'], /has 10 fields/],
    ['no field', [], /has 0 fields/],
    ['a byte string', '0x1234', /begins with the byte 0x82/],
    ['creation of a contract', changed(3, '0x'), /to is empty/],
    ['an address of 19 bytes', changed(3, `0x${'11'.repeat(19)}`), /to has 19 bytes/],
    ['an address of 21 bytes', changed(3, `0x${'11'.repeat(21)}`), /to has 21 bytes/],
    ['a list for an address', changed(3, [to]), /to is a list/],
    ['chain 0', changed(6, '0x'), /chainId is 0/],
    ['a signature', changed(7, '0x01'), /the eighth field is not empty/],
    ['the second half of a signature', changed(8, '0x01'), /the ninth field is not empty/],
    ['a zero that is not empty', changed(8, '0x00'), /the ninth field is not empty/],
    ['a list for a signature', changed(8, []), /the ninth field is a list/],
    ['a nonce with a leading zero', changed(0, '0x00'), /nonce is 0x00, with a leading zero/],
    ['a gas price with a leading zero', changed(1, '0x001a1fa42200'), /gasPrice is 0x001a1fa42200, with a leading zero/],
    ['a nonce beyond 64 bits', changed(0, '0x010000000000000000'), /nonce has 9 bytes/],
    ['a gas limit beyond 64 bits', changed(2, '0x010000000000000000'), /gasLimit has 9 bytes/],
    ['a value beyond 256 bits', changed(4, `0x01${'00'.repeat(32)}`), /value has 33 bytes/],
    ['a list for data', changed(5, ['0x12']), /data is a list/],
  ]
  for (const [name, item, message] of cases) t.throws(() => readTransaction(writeRlp(item)), { code: 'DECODE_FAILED', message }, name)
  const data = writeRlp(fields)
  t.throws(() => readTransaction(Uint8Array.from([2, ...data])), { code: 'DECODE_FAILED', message: /begins with the byte 0x02/ }, 'typed')
  t.throws(() => readTransaction(Uint8Array.from([...data, 0])), { code: 'DECODE_FAILED', message: /1 bytes follow/ }, 'a byte more')
  t.throws(() => readTransaction(data.subarray(0, -1)), { code: 'DECODE_FAILED', message: /claims/ }, 'a byte less')
  t.throws(() => readTransaction(new Uint8Array(0)), { code: 'DECODE_FAILED' }, 'nothing')
})
